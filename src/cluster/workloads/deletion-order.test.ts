import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { inDeletionOrder } from './deletion-order.ts';

interface Facts {
  readonly node?: string;
  readonly phase?: string;
  readonly readySince?: string;
  readonly cost?: string;
  readonly restarts?: number;
  readonly created?: string;
}

const NOW = Date.parse('2026-01-01T12:00:00Z');

function pod(name: string, facts: Facts = {}): Pod {
  const {
    node = 'n1',
    phase = 'Running',
    readySince = '',
    cost,
    restarts = 0,
    created = '2026-01-01T00:00:00Z',
  } = facts;
  const annotations: Record<string, string> =
    cost === undefined ? {} : { 'controller.kubernetes.io/pod-deletion-cost': cost };
  const ready = { type: 'Ready', status: 'True', lastTransitionTime: readySince };
  return {
    metadata: { name, uid: name, creationTimestamp: created, annotations },
    spec: node === '' ? {} : { nodeName: node },
    status: {
      phase,
      conditions: readySince === '' ? [] : [ready],
      containerStatuses: [{ name: 'c', restartCount: restarts }],
    },
  };
}

function order(...pods: Pod[]): (string | undefined)[] {
  return inDeletionOrder(pods, { related: pods, nowMs: NOW }).map(({ metadata }) => metadata.name);
}

const READY = '2026-01-01T06:00:00Z';

test('pods without a node are deleted first, then pending ones, then those that are not ready', () => {
  const pods = [
    pod('ready', { readySince: READY }),
    pod('unready'),
    pod('pending', { phase: 'Pending' }),
    pod('unassigned', { node: '', phase: 'Pending' }),
  ];
  assert.deepEqual(order(...pods), ['unassigned', 'pending', 'unready', 'ready']);
});

test('a pod with a lower pod-deletion-cost is deleted before others that are ready', () => {
  const cheap = pod('cheap', { readySince: READY, cost: '-5' });
  assert.deepEqual(order(pod('usual', { readySince: READY }), cheap), ['cheap', 'usual']);
});

test('of ready pods, those that share their node with more of their kind are deleted first', () => {
  const pods = [
    pod('alone', { node: 'n2', readySince: READY }),
    pod('a', { readySince: READY }),
    pod('b', { readySince: READY }),
  ];
  assert.equal(order(...pods).at(-1), 'alone');
});

test('pods that have been ready for a shorter time by order of magnitude are deleted first, then those that restart', () => {
  const old = pod('old', { readySince: '2026-01-01T00:00:00Z' });
  const young = pod('young', { readySince: '2026-01-01T11:59:00Z' });
  assert.deepEqual(order(old, young), ['young', 'old']);
  assert.deepEqual(order(pod('calm', { readySince: READY }), pod('restless', { readySince: READY, restarts: 3 })), [
    'restless',
    'calm',
  ]);
});
