import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { randomValue } from '../../test/random-value.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { SeededRandom } from '../base/seeded-random.ts';
import { builtinResources } from '../resources/builtin/resources.ts';
import type { ResourceDefinition, StrategyContext } from '../resources/definition.ts';
import { DecodeError, decodeObject, type EmptyMember } from '../schema/decode.ts';
import type { Node } from '../schema/node.ts';
import { startTestServer } from '../testing.ts';
import { filled, withEmptyMembers } from './empty-members.ts';

describe('empty lists and maps in a request', () => {
  it('empty members are in a copy, and the object stays as it is', () => {
    const object: JsonObject = { spec: { list: [{ name: 'a' }], kept: null } };
    const empties: EmptyMember[] = [
      { path: ['spec', 'list', 0, 'inner'], isList: true },
      { path: ['spec', 'kept'], isList: true },
      { path: ['metadata', 'labels'], isList: false },
      { path: ['labels'], isList: false },
    ];
    const untouched = { name: 'b', more: {} };
    object['other'] = untouched;
    const before = structuredClone(object);
    const given = withEmptyMembers(object, empties, (seen) => {
      assert.equal(seen['other'], untouched);
      return structuredClone(seen);
    });
    delete given['other'];
    assert.deepEqual(given, { spec: { list: [{ name: 'a', inner: [] }], kept: [] }, labels: {} });
    assert.deepEqual(object, before);
  });

  it('empty members that defaults fill or replace are in the result, and others are not', () => {
    const names = ['filled', 'replaced', 'left', 'required'];
    const empties: EmptyMember[] = names.map((name) => ({ path: [name], isList: true }));
    const result = filled<JsonObject>({ required: null }, empties, (given) => {
      assert.deepEqual(structuredClone(given), { filled: [], replaced: [], left: [], required: [] });
      (given['filled'] as Json[]).push(1);
      given['replaced'] = ['x'];
    });
    assert.deepEqual(result, { filled: [1], replaced: ['x'], required: null });
  });

  it('an error quotes an object without its empty fields', async () => {
    await using server = await startTestServer();
    const refused = await server.request('POST', '/apis/apps/v1/namespaces/default/daemonsets', {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'a' },
      spec: {
        selector: { matchLabels: {} },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } },
      },
    });
    assert.equal(refused.status, 422);
    assert.match(JSON.stringify(refused.body), /Invalid value: \{\}: empty selector is invalid for daemonset/);
  });

  it('a review, which is not stored, is answered with the empty lists of its body', async () => {
    await using server = await startTestServer();
    const review = { spec: { user: 'u', groups: [], extra: { a: [], b: null }, nonResourceAttributes: {} } };
    const { body } = await server.request('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', review);
    assert.deepEqual((body as { spec: unknown }).spec, {
      ...{ user: 'u', extra: { a: [], b: null } },
      nonResourceAttributes: {},
    });
  });

  it('empty lists and maps are validated and not stored', async () => {
    await using server = await startTestServer();
    const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
    const scaler = (policies: unknown) => ({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a', labels: {} },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'a', apiVersion: 'apps/v1' },
        maxReplicas: 3,
        behavior: { scaleUp: { policies } },
      },
    });
    const refused = await server.request('POST', path, scaler([]));
    assert.equal(refused.status, 422);
    assert.match(JSON.stringify(refused.body), /spec.behavior.scaleUp.policies: Required value/);
    const created = await server.request('POST', path, scaler(null));
    assert.equal(created.status, 201);
    const { metadata, spec } = created.body as unknown as { metadata: JsonObject; spec: JsonObject };
    assert.equal(metadata.labels, undefined);
    const next = { ...spec, behavior: { scaleDown: { policies: [] } } };
    const updated = await server.request('PUT', `${path}/a`, { ...(created.body as JsonObject), spec: next });
    assert.equal(updated.status, 422);
    assert.equal((spec.behavior as { scaleUp: { policies: Json[] } }).scaleUp.policies.length, 2);
  });
});

