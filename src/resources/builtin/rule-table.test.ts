// Tables of validation tests: a table a kind, of what is changed in a good object and what is said of it then.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type FieldErrors, fieldErrorBody } from '../../api/errors.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import type { StrategyContext } from '../definition.ts';
import { builtinResources } from './resources.ts';

const CONTEXT: StrategyContext = {
  nowMs: 0,
  gateEnabled: () => true,
  user: { name: 'me', uid: '', groups: [], extra: {} },
};

function strategyOf(group: string, resource: string) {
  const definition = builtinResources.find((each) => each.group === group && each.resource === resource);
  assert.ok(definition !== undefined, `${resource}.${group}`);
  return definition.strategy;
}

/** A good object with one member set, by its path; undefined takes the member away. */
function changed(object: JsonObject, path: string, value: Json | undefined): ApiObject {
  const copy = structuredClone(object) as ApiObject;
  const names = path.split('.');
  let here: JsonObject = copy;
  for (const name of names.slice(0, -1)) here = (here[name] ??= {}) as JsonObject;
  const last = names.at(-1) as string;
  if (value === undefined) delete here[last];
  else here[last] = value;
  return copy;
}

type Row = readonly [path: string, value: Json | undefined, ...said: string[]];

export function kind(resource: string, good: JsonObject, rows: readonly Row[], updates: readonly Row[] = []): void {
  const [name = '', ...rest] = resource.split('.');
  const group = rest.join('.');
  const object = { metadata: { name: 'a', namespace: 'n' }, ...good } as ApiObject;
  const words = (found: FieldErrors) => found.map((each) => `${each.field}: ${fieldErrorBody(each)}`);
  const expect = (found: string[], said: readonly string[]) => {
    assert.equal(found.length, said.length, found.join('\n'));
    for (const [index, each] of said.entries())
      assert.ok(found[index]?.includes(each), `${found[index]}\nwanted ${each}`);
  };
  describe(`validation of ${resource}`, () => {
    const { load, validate, validateCreate, validateUpdate } = strategyOf(group, name);
    before(() => load?.());
    const onCreate = (each: ApiObject) => [
      ...(validate?.(each, CONTEXT) ?? []),
      ...(validateCreate?.(each, CONTEXT) ?? []),
    ];
    test(`validation of ${resource} accepts a valid object`, () => {
      expect(words(onCreate(object)), []);
      expect(words(validateUpdate?.(object, object, CONTEXT) ?? []), []);
    });
    for (const [path, value, ...said] of rows) {
      test(`validation of ${resource} checks that ${path} is ${JSON.stringify(value)}`, () =>
        expect(words(onCreate(changed(object, path, value))), said));
    }
    for (const [path, value, ...said] of updates) {
      test(`validation of ${resource} checks that ${path} becomes ${JSON.stringify(value)}`, () =>
        expect(words(validateUpdate?.(changed(object, path, value), object, CONTEXT) ?? []), said));
    }
  });
}

kind('configmaps', { data: { a: 'b' } }, [
  ['data', { '..': 'x' }, 'data[..]: Invalid value: "..": must not be \'..\''],
  ['binaryData', { a: 'AA==' }, 'data[a]: Invalid value: "a": duplicate of key present in binaryData'],
  ['data', { a: 'x'.repeat(1024 * 1024 + 1) }, '[]: Too long: may not be more than 1048576 bytes'],
]);
