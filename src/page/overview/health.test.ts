// Health of objects by the columns that servers print.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthOf } from './health.ts';

const judge = (kind: string, cells: Readonly<Record<string, string>>) => {
  const { health, label, text } = healthOf(kind, (column) => cells[column] ?? '');
  return `${health}: ${label === text ? label : `${label}, ${text}`}`;
};

test('a pod is healthy when its containers are ready or have completed, and failing with its reason and restarts', () => {
  const pod = (Status: string, Ready: string, Restarts = '0') => judge('/pods', { Status, Ready, Restarts });
  assert.equal(pod('Running', '2/2'), 'good: ready');
  assert.equal(pod('Running', '1/2'), 'warn: not ready, 1 of 2 containers ready');
  assert.equal(pod('Completed', '0/1'), 'done: completed');
  assert.equal(pod('Pending', '0/1'), 'warn: pending, Pending');
  assert.equal(pod('Init:0/2', '0/1'), 'warn: starting, Init:0/2');
  assert.equal(pod('Init:CrashLoopBackOff', '0/1'), 'bad: failing, Init:CrashLoopBackOff');
  assert.equal(pod('CrashLoopBackOff', '0/1', '6 (2m ago)'), 'bad: failing, CrashLoopBackOff, 6 restarts');
  assert.equal(pod('OOMKilled', '0/1', '1 (3s ago)'), 'bad: failing, OOMKilled, 1 restart');
});

test('a workload is short of replicas until all that it wants are ready', () => {
  assert.equal(judge('apps/deployments', { Ready: '3/3' }), 'good: ready');
  assert.equal(judge('apps/deployments', { Ready: '1/3' }), 'warn: not ready, 1 of 3 replicas ready');
  assert.equal(judge('apps/statefulsets', { Ready: '0/3' }), 'bad: not ready, 0 of 3 replicas ready');
  assert.equal(judge('apps/deployments', { Ready: '0/0' }), 'done: with no pods');
  assert.equal(judge('apps/daemonsets', { Desired: '2', Ready: '1' }), 'warn: not ready, 1 of 2 pods ready');
});

test('a failed Job, a node that is not ready and a lost claim are unhealthy', () => {
  assert.equal(judge('batch/jobs', { Status: 'Failed', Completions: '0/1' }), 'bad: failed, Failed');
  assert.equal(judge('batch/jobs', { Status: 'Running', Completions: '0/1' }), 'good: running');
  assert.equal(judge('batch/jobs', { Completions: '1/1' }), 'done: complete');
  assert.equal(judge('/nodes', { Status: 'NotReady' }), 'bad: not ready, NotReady');
  assert.equal(judge('/nodes', { Status: 'Ready,SchedulingDisabled' }), 'warn: cordoned, SchedulingDisabled');
  assert.equal(judge('/persistentvolumeclaims', { Status: 'Lost' }), 'bad: lost, Lost');
  assert.equal(judge('batch/cronjobs', { Suspend: 'True' }), 'done: suspended');
});
