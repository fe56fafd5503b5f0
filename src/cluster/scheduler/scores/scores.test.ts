import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeInfo, makeNode, makeSnapshot } from '../../../../test/scheduling-objects.ts';
import { labelSelectorOf } from '../../../api/label-selector.ts';
import { atOnce } from '../../../base/steps.ts';
import { affinityScores, imageScores, taintScores } from './node-scores.ts';
import { podAffinityScores } from './pod-affinity-scores.ts';
import { balanceScores, leastAllocatedScores } from './resource-scores.ts';
import { spreadScores } from './spread-scores.ts';

const NAMESPACES = { get: () => undefined, entries: () => [] };

test('the more CPU and memory would be left, the higher is the score of LeastAllocated', () => {
  const { nodes } = makeSnapshot([makeNode('one'), makeNode('two')], {
    one: [makeInfo('a', { requests: { cpu: '1', memory: '2Gi' } })],
  });
  const pod = makeInfo('p', { requests: { cpu: '1', memory: '2Gi' } });
  assert.deepEqual(leastAllocatedScores(pod, nodes), [50, 75]);
});

test('the more evenly CPU and memory are used, the higher is the score of BalancedAllocation', () => {
  const { nodes } = makeSnapshot([makeNode('one'), makeNode('two', { allocatable: { memory: '4Gi' } })]);
  assert.deepEqual(balanceScores(makeInfo('p', { requests: { cpu: '2', memory: '4Gi' } }), nodes), [100, 75]);
  assert.equal(balanceScores(makeInfo('p'), nodes), undefined);
});

test('taints of the effect PreferNoSchedule lower the score of a node', () => {
  const taints = [{ key: 'k', effect: 'PreferNoSchedule' }];
  const { nodes } = makeSnapshot([makeNode('one', { spec: { taints } }), makeNode('two')]);
  assert.deepEqual(taintScores(makeInfo('p'), nodes), [0, 100]);
});

test('preferred node affinity terms add their weights', () => {
  const preferred = (value: string, weight: number) => ({
    weight,
    preference: { matchExpressions: [{ key: 'disk', operator: 'In', values: [value] }] },
  });
  const terms = [preferred('ssd', 10), preferred('hdd', 5)];
  const affinity = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: terms } };
  const disk = (value: string) => makeNode(value, { labels: { disk: value } });
  const { nodes } = makeSnapshot([disk('ssd'), disk('hdd'), disk('tape')]);
  assert.deepEqual(affinityScores(makeInfo('p', { spec: { affinity } }), nodes), [100, 50, 0]);
});

test('a node that has the image of a pod has a higher score', () => {
  const images = [{ names: ['nginx:latest'], sizeBytes: 1000 * 2 ** 20 }];
  const node = makeNode('one');
  const snapshot = makeSnapshot([{ ...node, status: { ...node.status, images } }, makeNode('two')]);
  const pod = makeInfo('p', { spec: { containers: [{ name: 'c', image: 'nginx' }] } });
  // Half of the nodes have it, so half of its size counts.
  assert.deepEqual(imageScores(pod, snapshot.nodes, snapshot), [48, 0]);
});

test('pods of a set prefer zones and nodes with fewer of them', () => {
  const zone = (name: string) => ({ labels: { 'topology.kubernetes.io/zone': name } });
  const nodes = [makeNode('a1', zone('a')), makeNode('b1', zone('b')), makeNode('a2', zone('a'))];
  const web = makeInfo('web', { labels: { app: 'web' } });
  const snapshot = makeSnapshot(nodes, { a1: [web] });
  const selector = labelSelectorOf({ matchLabels: { app: 'web' } });
  const order = ['a1', 'a2', 'b1'].map((name) => snapshot.nodes.findIndex((node) => node.name === name));
  const scores = atOnce(spreadScores(makeInfo('p'), snapshot.nodes, { snapshot, selector }));
  const [a1, a2, b1] = order.map((index) => scores?.[index] ?? -1);
  assert.ok(b1! > a2! && a2! > a1!, JSON.stringify(scores));
});

test('preferred pod affinity and anti-affinity raise and lower the scores of places', () => {
  const term = (app: string) => ({
    weight: 10,
    podAffinityTerm: { labelSelector: { matchLabels: { app } }, topologyKey: 'kubernetes.io/hostname' },
  });
  const affinity = {
    podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [term('cache')] },
    podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [term('web')] },
  };
  const labelled = (app: string) => makeInfo(app, { labels: { app } });
  const snapshot = makeSnapshot([makeNode('one'), makeNode('two'), makeNode('three')], {
    one: [labelled('cache')],
    two: [labelled('web')],
  });
  const pod = makeInfo('p', { spec: { affinity } });
  assert.deepEqual(atOnce(podAffinityScores(pod, snapshot.nodes, { snapshot, namespaces: NAMESPACES })), [100, 0, 50]);
});
