import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeInfo, makeNode, makeSnapshot } from '../../../test/scheduling-objects.ts';
import { FIGURES, NodeFigures, OFFERED, PODS, REQUESTED } from './node-figures.ts';

test('a row that was given back is taken again, with zeros', () => {
  const figures = new NodeFigures(1);
  const [one, other] = [figures.take(), figures.take()];
  figures.data[one] = 1;
  figures.data[other] = 2;
  figures.release(one);
  assert.equal(figures.take(), one);
  assert.deepEqual([figures.data[one], figures.data[other]], [0, 2]);
});

test('a table that has grown keeps its figures, and a copy of a row is independent', () => {
  const figures = new NodeFigures(1);
  const rows = Array.from({ length: 9 }, () => figures.take());
  for (const [index, row] of rows.entries()) figures.data[row] = index;
  const copy = figures.copyOf(rows[3]!);
  copy.data[0] = 7;
  assert.deepEqual(
    rows.map((row) => figures.data[row]),
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
  );
});

test('the figures of a node follow its pods, also of a node that was removed and has come back', () => {
  const snapshot = makeSnapshot([makeNode('one', { allocatable: { cpu: '4' } })], {
    one: [makeInfo('a', { requests: { cpu: '1' } })],
  });
  const figuresOf = (name: string) => {
    const { figures, row } = snapshot.get(name)!;
    return [OFFERED, REQUESTED].map((at) => figures.data[row + FIGURES.cpu + at]).concat(figures.data[row + PODS]!);
  };
  assert.deepEqual(figuresOf('one'), [4000, 1000, 1]);
  snapshot.remove(makeInfo('a').uid);
  assert.deepEqual(figuresOf('one'), [4000, 0, 0]);
  snapshot.removeNode('one');
  snapshot.setNode(makeNode('other', { allocatable: { cpu: '2' } }));
  snapshot.setNode(makeNode('one', { allocatable: { cpu: '3' } }));
  assert.deepEqual(
    [figuresOf('other'), figuresOf('one')],
    [
      [2000, 0, 0],
      [3000, 0, 0],
    ],
  );
});
