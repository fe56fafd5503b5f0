import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeRange, PodAddresses } from './pod-addresses.ts';

test('the address of a pod is used again only after all others of its node', () => {
  const addresses = new PodAddresses('10.200.3.0/24');
  addresses.take('10.200.3.3');
  addresses.take('10.9.9.9');
  assert.equal(addresses.assign(), '10.200.3.2');
  assert.equal(addresses.assign(), '10.200.3.4');
  addresses.release('10.200.3.2');
  assert.equal(addresses.assign(), '10.200.3.5');
  const rest = Array.from({ length: 249 }, () => addresses.assign());
  assert.equal(rest.at(-1), '10.200.3.254');
  assert.equal(addresses.assign(), '10.200.3.2');
  assert.equal(addresses.assign(), undefined);
});

test('the range of a node is the /24 of its number', () => {
  assert.equal(nodeRange('10.200.0.0/13', 0), '10.200.0.0/24');
  assert.equal(nodeRange('10.200.0.0/13', 300), '10.201.44.0/24');
});
