import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GraphNode, layOut } from './graph-layout.ts';

const node = (id: string, ...owners: string[]): GraphNode => ({ id, owners });

test('each object of an owner graph is below all of its owners', () => {
  const { nodes, rows, edges } = layOut([
    node('pod', 'set', 'deployment'),
    node('set', 'deployment'),
    node('deployment'),
  ]);
  assert.equal(rows, 3);
  assert.deepEqual(
    ['deployment', 'set', 'pod'].map((id) => nodes.get(id)?.row),
    [0, 1, 2],
  );
  assert.equal(edges.length, 3);
});

test('dependents in an owner graph are in the order of their owners, so that lines do not cross', () => {
  const { nodes } = layOut([node('a'), node('b'), node('of-b', 'b'), node('of-a', 'a')]);
  assert.ok(nodes.get('of-a')!.column < nodes.get('of-b')!.column);
});

test('an owner without owners is just above its first dependent', () => {
  const { nodes } = layOut([
    node('deployment'),
    node('set', 'deployment'),
    node('pod', 'set', 'service'),
    node('service'),
  ]);
  assert.deepEqual([nodes.get('service')?.row, nodes.get('set')?.row, nodes.get('pod')?.row], [1, 1, 2]);
});

test('rows of an owner graph are centered above one another', () => {
  const { nodes, columns } = layOut([node('a'), node('x', 'a'), node('y', 'a'), node('z', 'a')]);
  assert.equal(columns, 3);
  assert.equal(nodes.get('a')?.column, 1);
});

test('owners that are not in the owner graph are skipped, and cycles are cut', () => {
  const { nodes, edges } = layOut([node('a', 'gone', 'a'), node('b', 'c'), node('c', 'b')]);
  assert.equal(nodes.get('a')?.row, 0);
  assert.equal(nodes.size, 3);
  assert.equal(edges.length, 2);
});

test('an owner graph of no objects is empty', () => {
  assert.deepEqual(layOut([]), { nodes: new Map(), edges: [], rows: 0, columns: 0 });
});
