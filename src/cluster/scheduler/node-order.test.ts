import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeNode } from '../../../test/scheduling-objects.ts';
import { byTurns, zoneOf } from './node-order.ts';

test('the scheduler takes nodes of each zone in turn', () => {
  const zone = (name: string) => ({ labels: { 'topology.kubernetes.io/zone': name } });
  const nodes = [
    makeNode('a1', zone('a')),
    makeNode('a2', zone('a')),
    makeNode('a3', zone('a')),
    makeNode('b1', zone('b')),
  ];
  assert.deepEqual(
    byTurns(nodes, zoneOf).map(({ metadata }) => metadata.name),
    ['a1', 'b1', 'a2', 'a3'],
  );
});