/** Where Kubernetes tells an empty list or map from none; everywhere else the two are the same to it. */
const TOLD_APART = [
  /^nodes status\.allocatable/,
  /^horizontalpodautoscalers spec\.behavior\.scale(?:Up|Down)\.policies/,
  // These ask whether a struct was given at all, and one with an empty map was.
  /ephemeralContainers\.\d+\.\w+$/,
  // Whether there are claims is asked, not how many.
  /spec\.resources\.claims$/,
  /^resourceclaimtemplates spec\.metadata\./,
  /^customresourcedefinitions .*\.dependencies$/s,
  /^(?:local|self)?subjectaccessreviews metadata$/,
];

const RULES: StrategyContext = {
  nowMs: 0,
  gateEnabled: () => true,
  user: { name: 'u', uid: '', groups: [], extra: {} } as never,
};

describe('defaults and validation', () => {
  before(() => Promise.all(builtinResources.map(({ strategy }) => strategy.load?.())));
  for (const definition of builtinResources) {
    const { strategy } = definition;
    if (strategy.defaults === undefined && strategy.validate === undefined) continue;
    it(`defaults and validation of ${definition.resource}.${definition.group} treat an empty list or map as absent`, () => {
      const found = new Set<string>();
      const random = new SeededRandom(11);
      for (let round = 0; round < 40; round++)
        for (const place of differences(definition, random, round)) found.add(place);
      assert.deepEqual([...found], []);
    });
  }
});

/** What is decided otherwise about an object with empty members than about the same without them. */
function differences(definition: ResourceDefinition, random: SeededRandom, round: number): string[] {
  const version = definition.versions.find(({ conversion }) => conversion === undefined);
  if (version === undefined) return [];
  const { schema } = version;
  const body = randomValue(schema, random, { percent: [10, 40, 70][round % 3]!, depth: 6 });
  addEmptyMembers(schema, body, random);
  const empties: EmptyMember[] = [];
  let objects: JsonObject[];
  try {
    objects = [{ empties }, {}].map((options) => decodeObject(schema, structuredClone(body), options).value);
  } catch (error) {
    if (error instanceof DecodeError) return [];
    throw error;
  }
  const [withThem, without] = objects.map((object, index) => judged(definition, object, index === 0 ? empties : []));
  const places = [...withThem!, ...without!].filter((each) => !(withThem!.has(each) && without!.has(each)));
  return places
    .map((each) => `${definition.resource} ${each.split(' = ')[0]}`)
    .filter((place) => !TOLD_APART.some((known) => known.test(place)));
}

/** All that defaults make of an object and validation says of it, each with its place. */
function judged({ strategy }: ResourceDefinition, decoded: JsonObject, empties: readonly EmptyMember[]): Set<string> {
  const object = filled(decoded, empties, (given) => strategy.defaults?.(given as never, RULES));
  const faults = withEmptyMembers(object, empties, (given) => [
    ...(strategy.validate?.(given as never, RULES) ?? []),
    ...(strategy.validateCreate?.(given as never, RULES) ?? []),
  ]);
  const said = new Set(faults.map(({ field, type }) => `${field.replace(/\[(\d+)\]/g, '.$1')} = ${type}`));
  addLeaves(object, '', said);
  return said;
}

function addLeaves(value: Json | undefined, path: string, into: Set<string>): void {
  if (typeof value !== 'object' || value === null) {
    if (value !== undefined) into.add(`${path} = ${String(value)}`);
    return;
  }
  if (Object.keys(value).length === 0) into.add(`${path} = empty`);
  for (const [name, member] of Object.entries(value))
    addLeaves(member as Json, path === '' ? name : `${path}.${name}`, into);
}

function addEmptyMembers(node: Node, value: Json, random: SeededRandom): void {
  if (typeof value !== 'object' || value === null) return;
  if (node.kind === 'list') for (const item of value as Json[]) addEmptyMembers(node.items, item, random);
  if (node.kind === 'map') for (const item of Object.values(value)) addEmptyMembers(node.values, item as Json, random);
  if (node.kind !== 'struct' || node.form !== undefined) return;
  const object = value as JsonObject;
  for (const [name, field] of node.jsonFields) {
    const isList = field.node.kind === 'list';
    if ((isList || field.node.kind === 'map') && random.chance((object[name] ?? null) === null ? 40 : 8)) {
      object[name] = isList ? [] : {};
    } else addEmptyMembers(field.node, object[name] ?? null, random);
  }
}
