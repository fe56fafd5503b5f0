import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeInfo, makeNode, makeSnapshot, makeWorld } from '../../../test/scheduling-objects.ts';
import { SeededRandom } from '../../base/seeded-random.ts';
import { atOnce } from '../../base/steps.ts';
import { Nominations } from './nominations.ts';
import { enoughNodes, isPlaced, placing } from './placing.ts';
import type { PodInfo } from './pod-info.ts';
import type { Snapshot } from './snapshot.ts';

function place(pod: PodInfo, snapshot: Snapshot, nominations = new Nominations(), cursor = { at: 0 }) {
  const context = { ...makeWorld(snapshot), nominations, random: new SeededRandom(1), cursor };
  const outcome = atOnce(placing(pod, context));
  return isPlaced(outcome) ? outcome.node.name : outcome.message;
}

test('the scheduler examines as many of many nodes as kube-scheduler does', () => {
  assert.deepEqual([50, 100, 1000, 5000, 10_000].map(enoughNodes), [50, 100, 420, 500, 500]);
});

test('the search for nodes begins where the last one ended', () => {
  const nodes = Array.from({ length: 300 }, (_, index) => makeNode(`n${index}`));
  const snapshot = makeSnapshot(nodes);
  const cursor = { at: 0 };
  place(makeInfo('a'), snapshot, undefined, cursor);
  const first = cursor.at;
  place(makeInfo('b'), snapshot, undefined, cursor);
  assert.deepEqual([first, cursor.at], [enoughNodes(300), (2 * enoughNodes(300)) % 300]);
});

test('a pod is assigned to the node with the most resources left', () => {
  const snapshot = makeSnapshot([makeNode('busy'), makeNode('idle')], {
    busy: [makeInfo('a', { requests: { cpu: '2', memory: '4Gi' } })],
  });
  assert.equal(place(makeInfo('b', { requests: { cpu: '1', memory: '2Gi' } }), snapshot), 'idle');
});

test('a pod whose affinity names its node is reported with that node only', () => {
  const snapshot = makeSnapshot([makeNode('one', { allocatable: { cpu: '1' } }), makeNode('two'), makeNode('three')]);
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: ['one'] }];
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] } };
  const pod = makeInfo('p', { requests: { cpu: '2' }, spec: { affinity: { nodeAffinity } } });
  assert.equal(
    place(pod, snapshot),
    "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].",
  );
});

test('a node that is reserved for a preempting pod has no room for others', () => {
  const snapshot = makeSnapshot([makeNode('one')]);
  const nominations = new Nominations();
  const important = makeInfo('important', { requests: { cpu: '3' }, spec: { priority: 10 } });
  nominations.set(important, 'one');
  const other = (priority: number) => makeInfo('other', { requests: { cpu: '3' }, spec: { priority } });
  assert.equal(place(other(5), snapshot, nominations), '0/1 nodes are available: 1 Insufficient cpu.');
  assert.equal(place(other(20), snapshot, nominations), 'one');
  assert.equal(place(important, snapshot, nominations), 'one');
});
