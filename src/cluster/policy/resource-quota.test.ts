import assert from 'node:assert/strict';
import { test } from 'node:test';
import { created } from '../../../test/created.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const NAMESPACE = '/api/v1/namespaces/default';

const started = () => startTestServer({ controllers: '*,resourcequota-controller' });

function quota(server: TestServer, hard: object, more: object = {}): Promise<unknown> {
  const metadata = { name: 'q' };
  const spec = { hard, ...more };
  return created(server, `${NAMESPACE}/resourcequotas`, { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec });
}

function pod(server: TestServer, name: string, more: object = {}): Promise<unknown> {
  const resources = { requests: { cpu: '250m', memory: '1Gi' }, limits: { cpu: '500m' } };
  const spec = { containers: [{ name: 'main', image: 'nginx', resources }], terminationGracePeriodSeconds: 0, ...more };
  return created(server, `${NAMESPACE}/pods`, { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
}

async function status(server: TestServer): Promise<{ hard?: object; used?: object }> {
  await server.cluster.settled();
  const { body } = await server.request('GET', `${NAMESPACE}/resourcequotas/q`);
  return (body as { status: object }).status;
}

test('a ResourceQuota counts what existed before it', async () => {
  await using server = await started();
  await pod(server, 'p');
  await created(server, `${NAMESPACE}/configmaps`, { metadata: { name: 'c' } });
  const hard = { 'requests.cpu': '1', 'requests.memory': '4Gi', pods: '4', 'count/configmaps': '9', secrets: '2' };
  await quota(server, hard);
  const used = { 'requests.cpu': '250m', 'requests.memory': '1Gi', pods: '1', 'count/configmaps': '1', secrets: '0' };
  assert.deepEqual(await status(server), { hard, used });
});

test('a deleted object gives back what it used of a ResourceQuota', async () => {
  await using server = await started();
  await quota(server, { pods: '2', configmaps: '5' });
  await status(server);
  await pod(server, 'p');
  await created(server, `${NAMESPACE}/configmaps`, { metadata: { name: 'c' } });
  assert.deepEqual((await status(server)).used, { pods: '1', configmaps: '1' });
  await server.request('DELETE', `${NAMESPACE}/pods/p`);
  await server.request('DELETE', `${NAMESPACE}/configmaps/c`);
  assert.deepEqual((await status(server)).used, { pods: '0', configmaps: '0' });
});

test('a pod that has ended no longer uses a ResourceQuota', async () => {
  await using server = await started();
  await quota(server, { pods: '2', 'count/pods': '2', 'limits.cpu': '3' });
  await status(server);
  await pod(server, 'p');
  assert.deepEqual((await status(server)).used, { pods: '1', 'count/pods': '1', 'limits.cpu': '500m' });
  await server.patch(`${NAMESPACE}/pods/p/status`, { status: { phase: 'Succeeded' } });
  assert.deepEqual((await status(server)).used, { pods: '0', 'count/pods': '1', 'limits.cpu': '0' });
});

test('the scopes of a ResourceQuota decide which pods it counts', async () => {
  await using server = await started();
  await pod(server, 'long');
  await pod(server, 'short', { activeDeadlineSeconds: 60 });
  await quota(server, { pods: '5' }, { scopes: ['Terminating'] });
  assert.deepEqual((await status(server)).used, { pods: '1' });
  await server.patch(`${NAMESPACE}/pods/long`, { spec: { activeDeadlineSeconds: 60 } });
  assert.deepEqual((await status(server)).used, { pods: '2' });
});

test('new limits of a ResourceQuota are published in its status', async () => {
  await using server = await started();
  await quota(server, { pods: '2' });
  await status(server);
  await server.patch(`${NAMESPACE}/resourcequotas/q`, { spec: { hard: { pods: null, services: '3' } } });
  assert.deepEqual(await status(server), { hard: { services: '3' }, used: { services: '1' } });
});

test('a ResourceQuota is counted again after five minutes', async () => {
  await using server = await started();
  await quota(server, { pods: '2', 'example.com/unknown': '3' });
  await status(server);
  await server.patch(`${NAMESPACE}/resourcequotas/q/status`, {
    status: { used: { pods: '2', 'example.com/unknown': '1' } },
  });
  assert.deepEqual((await status(server)).used, { pods: '2', 'example.com/unknown': '1' });
  await server.clock!.advance('5m');
  assert.deepEqual((await status(server)).used, { pods: '0', 'example.com/unknown': '1' });
});
