import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '../api/object.ts';
import { FieldsError, parseFields } from './fields-v1.ts';

describe('fieldsV1 sent by clients', () => {
  test('fieldsV1 is normalized in the order and the spelling of its elements', () => {
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

  test('an element of fieldsV1 with an unknown type is ignored', () => {
    assert.deepEqual(parseFields({ 'q:x': { 'f:a': {} }, 'f:b': {} }), { 'f:b': {} });
  });

  test('an empty fieldsV1 is the empty set', () => {
    assert.equal(parseFields(undefined), undefined);
    assert.equal(parseFields({}), undefined);
    assert.equal(parseFields({ '.': {} }), undefined);
  });

  for (const wrong of [[], 'f:a', { data: {} }, { 'f:a': 1 }, { 'k:nonsense': {} }, { 'i:x': {} }] as Json[]) {
    test(`fieldsV1 of ${JSON.stringify(wrong)} is rejected`, () =>
      assert.throws(() => parseFields(wrong), FieldsError));
  }
});
