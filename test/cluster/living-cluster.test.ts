import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { SeededRandom } from '../../src/base/seeded-random.ts';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { items } from '../pod-runner.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const PODS = '/api/v1/namespaces/default/pods';

function deployment(replicas: number) {
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };
  const spec = { replicas, selector: { matchLabels: { app: 'web' } }, template };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec };
}

async function status(server: TestServer): Promise<Record<string, unknown>> {
  return ((await server.request('GET', `${DEPLOYMENTS}/web`)).body as { status: Record<string, unknown> }).status;
}

test('a Deployment is ready on simulated nodes without waiting', async () => {
  await using server = await startTestServer({ nodes: 3 });
  await server.request('POST', DEPLOYMENTS, deployment(3));
  await server.cluster.settled();
  const { readyReplicas, availableReplicas, updatedReplicas } = await status(server);
  assert.deepEqual(
    { readyReplicas, availableReplicas, updatedReplicas },
    { readyReplicas: 3, availableReplicas: 3, updatedReplicas: 3 },
  );
  const pods = await items<{ spec: { nodeName: string }; status: { phase: string; podIP: string } }>(server, PODS);
  assert.deepEqual(pods.map(({ spec }) => spec.nodeName).sort(), ['node-1', 'node-2', 'node-3']);
  assert.ok(pods.every(({ status: { phase, podIP } }) => phase === 'Running' && podIP.startsWith('10.2')));
});

test('a CronJob runs once an hour while the clock advances by a day', async () => {
  await using server = await startTestServer({ nodes: 1 });
  const template = {
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox', command: ['true'] }] },
  };
  const spec = { schedule: '0 * * * *', successfulJobsHistoryLimit: 100, jobTemplate: { spec: { template } } };
  const cronJob = { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'hourly' }, spec };
  await server.request('POST', '/apis/batch/v1/namespaces/default/cronjobs', cronJob);
  await server.clock!.advance('24h');
  const jobs = await items<{ status: { succeeded?: number } }>(server, '/apis/batch/v1/namespaces/default/jobs');
  assert.equal(jobs.length, 24);
  assert.ok(jobs.every(({ status: { succeeded } }) => succeeded === 1));
});

test('the same seed gives the pods of a cluster the same names and nodes', async () => {
  const all = [await podsOf(7), await podsOf(7), await podsOf(8)];
  assert.deepEqual(all[0], all[1]);
  assert.notDeepEqual(all[0], all[2]);
});

/** The pods of a Deployment that was updated, and their nodes. */
async function podsOf(seed: number): Promise<string[]> {
  const environment = { clock: new ManualClock(), random: new SeededRandom(seed) };
  await using server = await startTestServer({ nodes: 3 }, environment);
  await server.request('POST', DEPLOYMENTS, deployment(5));
  await server.cluster.settled();
  const containers = [{ name: 'web', image: 'nginx:2' }];
  await server.patch(`${DEPLOYMENTS}/web`, { spec: { template: { spec: { containers } } } });
  await server.cluster.settled();
  const pods = await items<{ metadata: { name: string }; spec: { nodeName: string } }>(server, PODS);
  return pods.map(({ metadata, spec }) => `${metadata.name} ${spec.nodeName}`).sort();
}
