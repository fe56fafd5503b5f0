import assert from 'node:assert/strict';
import { test } from 'node:test';
import { created } from '../../../test/created.ts';
import { items } from '../../../test/pod-runner.ts';
import { startTestServer } from '../../testing.ts';

const PODS = '/api/v1/namespaces/default/pods';
const JOBS = '/apis/batch/v1/namespaces/default/jobs';

test('a Job is deleted when its ttlSecondsAfterFinished have passed since its end', async () => {
  await using server = await startTestServer({ controllers: '*,ttl-after-finished-controller' });
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } };
  const metadata = { name: 'short' };
  await created(server, JOBS, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata,
    spec: { template, ttlSecondsAfterFinished: 60 },
  });
  const now = new Date(server.clock!.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: now,
  }));
  const status = { startTime: now, completionTime: now, succeeded: 1, conditions };
  assert.equal((await server.patch(`${JOBS}/short/status`, { status })).status, 200);
  await server.cluster.settled();
  assert.equal((await items(server, JOBS)).length, 1);
  server.clock!.advance('61s');
  await server.cluster.settled();
  const left = await items<{ metadata: { deletionTimestamp?: string } }>(server, JOBS);
  assert.ok(left.every(({ metadata }) => metadata.deletionTimestamp !== undefined));
});

test('pods of a node that is gone fail and are deleted after forty seconds', async () => {
  await using server = await startTestServer({ controllers: '*,pod-garbage-collector-controller' });
  await created(server, '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } });
  const spec = { nodeName: 'n1', containers: [{ name: 'main', image: 'busybox' }] };
  await created(server, PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'default' }, spec });
  await server.request('DELETE', '/api/v1/nodes/n1');
  await server.cluster.settled();
  assert.equal((await items(server, PODS)).length, 1);
  server.clock!.advance('41s');
  await server.cluster.settled();
  assert.deepEqual(await items(server, PODS), []);
  const versions = server.history({ apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'default', name: 'p' } });
  const last = versions.at(-1)?.object as { status: { phase: string; conditions: { type: string }[] } };
  assert.equal(last.status.phase, 'Failed');
  assert.ok(last.status.conditions.some(({ type }) => type === 'DisruptionTarget'));
});
