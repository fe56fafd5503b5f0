import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const VERSIONS = '/apis/internal.apiserver.k8s.io/v1alpha1/storageversions';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';

// biome-ignore lint/suspicious/noExplicitAny: answers are decoded JSON of many shapes.
type Body = Record<string, any>;

const started = (runtimeConfig: Record<string, string> = { 'internal.apiserver.k8s.io/v1alpha1': 'true' }) =>
  startTestServer({ featureGates: { StorageVersionAPI: true }, runtimeConfig });

async function get(server: TestServer, path: string): Promise<Body> {
  return (await server.request('GET', path)).body as Body;
}

async function told(server: TestServer): Promise<Body> {
  let list: Body = {};
  await until('all is told', async () => {
    list = await get(server, VERSIONS);
    return list['items'].length === 57 && list['items'].every(({ status }: Body) => status.conditions !== undefined);
  });
  return list;
}

test('a server publishes its StorageVersions', async () => {
  await using server = await started();
  const list = await told(server);
  const leases = await get(server, LEASES);
  const apiServerID = leases['items']
    .map(({ metadata }: Body) => metadata.name)
    .find((name: string) => /^apiserver-/.test(name));
  const { status } = list['items'].find(({ metadata }: Body) => metadata.name === 'core.events');
  const [{ lastTransitionTime, ...condition }] = status.conditions;
  assert.deepEqual(status.storageVersions, [
    { apiServerID, encodingVersion: 'v1', decodableVersions: ['v1', 'events.k8s.io/v1'], servedVersions: ['v1'] },
  ]);
  assert.equal(status.commonEncodingVersion, 'v1');
  assert.match(lastTransitionTime, /^\d{4}-/);
  assert.deepEqual(condition, {
    type: 'AllEncodingVersionsEqual',
    status: 'True',
    reason: 'CommonEncodingVersionSet',
    message: 'Common encoding version set',
  });
  assert.equal((await server.request('GET', '/readyz')).status, 200);
});

test('entries of servers that have gone are removed from StorageVersions, and empty ones are deleted', async () => {
  await using server = await started();
  await told(server);
  const version = await get(server, `${VERSIONS}/apps.deployments`);
  const { commonEncodingVersion: _, ...status } = version['status'];
  const gone = { ...status.storageVersions[0], apiServerID: 'apiserver-gone', encodingVersion: 'apps/v1beta2' };
  const differing = { ...version, status: { ...status, storageVersions: [gone, ...status.storageVersions] } };
  assert.equal((await server.request('PUT', `${VERSIONS}/apps.deployments/status`, differing)).status, 200);
  await until('the row is gone', async () => {
    const now = await get(server, `${VERSIONS}/apps.deployments`);
    return now['status'].storageVersions.length === 1 && now['status'].commonEncodingVersion === 'apps/v1';
  });
  const made = await server.request('POST', VERSIONS, { metadata: { name: 'example.com.widgets' }, spec: {} });
  const alone = { ...(made.body as Body), status: { storageVersions: [gone], commonEncodingVersion: 'apps/v1beta2' } };
  assert.equal((await server.request('PUT', `${VERSIONS}/example.com.widgets/status`, alone)).status, 200);
  await until(
    'it is gone',
    async () => (await server.request('GET', `${VERSIONS}/example.com.widgets`)).status === 404,
  );
});

test('if StorageVersions are not served, writes wait and get the reason', async () => {
  await using server = await started({});
  const text =
    'wait for storage version registration to complete for resource: configmaps, last seen error: ' +
    'the server could not find the requested resource (post storageversions.internal.apiserver.k8s.io)';
  await until('the failure is known', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    const { status, body } = await server.request('POST', path, { metadata: { name: 'a' } });
    return status === 503 && (body as Body)['message'] === text;
  });
  assert.equal((await server.request('GET', '/readyz')).status, 500);
  assert.equal((await server.request('GET', '/api/v1/namespaces')).status, 200);
});
