import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countedAddresses } from './endpoint-count.ts';

const [a, b, c] = ['10.0.1.1', '10.0.1.2', '10.0.1.3'];

test('with the master-count reconciler a server adds its address to the endpoints of the kubernetes Service', () => {
  assert.deepEqual(countedAddresses(undefined, { address: a, count: 2 }), [a]);
  assert.deepEqual(countedAddresses([], { address: a, count: 2 }), [a]);
  assert.deepEqual(countedAddresses([b], { address: a, count: 2 }), [a, b]);
});

test('with the master-count reconciler addresses stay while there are not more than the count', () => {
  assert.deepEqual(countedAddresses([b, a], { address: a, count: 2 }), [b, a]);
  assert.deepEqual(countedAddresses([a], { address: a, count: 3 }), [a]);
});

test("with the master-count reconciler addresses behind the server's own are removed first, then the first ones", () => {
  assert.deepEqual(countedAddresses([a, c], { address: b, count: 2 }), [a, b]);
  assert.deepEqual(countedAddresses([a, b], { address: c, count: 2 }), [b, c]);
  assert.deepEqual(countedAddresses([a, b, c], { address: b, count: 1 }), [b]);
});
