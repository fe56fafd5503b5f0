import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeInfo, makeNode, makeSnapshot, nodeOf } from '../../../test/scheduling-objects.ts';
import { labelSelectorOf } from '../../api/label-selector.ts';
import { podInfo } from './pod-info.ts';

const selector = labelSelectorOf({ matchLabels: { app: 'web' } });
const web = (name: string, cpu = '1') => makeInfo(name, { labels: { app: 'web' }, requests: { cpu } });

test('a pod counts on its node from when it was chosen until it is gone', () => {
  const snapshot = makeSnapshot([makeNode('one')]);
  snapshot.place(web('a'), 'one', true);
  assert.equal(snapshot.isAssumed('a'), true);
  assert.equal(nodeOf(snapshot, 'one').requested.get('cpu'), 1000);
  snapshot.place(web('a', '2'), 'one');
  assert.equal(snapshot.isAssumed('a'), false);
  assert.equal(nodeOf(snapshot, 'one').requested.get('cpu'), 2000);
  snapshot.remove('a');
  assert.equal(nodeOf(snapshot, 'one').requested.get('cpu'), 0);
});

test('counts of matching pods follow pods that are added and removed', () => {
  const snapshot = makeSnapshot([makeNode('one'), makeNode('two')], { one: [web('a'), web('b')] });
  assert.deepEqual([...snapshot.matching('default', selector)], [['one', 2]]);
  snapshot.place(web('c'), 'two');
  snapshot.remove('a');
  assert.deepEqual(
    [...snapshot.matching('default', selector)],
    [
      ['one', 1],
      ['two', 1],
    ],
  );
  assert.deepEqual([...snapshot.matching('other', selector)], []);
});

test('a node that is removed is not chosen any more, and its pods count again when it comes back', () => {
  const snapshot = makeSnapshot([makeNode('one')], { one: [web('a')] });
  snapshot.removeNode('one');
  assert.equal(snapshot.get('one'), undefined);
  assert.deepEqual(snapshot.nodes, []);
  snapshot.setNode(makeNode('one'));
  assert.equal(nodeOf(snapshot, 'one').requested.get('cpu'), 1000);
});

test('a pod counts by its latest labels, and no longer once it is being deleted', () => {
  const snapshot = makeSnapshot([makeNode('one')], { one: [web('a')] });
  const counts = () => [...snapshot.matching('default', selector)];
  assert.deepEqual(counts(), [['one', 1]]);
  snapshot.place(web('a', '2'), 'one');
  assert.deepEqual(counts(), [['one', 1]]);
  snapshot.place(makeInfo('a', { labels: { app: 'other' } }), 'one');
  assert.deepEqual(counts(), []);
  snapshot.place(web('a'), 'one');
  const { pod } = web('a');
  const going = { ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  snapshot.place(podInfo(going), 'one');
  assert.deepEqual(counts(), []);
});
