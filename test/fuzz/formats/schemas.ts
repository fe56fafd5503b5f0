// Structural schemas and server-side apply: an input is the schema of a definition and objects. A schema has errors or can
// be used; decoding an object again changes nothing, an unchanged object is not judged again, and neither does a
// configuration change anything when it is applied again.

import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/errors.ts';
import { isObject } from '../../../src/api/is-object.ts';
import { copyJson, stringifyJson } from '../../../src/api/json-writer.ts';
import type { Json, JsonObject } from '../../../src/api/object.ts';
import { applyConfiguration } from '../../../src/apply/apply.ts';
import { ItemError } from '../../../src/apply/list-items.ts';
import type { Manager } from '../../../src/apply/managers.ts';
import { typeFaults } from '../../../src/apply/type-faults.ts';
import { managersAfterUpdate } from '../../../src/apply/update.ts';
import { type ValueType, valueTypeOf } from '../../../src/apply/value-type.ts';
import { atOnce, inOneStep } from '../../../src/base/steps.ts';
import { STORED_EXPRESSIONS } from '../../../src/expressions/environments.ts';
import { RuleSet } from '../../../src/expressions/rule-set.ts';
import { ObjectMeta } from '../../../src/resources/builtin/meta/v1.ts';
import { builtinType } from '../../../src/resources/builtin/types.ts';
import { definitionSchemaErrors } from '../../../src/resources/custom/definition-schema-rules.ts';
import { DecodeError, decodeObject } from '../../../src/schema/decode.ts';
import { CustomSchema } from '../../../src/schema/structural/custom-schema.ts';
import { CompiledPatterns } from '../../../src/schema/structural/pattern.ts';
import { type Format, outcomeOf } from './format.ts';
import { documentIn, mutateDocument } from './mutations.ts';

const DEFINITION = builtinType('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition');
const MOST_OBJECTS = 5;

const words = [
  '"type":"object",',
  '"type":"array",',
  '"type":"string",',
  '"type":"integer",',
  '"type":"number",',
  '"properties":{"a":{"type":"string"}},',
  '"additionalProperties":{"type":"integer"},',
  '"items":{"type":"object"},',
  '"default":{},',
  '"default":"a",',
  '"nullable":true,',
  '"enum":["a"],',
  '"pattern":"^a+$",',
  '"format":"date-time",',
  '"maximum":9007199254740993,',
  '"multipleOf":0.1,',
  '"anyOf":[{"required":["a"]}],',
  '"not":{"required":["a"]},',
  '"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"],',
  '"x-kubernetes-list-type":"set",',
  '"x-kubernetes-map-type":"atomic",',
  '"x-kubernetes-int-or-string":true,',
  '"x-kubernetes-preserve-unknown-fields":true,',
  '"x-kubernetes-embedded-resource":true,',
  '"x-kubernetes-validations":[{"rule":"self == oldSelf"}],',
  '"metadata":{"name":"a"},',
  '"constructor":',
  '"__proto__":',
  'null',
  '1e400',
];

export const schemas: Format = {
  name: 'schemas',
  words,
  mutate: (input, other, random) => mutateDocument(input, other, { random, words }),
  judge(input) {
    const given = documentIn(input);
    if (!isObject(given)) return;
    const schema = usableSchema(given['schema'] ?? null);
    const objects = Array.isArray(given['objects']) ? given['objects'].filter(isObject).slice(0, MOST_OBJECTS) : [];
    if (schema === undefined) return;
    for (const object of objects) judgeDecoding(schema, object);
    judgeApplies(schema, objects);
  },
};

/** The schema of a definition without errors. */
function usableSchema(source: Json): CustomSchema | undefined {
  const versions = [{ name: 'v1', schema: { openAPIV3Schema: source } }];
  const definition = outcomeOf(() => decodeObject(DEFINITION, { spec: { versions } }), DecodeError, ApiError).value;
  const [version] = (definition?.value['spec'] as { versions?: { schema?: JsonObject }[] } | undefined)?.versions ?? [];
  const schema = version?.schema?.['openAPIV3Schema'];
  if (!isObject(schema)) return undefined;
  const patterns = new CompiledPatterns();
  const place = { field: 'schema', statusEnabled: false, environments: STORED_EXPRESSIONS, isOld: false, patterns };
  if (definitionSchemaErrors(schema, place).length > 0) return undefined;
  return new CustomSchema({ name: 'example.com/v1.Test', source: () => inOneStep(schema), objectMeta: ObjectMeta });
}

