import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DecodeError } from '../schema/decode.ts';
import { restoreFault, restoreMessage } from './restore-fault.ts';

test('wrong types in the result of a strategic merge patch have the error texts of Go', () => {
  assert.equal(restoreFault({ type: '[]v1.Container', value: { name: 'a' } }), 'cannot restore slice from map');
  assert.equal(restoreFault({ type: 'map[string]string', value: ['a'] }), 'cannot restore map from slice');
  assert.equal(restoreFault({ type: 'v1.PodSpec', value: 'a' }), 'cannot restore struct from: string');
  assert.equal(restoreFault({ type: 'string', value: 5 }), 'cannot convert int64 to string');
  assert.equal(restoreFault({ type: 'int32', value: 1.5 }), 'cannot convert float64 to int32');
  assert.equal(restoreFault({ type: 'int32', value: 'a' }), 'unrecognized type: int32');
  assert.equal(restoreFault({ type: 'string', value: true }), 'unrecognized type: string');
});

test('decoding errors in the result of a strategic merge patch have the same texts', () => {
  const fault = new DecodeError('illegal base64 data at input byte 3', 'data');
  assert.equal(restoreMessage(fault), 'error decoding from json: illegal base64 data at input byte 3');
  const mismatch = { root: 'v1.Pod', type: 'string', value: true };
  assert.equal(restoreMessage(new DecodeError('json: …', 'a', mismatch)), 'unrecognized type: string');
});

test('a type with its own unmarshaler reports the error of JSON', () => {
  const mismatch = { root: 'v1.Pod', type: 'int32', value: {}, word: 'object' };
  const fault = new DecodeError('json: …', 'a', mismatch);
  assert.equal(restoreMessage(fault), 'json: cannot unmarshal object into Go value of type int32');
});

test('a named type is named in the error where a number could become it', () => {
  const type = { type: 'string', named: 'v1.TolerationOperator' };
  assert.equal(restoreFault({ ...type, value: -1 }), 'cannot convert int64 to v1.TolerationOperator');
  assert.equal(restoreFault({ ...type, value: 1.5 }), 'unrecognized type: string');
});
