import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cordoned, jobName, jobOf, restarted, revisionOf, rolledBackTo } from './changes.ts';

const named = (name: string, members: object, metadata: object = {}) => ({
  metadata: { name, namespace: 'shop', uid: `uid of ${name}`, resourceVersion: '1', ...metadata },
  ...members,
});

test('a restart is an annotation of the pod template, as by kubectl rollout restart', () => {
  assert.deepEqual(restarted('2026-01-05T08:00:00Z').body, {
    spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-01-05T08:00:00Z' } } } },
  });
});

test('uncordoning a node removes spec.unschedulable', () => {
  assert.deepEqual(cordoned(true).body, { spec: { unschedulable: true } });
  assert.deepEqual(cordoned(false).body, { spec: { unschedulable: null } });
});

test('a Deployment is rolled back to the template of a ReplicaSet without its hash, and keeps its own annotations', () => {
  const template = { metadata: { labels: { app: 'web', 'pod-template-hash': '7d4b9c' } }, spec: { containers: [] } };
  const set = named(
    'web-7d4b9c',
    { spec: { template } },
    {
      annotations: { 'deployment.kubernetes.io/revision': '2', 'kubernetes.io/change-cause': 'two' },
    },
  );
  const deployment = named(
    'web',
    {},
    {
      annotations: { 'deployment.kubernetes.io/revision': '5', 'kubernetes.io/change-cause': 'five' },
    },
  );
  assert.deepEqual(rolledBackTo(set, deployment).body, [
    {
      op: 'replace',
      path: '/spec/template',
      value: { metadata: { labels: { app: 'web' } }, spec: { containers: [] } },
    },
    {
      op: 'add',
      path: '/metadata/annotations',
      value: { 'deployment.kubernetes.io/revision': '5', 'kubernetes.io/change-cause': 'two' },
    },
  ]);
  assert.equal(revisionOf(set), 2);
});

test('a Job from a CronJob is controlled by it, with the annotation of a manual run', () => {
  const jobTemplate = { metadata: { labels: { app: 'report' }, annotations: { team: 'a' } }, spec: { template: {} } };
  const cronJob = named('report', { spec: { schedule: '0 4 * * *', jobTemplate } });
  assert.deepEqual(jobOf(cronJob, 'report-now'), {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: 'report-now',
      namespace: 'shop',
      annotations: { 'cronjob.kubernetes.io/instantiate': 'manual', team: 'a' },
      labels: { app: 'report' },
      ownerReferences: [
        { apiVersion: 'batch/v1', kind: 'CronJob', name: 'report', uid: 'uid of report', controller: true },
      ],
    },
    spec: { template: {} },
  });
});

test('the name of a Job from a CronJob has the time and no more than 63 characters', () => {
  const time = new Date('2026-01-05T08:00:07Z');
  assert.equal(jobName('report', time), 'report-20260105080007');
  assert.equal(jobName('r'.repeat(52), time).length, 63);
});

test('a ControllerRevision has its revision in a field of its own', () => {
  assert.equal(revisionOf(named('web-1', { revision: 3 })), 3);
  assert.equal(revisionOf(named('web-1', {})), 0);
});
