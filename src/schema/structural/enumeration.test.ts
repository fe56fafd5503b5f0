import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enumerationOf } from './enumeration.ts';
import { SchemaPart } from './schema-part.ts';

test('an enum accepts its values of any type', () => {
  const part = new SchemaPart({ enum: ['a', 'b', 1, 2.5, null, { k: ['v'] }, true] });
  const enumeration = enumerationOf(part);
  for (const value of ['a', 'b', 1, 2.5, { k: ['v'] }, true]) assert.ok(enumeration.has(value), JSON.stringify(value));
  for (const value of ['c', '1', 2, 3, null, { k: [] }, false])
    assert.ok(!enumeration.has(value), JSON.stringify(value));
  // As an integer a number loses its fraction.
  assert.ok(enumeration.has(1.5));
  assert.equal(enumeration.supported, 'supported values: "a", "b", "1", "2.5", "null", "{\\"k\\":[\\"v\\"]}", "true"');
});

test('an enum is prepared once, however many values are compared', () => {
  const part = new SchemaPart({ type: 'array', items: { enum: ['a'] } });
  assert.equal(enumerationOf(part.items!), enumerationOf(part.items!));
});
