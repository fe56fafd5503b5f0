import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restoreFault } from './restore-fault.ts';

test('values of wrong types have the words of restoring from maps and lists', () => {
  assert.equal(restoreFault({ type: '[]v1.Container', value: { name: 'a' } }), 'cannot restore slice from map');
  assert.equal(restoreFault({ type: 'map[string]string', value: ['a'] }), 'cannot restore map from slice');
  assert.equal(restoreFault({ type: 'v1.PodSpec', value: 'a' }), 'cannot restore struct from: string');
  assert.equal(restoreFault({ type: 'string', value: 5 }), 'cannot convert int64 to string');
  assert.equal(restoreFault({ type: 'int32', value: 1.5 }), 'cannot convert float64 to int32');
  assert.equal(restoreFault({ type: 'int32', value: 'a' }), 'unrecognized type: int32');
  assert.equal(restoreFault({ type: 'string', value: true }), 'unrecognized type: string');
});

test('a type with a name of its own is named where a number could become it', () => {
  const type = { type: 'string', named: 'v1.TolerationOperator' };
  assert.equal(restoreFault({ ...type, value: -1 }), 'cannot convert int64 to v1.TolerationOperator');
  assert.equal(restoreFault({ ...type, value: 1.5 }), 'unrecognized type: string');
});
