import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restoreFault } from './restore-fault.ts';

test('values of wrong types have the words of restoring from maps and lists', () => {
  assert.equal(restoreFault('[]v1.Container', { name: 'a' }), 'cannot restore slice from map');
  assert.equal(restoreFault('map[string]string', ['a']), 'cannot restore map from slice');
  assert.equal(restoreFault('v1.PodSpec', 'a'), 'cannot restore struct from: string');
  assert.equal(restoreFault('string', 5), 'cannot convert int64 to string');
  assert.equal(restoreFault('int32', 1.5), 'cannot convert float64 to int32');
  assert.equal(restoreFault('int32', 'a'), 'unrecognized type: int32');
  assert.equal(restoreFault('string', true), 'unrecognized type: string');
});

test('a patch is quoted as Go prints a map', () => {});
