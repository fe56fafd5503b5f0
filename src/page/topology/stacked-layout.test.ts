import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GraphNode } from '../understand/graph-layout.ts';
import { layOutParts } from './stacked-layout.ts';

const node = (id: string, ...owners: string[]): GraphNode => ({ id, owners });

test('unconnected parts of a topology are below one another, the largest first', () => {
  const { nodes, rows } = layOutParts([node('a'), node('b', 'a'), node('x'), node('y', 'x'), node('z', 'x')]);
  assert.equal(rows, 2);
  const lowest = Math.max(...['x', 'y', 'z'].map((id) => nodes.get(id)!.column));
  assert.ok(nodes.get('a')!.column > lowest, 'the small part is below');
  assert.deepEqual([nodes.get('a')?.row, nodes.get('b')?.row], [0, 1]);
});

test('nodes of a topology without links are beside one another at the end', () => {
  const { nodes, rows, columns } = layOutParts([
    node('a'),
    node('b', 'a'),
    ...['p', 'q', 'r', 's', 't'].map((id) => node(id)),
  ]);
  assert.deepEqual(
    ['p', 'q', 'r', 's', 't'].map((id) => nodes.get(id)!.row),
    [0, 1, 2, 3, 0],
  );
  assert.ok(nodes.get('p')!.column > nodes.get('a')!.column);
  assert.ok(nodes.get('t')!.column > nodes.get('p')!.column);
  assert.equal(rows, 4);
  assert.ok(columns > nodes.get('t')!.column);
});

test('no two nodes of a topology are at the same position', () => {
  const graph = [node('a'), node('b', 'a', 'c'), node('c'), node('d', 'e'), node('e'), node('f')];
  const places = [...layOutParts(graph).nodes.values()].map(({ row, column }) => `${row} ${column}`);
  assert.equal(new Set(places).size, graph.length);
});

test('a topology without nodes is empty', () => {
  assert.deepEqual(layOutParts([]), { nodes: new Map(), edges: [], rows: 0, columns: 0 });
});
