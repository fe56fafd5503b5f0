// Every version of every kind that is stored in another one, with random objects: what is stored is the same after it
// was read and written back in the other version.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtinResource, defaulted } from '../../../test/contract/defaults.ts';
import { randomValue, type ValueShape } from '../../../test/random-value.ts';
import { isObject } from '../../api/is-object.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import { SeededRandom } from '../../base/seeded-random.ts';
import { emulationOf } from '../../lifecycle/version.ts';
import { decodeObject } from '../../schema/decode.ts';
import { createCatalog } from '../catalog.ts';
import type { ResourceDefinition, ServedVersion } from '../definition.ts';
import { removedVersions } from '../removed/removed-versions.ts';

const ROUNDS = 80;
const RELEASES = Array.from({ length: 11 }, (_, index) => 34 - index);
/** From nothing said, by a few members deep down, to every member. */
const SHAPES: readonly ValueShape[] = [
  { percent: 0, depth: 0 },
  { percent: 30, depth: 12 },
  { percent: 70, depth: 8 },
  { percent: 100, depth: 7 },
];

/** Makes of random members what validation lets be stored, by the resource. */
const MADE_VALID: Readonly<Record<string, (object: JsonObject, random: SeededRandom) => void>> = {
  horizontalpodautoscalers: ({ spec, status }, random) => {
    makeMetricsValid(spec, { list: 'metrics', values: 'target' }, random);
    makeMetricsValid(status, { list: 'currentMetrics', values: 'current' }, random);
  },
  // What a missing parameter does is said of each.
  mutatingadmissionpolicybindings: ({ spec }) => {
    const reference = isObject(spec) ? spec['paramRef'] : undefined;
    if (isObject(reference)) reference['parameterNotFoundAction'] ??= 'Allow';
  },
  resourceclaims: ({ spec }) => makeRequestsValid(spec),
  resourceclaimtemplates: ({ spec }) => makeRequestsValid(isObject(spec) ? spec['spec'] : undefined),
  // Of the ways to name nodes those are there that say something.
  resourceslices: ({ spec }) => {
    if (!isObject(spec)) return;
    if (spec['allNodes'] === false) delete spec['allNodes'];
    if (spec['nodeName'] === '') delete spec['nodeName'];
  },
};

const MEMBERS: Readonly<Record<string, { member: string; values: readonly string[] }>> = {
  Object: { member: 'object', values: ['value', 'averageValue'] },
  Pods: { member: 'pods', values: ['averageValue'] },
  Resource: { member: 'resource', values: ['averageUtilization', 'averageValue'] },
  ContainerResource: { member: 'containerResource', values: ['averageUtilization', 'averageValue'] },
  External: { member: 'external', values: ['value', 'averageValue'] },
};

/** Each request says what it is for. */
function makeRequestsValid(spec: Json | undefined): void {
  const requests = isObject(spec) && isObject(spec['devices']) ? spec['devices']['requests'] : undefined;
  for (const request of (requests ?? []) as JsonObject[]) request['exactly'] ??= {};
}

/** Each metric has the one member that its type names, and one value that this type can have. */
function makeMetricsValid(side: Json | undefined, where: { list: string; values: string }, random: SeededRandom): void {
  if (!isObject(side) || !Array.isArray(side[where.list])) return;
  side[where.list] = (side[where.list] as JsonObject[]).flatMap((metric) => {
    const type = random.pick(Object.keys(MEMBERS));
    const { member, values } = MEMBERS[type]!;
    const content = metric[member];
    if (!isObject(content)) return [];
    const name = random.pick(values);
    const value = name === 'averageUtilization' ? random.below(100) + 1 : `${random.below(100) + 1}m`;
    const target = { averageUtilization: 'Utilization', averageValue: 'AverageValue' }[name] ?? 'Value';
    const amounts: JsonObject = { [name]: value };
    // A status of the older forms always has these, and says zero where there are none.
    if (where.values === 'current') {
      if (type === 'Object' || type === 'External') amounts['value'] ??= '0';
      if (name === 'averageUtilization') amounts['averageValue'] = '7';
    }
    const held = where.values === 'target' ? { type: target, ...amounts } : amounts;
    return [{ type, [member]: { ...content, [where.values]: held } }];
  });
}

/** Where 0 stands for the default. */
const NO_ZERO_SHARES = new Set(['v1beta1', 'v1beta2']);

function giveShares({ spec }: JsonObject): void {
  const limited = isObject(spec) ? spec['limited'] : undefined;
  if (isObject(limited) && limited['nominalConcurrencyShares'] === 0) limited['nominalConcurrencyShares'] = 5;
}

function stored({ resource, group, storage }: ResourceDefinition, seed: number): ApiObject {
  const random = new SeededRandom(seed);
  // Numbers that JSON has no form for are no business of conversions.
  const written = randomValue(storage.schema, random, SHAPES[seed % SHAPES.length]!);
  const object: JsonObject = JSON.parse(JSON.stringify(written, (_, value) => (typeof value === 'bigint' ? 7 : value)));
  MADE_VALID[resource]?.(object, random);
  return defaulted(builtinResource(group === '' ? resource : `${resource}.${group}`), { metadata: {}, ...object });
}

function keepsAll(definition: ResourceDefinition, { version, schema, conversion }: ServedVersion): void {
  for (let seed = 0; seed < ROUNDS; seed++) {
    const before = stored(definition, seed);
    if (definition.kind === 'PriorityLevelConfiguration' && NO_ZERO_SHARES.has(version)) giveShares(before);
    const shown = decodeObject(schema, conversion!.fromStorage(structuredClone(before))).value as ApiObject;
    const after = decodeObject(definition.storage.schema, conversion!.toStorage(structuredClone(shown))).value;
    assert.deepEqual(after, decodeObject(definition.storage.schema, before).value, `seed ${seed}`);
  }
}

const seen = new Set<string>();
for (const minor of RELEASES) {
  const runtimeConfig = { 'api/all': 'true' };
  for (const { definition, version } of createCatalog({
    ...{ emulation: emulationOf(minor), runtimeConfig, removedVersions },
  }).entries()) {
    const name = `${definition.group}/${version.version} ${definition.kind}`;
    if (version.conversion === undefined || seen.has(name)) continue;
    seen.add(name);
    test(`conversion of ${name} to the storage version and back keeps every stored field`, () =>
      keepsAll(definition, version));
  }
}
