import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goSyntax, goText, goTypeOf, jsonWord } from './go-text.ts';

test('values are formatted as by Go', () => {
  const value = { spec: { b: [1, 'x', null], a: true } };
  assert.equal(goText(value), 'map[spec:map[a:true b:[1 x <nil>]]]');
  assert.equal(goText([1e20, 2.5, 3, 1234567]), '[1e+20 2.5 3 1234567]');
  assert.deepEqual([1e20, 2.5, 3].map(goTypeOf), ['float64', 'float64', 'int64']);
  assert.equal(
    goSyntax(value),
    'map[string]interface {}{"spec":map[string]interface {}{"a":true, "b":[]interface {}{1, "x", interface {}(nil)}}}',
  );
  assert.deepEqual([null, [], {}, 1, 2n, true, 'x'].map(jsonWord), [
    'null',
    'array',
    'object',
    'number',
    'number',
    'bool',
    'string',
  ]);
});
