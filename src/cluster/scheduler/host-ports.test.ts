import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsedPorts } from './host-ports.ts';

const port = (address: string, number = 80, protocol = 'TCP') => ({ port: `${protocol}/${number}`, address });

test('a host port of one address is in conflict with the same one of all addresses', () => {
  const used = new UsedPorts();
  used.add(port('127.0.0.1'));
  assert.equal(used.admits(port('127.0.0.2')), true);
  assert.equal(used.admits(port('127.0.0.1')), false);
  assert.equal(used.admits(port('0.0.0.0')), false);
  assert.equal(used.admits(port('0.0.0.0', 80, 'UDP')), true);
});

test('a host port is free again once nobody uses it', () => {
  const used = new UsedPorts();
  used.add(port('0.0.0.0'));
  const copy = new UsedPorts(used);
  used.remove(port('0.0.0.0'));
  assert.equal(used.admits(port('127.0.0.1')), true);
  assert.equal(copy.admits(port('127.0.0.1')), false);
});
