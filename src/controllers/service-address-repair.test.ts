import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const ADDRESSES = '/apis/networking.k8s.io/v1/ipaddresses';

async function createService(server: TestServer): Promise<string> {
  const { body } = await server.request('POST', SERVICES, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } });
  return String(((body as ApiObject).spec as JsonObject)['clusterIP']);
}

test('the IPAddress of a Service is created again when it was deleted, with an Event', async () => {
  await using server = await startTestServer({ controllers: '' });
  const address = await createService(server);
  const before = ((await server.request('GET', `${ADDRESSES}/${address}`)).body as ApiObject).metadata.uid;
  await server.request('DELETE', `${ADDRESSES}/${address}`);
  const found = await until('there is another', async () => {
    const { status, body } = await server.request('GET', `${ADDRESSES}/${address}`);
    return status === 200 && (body as ApiObject).metadata.uid !== before ? (body as ApiObject) : undefined;
  });
  assert.deepEqual(found.spec, { parentRef: { resource: 'services', namespace: 'default', name: 's' } });
  const { body } = await server.request('GET', '/api/v1/namespaces/default/events');
  const [event] = (body as { items: JsonObject[] }).items;
  assert.equal(event?.['message'], `Cluster IP [IPv4]: ${address} is not allocated; repairing`);
});

test('an IPAddress of a Service that does not exist is removed after a minute', async () => {
  await using server = await startTestServer({ controllers: '', serviceClusterIpRange: '10.9.0.0/24' });
  const labels = {
    'ipaddress.kubernetes.io/ip-family': 'IPv4',
    'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
  };
  const spec = { parentRef: { resource: 'services', namespace: 'default', name: 'none' } };
  const { status } = await server.request('POST', ADDRESSES, { metadata: { name: '10.9.0.77', labels }, spec });
  assert.equal(status, 201);
  await server.clock?.advance('59s');
  assert.equal((await server.request('GET', `${ADDRESSES}/10.9.0.77`)).status, 200);
  await until('it is gone', async () => {
    await server.clock?.advance('10s');
    return (await server.request('GET', `${ADDRESSES}/10.9.0.77`)).status === 404;
  });
});