function judgeDecoding(schema: CustomSchema, given: JsonObject): void {
  const before = stringifyJson(given);
  const decoded = outcomeOf(() => decodeObject(schema, given), DecodeError, ApiError).value;
  assert.equal(stringifyJson(given), before, 'what is decoded is as before');
  if (decoded === undefined) return;
  const object = decoded.value;
  const text = stringifyJson(object);
  const again = decodeObject(schema, object);
  assert.equal(stringifyJson(again.value), text, 'decoding again changes nothing');
  assert.deepEqual(again.unknown, [], 'nothing unknown is left');
  const metadata = object['metadata'] as JsonObject | undefined;
  const stored = { ...copyJson(object), metadata: { ...copyJson(metadata ?? {}), generation: 1 } };
  assert.equal(atOnce(schema.readingStored(stored)), false, 'reading what is stored changes nothing');
  const faults = schema.validate(object, { previous: undefined });
  schema.validateEmbedded(object);
  schema.validateLists(object, undefined);
  new RuleSet(schema.part, true, STORED_EXPRESSIONS).validate(object, { field: '', previous: object, ratchets: true });
  // What cannot be seen as unchanged, such as items of lists without keys, is judged again: never more than before.
  const later = schema.validate(object, { previous: object });
  assert.ok(later.length <= faults.length, 'an unchanged object has no more errors than a new one');
  assert.deepEqual(schema.validateLists(object, object), [], 'unchanged lists are accepted');
  assert.equal(stringifyJson(object), text, 'validation changes nothing');
}

/** Two managers apply the objects in turn, and one of them updates. */
function judgeApplies(schema: CustomSchema, objects: readonly JsonObject[]): void {
  const type = valueTypeOf(schema);
  let live: JsonObject = {};
  let managers: readonly Manager[] = [];
  for (const [index, applied] of objects.entries()) {
    if (typeFaults(type, applied, { allowDuplicates: false }) !== undefined) continue;
    const by = index % 2 === 0 ? 'one' : 'other';
    const first = outcomeOf(() => apply(type, { live, managers }, applied, by), ItemError).value;
    if (first === undefined) continue;
    // A map whose last entry is given up becomes null, and the map that is applied the next time.
    const next = apply(type, first, applied, by);
    const again = apply(type, next, applied, by);
    assert.equal(stringifyJson(again.live), stringifyJson(next.live), 'applying again changes nothing');
    // Without any manager, as after an apply of nothing, what is there belongs to what was before the first apply.
    if (next.managers.length > 0) {
      assert.deepEqual(again.managers, next.managers, 'applying again changes no ownership');
    }
    if (index % 3 === 2) judgeUpdate(type, next.live, { live, managers });
    ({ live, managers } = next);
  }
}

/** An object and its managers. */
interface Written {
  readonly live: JsonObject;
  readonly managers: readonly Manager[];
}

function apply(type: ValueType, { live, managers }: Written, applied: JsonObject, by: string): Written {
  const object = (value: JsonObject) => ({ apiVersion: 'v1', type, value });
  const step = {
    live: object(live),
    empty: object({}),
    applied,
    by: { name: by, subresource: '' },
    force: true,
    convert: () => undefined,
    ignored: undefined,
    now: '2026-01-01T00:00:00Z',
  };
  const outcome = applyConfiguration(step, managers);
  return { live: outcome.object ?? live, managers: outcome.managers };
}

function judgeUpdate(type: ValueType, next: JsonObject, { live, managers }: Written): void {
  const object = (value: JsonObject) => ({ apiVersion: 'v1', type, value });
  const step = { convert: () => undefined, ignored: undefined, now: '2026-01-01T00:00:00Z' };
  const by = { name: 'updater', subresource: '' };
  const update = { ...step, by, live: object(live), next: object(next) };
  const after = outcomeOf(() => managersAfterUpdate(update, managers), ItemError).value;
  if (after === undefined) return;
  const idle = managersAfterUpdate({ ...update, live: object(next) }, after);
  assert.deepEqual(idle, after, 'an update that changes nothing changes no ownership');
}
