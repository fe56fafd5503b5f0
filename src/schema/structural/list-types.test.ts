import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateListTypes } from './list-types.ts';
import { SchemaPart } from './schema-part.ts';

const keyed = new SchemaPart({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['a'],
  items: { type: 'object', properties: { a: { type: 'string' } } },
});

function faults(value: Parameters<typeof validateListTypes>[0]): string[] {
  return validateListTypes(value, keyed, 'm').map(({ field, detail }) => `${field}: ${detail}`);
}

test('the first item of a keyed list that is not an object is reported, and no keys are compared', () => {
  const misfit = 'must be an object for an array of list-type map';
  assert.deepEqual(faults([1]), [`m[0]: ${misfit}`]);
  assert.deepEqual(faults([{ a: 'x' }, { a: 'x' }, ['y'], 'z']), [`m[2]: ${misfit}`]);
  assert.deepEqual(faults([null]), []);
  assert.equal(faults([{ a: 'x' }, { a: 'x' }]).length, 1);
});

test('an item of a set that recurs often is reported once, at its second occurrence', () => {
  const items = [{ a: 'x' }, { a: 'y' }, { a: 'x' }, { a: 'x' }, { a: 'y' }, { a: 'y' }];
  assert.deepEqual(faults(items), ['m[2]: ', 'm[4]: ']);
});

test('null in a keyed list is an item without keys', () => {
  const found = validateListTypes([null, {}, null], keyed, 'm');
  assert.deepEqual(
    found.map(({ field, value }) => [field, value]),
    [['m[1]', {}]],
  );
});
