import assert from 'node:assert/strict';
import { test } from 'node:test';
import { floatLiterals } from '../api/json-reader.ts';
import type { Json } from '../api/object.ts';
import { patchedFloats } from './patched-floats.ts';

function floatsOf(text: string) {
  return patchedFloats(JSON.parse(text) as Json, floatLiterals(text)!);
}

test('floats of a JSON patch are found where operations put them', () => {
  const at = floatsOf(`[
    {"op": "replace", "path": "/spec/replicas", "value": 3.0},
    {"op": "add", "path": "/spec/ports/1", "value": {"port": 1e2, "target": [7, 8.50]}},
    {"op": "test", "path": "/spec/tested", "value": 1.0},
    {"op": "add", "path": "/a~1b", "value": 2.0}
  ]`);
  assert.equal(at('spec.replicas'), '3.0');
  assert.equal(at('spec.ports[1].port'), '1e2');
  assert.equal(at('spec.ports[1].target[0]'), undefined);
  assert.equal(at('spec.ports[1].target[1]'), '8.50');
  assert.equal(at('spec.tested'), undefined);
  assert.equal(at('a/b'), '2.0');
});

test('a later operation of a JSON patch overwrites an earlier float', () => {
  const at = floatsOf('[{"op":"add","path":"/n","value":3.0},{"op":"replace","path":"/n","value":4}]');
  assert.equal(at('n'), undefined);
});
