import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const CANDIDATES = '/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates';
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/default/leases/scheduler';
const microNow = () => `${new Date().toISOString().slice(0, -1)}000Z`;

function start(): Promise<TestServer> {
  return startTestServer({
    controllers: '',
    featureGates: { CoordinatedLeaderElection: true },
    runtimeConfig: { 'coordination.k8s.io/v1beta1': 'true' },
  });
}

async function nominate(server: TestServer, name: string, version: string): Promise<void> {
  const spec = {
    ...{ leaseName: 'scheduler', binaryVersion: '1.34.0', emulationVersion: version },
    ...{ renewTime: microNow(), strategy: 'OldestEmulationVersion' },
  };
  const { status, body } = await server.request('POST', CANDIDATES, { metadata: { name }, spec });
  assert.equal(status, 201, JSON.stringify(body));
}

async function spec(server: TestServer): Promise<JsonObject> {
  const { status, body } = await server.request('GET', LEASE);
  return status === 200 ? ((body as ApiObject).spec as JsonObject) : {};
}

test('the only candidate becomes the holder of the Lease', async () => {
  await using server = await start();
  await nominate(server, 'a', '1.34.0');
  const { holderIdentity, strategy, leaseDurationSeconds } = await until('somebody leads', async () => {
    const found = await spec(server);
    return found['holderIdentity'] === undefined ? undefined : found;
  });
  assert.deepEqual(
    { holderIdentity, strategy, leaseDurationSeconds },
    { holderIdentity: 'a', strategy: 'OldestEmulationVersion', leaseDurationSeconds: 5 },
  );
});

test('a candidate that emulates an older version is preferred to the holder of the Lease', async () => {
  await using server = await start();
  await nominate(server, 'newer', '1.34.0');
  await until('the newer one leads', async () => (await spec(server))['holderIdentity'] === 'newer');
  await server.patch(LEASE, { spec: { leaseDurationSeconds: 3600 } });
  await nominate(server, 'older', '1.33.0');
  await until('the older one is preferred', async () => (await spec(server))['preferredHolder'] === 'older');
  assert.equal((await spec(server))['holderIdentity'], 'newer');
});
