import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listerOf, makeInfo, makeNode, makeSnapshot, makeWorld } from '../../../test/scheduling-objects.ts';
import { SeededRandom } from '../../base/seeded-random.ts';
import { atOnce } from '../../base/steps.ts';
import type { PodDisruptionBudget } from '../../resources/builtin/policy/v1-objects.ts';
import { Nominations } from './nominations.ts';
import { isPlaced, placing } from './placing.ts';
import type { PodInfo } from './pod-info.ts';
import { cheapest, preempting } from './preemption.ts';
import type { Snapshot } from './snapshot.ts';

const NOW_MS = Date.UTC(2026, 0, 1);
const running = (name: string, cpu: string, priority = 0, labels?: Record<string, string>) =>
  makeInfo(name, { requests: { cpu }, spec: { priority }, ...(labels === undefined ? {} : { labels }) });
const important = (cpu: string, spec: object = {}) =>
  makeInfo('new', { requests: { cpu }, spec: { priority: 100, ...spec } });

function preempt(pod: PodInfo, snapshot: Snapshot, budgets: readonly PodDisruptionBudget[] = []) {
  const world = makeWorld(snapshot, { budgets: listerOf(budgets) });
  const context = {
    ...world,
    nominations: new Nominations(),
    random: new SeededRandom(1),
    cursor: { at: 0 },
    nowMs: NOW_MS,
  };
  const unplaced = atOnce(placing(pod, context));
  assert.ok(!isPlaced(unplaced));
  const outcome = atOnce(preempting(pod, unplaced, context));
  if (!('candidate' in outcome)) return outcome.message;
  const { node, victims, violations } = outcome.candidate;
  return { node: node.name, victims: victims.map(({ name }) => name), violations };
}

test('preemption ends as few pods as are needed, the least important ones', () => {
  const pods = [running('a', '1', 5), running('b', '1', 1), running('c', '1', 3), running('equal', '1', 100)];
  const snapshot = makeSnapshot([makeNode('one')], { one: pods });
  assert.deepEqual(preempt(important('2'), snapshot), { node: 'one', victims: ['c', 'b'], violations: 0 });
});

test('preemption chooses the node whose most important victim is the least important', () => {
  const snapshot = makeSnapshot([makeNode('one'), makeNode('two')], {
    one: [running('a', '4', 10)],
    two: [running('b', '2', 5), running('c', '2', 5)],
  });
  assert.deepEqual(preempt(important('4'), snapshot), { node: 'two', victims: ['b', 'c'], violations: 0 });
});

test('preemption rather breaks no disruption budget', () => {
  const budget = {
    metadata: { namespace: 'default', name: 'web' },
    spec: { selector: { matchLabels: { app: 'web' } } },
    status: { disruptionsAllowed: 0 },
  };
  const snapshot = makeSnapshot([makeNode('one'), makeNode('two')], {
    one: [running('a', '4', 0, { app: 'web' })],
    two: [running('b', '4', 50)],
  });
  assert.deepEqual(preempt(important('4'), snapshot, [budget]), { node: 'two', victims: ['b'], violations: 0 });
});

test('preemption does not help a pod that would not fit on an empty node', () => {
  const snapshot = makeSnapshot([makeNode('one')], { one: [running('a', '4')] });
  assert.equal(
    preempt(important('5'), snapshot),
    '0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
  );
});

test('a pod whose preemptionPolicy is Never ends no other pod', () => {
  const snapshot = makeSnapshot([makeNode('one')], { one: [running('a', '4')] });
  assert.equal(
    preempt(important('4', { preemptionPolicy: 'Never' }), snapshot),
    'not eligible due to preemptionPolicy=Never.',
  );
});

test('of equal preemption candidates the one whose victims have run for the shortest time is chosen', () => {
  const candidate = (name: string, startTime: string) => ({
    node: makeSnapshot([makeNode(name)]).nodes[0]!,
    victims: [makeInfo(`${name}-pod`, { status: { startTime } })],
    violations: 0,
  });
  const chosen = cheapest([candidate('old', '2025-01-01T00:00:00Z'), candidate('new', '2025-12-01T00:00:00Z')], NOW_MS);
  assert.equal(chosen?.node.name, 'new');
});
