import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../cluster/discovery.ts';
import { dependentsByOwner, type Related } from '../object/related.ts';
import { nodesOf, ownerGraph } from './owner-graph.ts';

const related = (kind: string, name: string, ...owners: string[]): Related => ({
  resource: { kind } as Resource,
  meta: {
    ...{ name, uid: name, resourceVersion: '1' },
    ownerReferences: owners.map((uid) => ({ apiVersion: 'v1', kind: 'X', name: uid, uid })),
  },
});
const shown = (objects: readonly Related[]) => objects.map(({ meta }) => meta.name);
const pods = (count: number, owner: string) =>
  Array.from({ length: count }, (_, at) => related('Pod', `${owner}-${String(at).padStart(3, '0')}`, owner));

test('an owner graph shows the owners of an object, the object and all its dependents', () => {
  const self = related('ReplicaSet', 'rs', 'deploy');
  const owned = [self, related('ReplicaSet', 'other', 'deploy'), related('Pod', 'a', 'rs'), related('Claim', 'b', 'a')];
  const graph = ownerGraph({ self, owners: [related('Deployment', 'deploy')], owned });
  assert.deepEqual(shown(graph.objects), ['rs', 'deploy', 'a', 'b']);
  assert.equal(graph.leftOut, 0);
});

test('an owner graph shows some of many dependents of one kind, and counts the others', () => {
  const self = related('ReplicaSet', 'rs');
  const owned = [...pods(10, 'rs'), related('Lease', 'lease', 'rs'), related('Claim', 'hidden', 'rs-009')];
  const graph = ownerGraph({ self, owners: [], owned }, { objects: 100, ofOneKind: 4 });
  assert.deepEqual(shown(graph.objects), ['rs', 'lease', 'rs-000', 'rs-001', 'rs-002', 'rs-003']);
  assert.deepEqual(graph.folds, [{ id: 'rs Pod', owner: 'rs', kind: 'Pod', count: 6 }]);
  assert.equal(graph.leftOut, 7);
  assert.deepEqual(nodesOf(graph).at(-1), { id: 'rs Pod', owners: ['rs'] });
});

test('an owner graph shows objects up to its limit', () => {
  const self = related('Deployment', 'd');
  const sets = [related('ReplicaSet', 'x', 'd'), related('ReplicaSet', 'y', 'd')];
  const owned = [...sets, ...pods(20, 'x'), ...pods(20, 'y')];
  const graph = ownerGraph({ self, owners: [], owned }, { objects: 10, ofOneKind: 24 });
  assert.equal(graph.objects.length, 10);
  assert.equal(graph.leftOut, 33);
  assert.deepEqual(
    graph.folds.map(({ owner, count }) => [owner, count]),
    [
      ['x', 13],
      ['y', 20],
    ],
  );
});

test('an owner graph shows an object with two owners once, and cycles end', () => {
  const self = related('A', 'a', 'b');
  const owned = [self, related('B', 'b', 'a'), related('C', 'c', 'a', 'b')];
  const graph = ownerGraph({ self, owners: [], owned });
  assert.deepEqual(shown(graph.objects), ['a', 'b', 'c']);
  assert.equal(graph.leftOut, 0);
  assert.deepEqual(dependentsByOwner(owned).get('b')?.length, 2);
});
