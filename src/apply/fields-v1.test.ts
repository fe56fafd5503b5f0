import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '../api/object.ts';
import { FieldsError, parseFields } from './fields-v1.ts';

describe('FieldsV1 from clients', () => {
  test('comes into one order and spelling', () => {
    const fields = parseFields({
      'v:"b"': {},
      'k:{ "protocol":"TCP", "port":80 }': { 'f:port': {}, '.': {} },
      'f:z': {},
      'f:a': {},
    });
    assert.equal(
      JSON.stringify(fields),
      '{"f:a":{},"f:z":{},"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:port":{}},"v:\\"b\\"":{}}',
    );
  });

  test('elements of types that are not known are passed over', () => {
    assert.deepEqual(parseFields({ 'q:x': { 'f:a': {} }, 'f:b': {} }), { 'f:b': {} });
  });

  test('nothing is the empty set', () => {
    assert.equal(parseFields(undefined), undefined);
    assert.equal(parseFields({}), undefined);
    assert.equal(parseFields({ '.': {} }), undefined);
  });

  for (const wrong of [[], 'f:a', { data: {} }, { 'f:a': 1 }, { 'k:nonsense': {} }, { 'i:x': {} }] as Json[]) {
    test(`${JSON.stringify(wrong)} is refused`, () => assert.throws(() => parseFields(wrong), FieldsError));
  }
});
