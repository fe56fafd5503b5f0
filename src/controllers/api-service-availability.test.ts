import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import type { Dial } from '../outbound/dial.ts';
import { listAt, textAt } from '../resources/value.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const API_SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const NAME = 'v1.metrics.example.com';
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';

const API_SERVICE: JsonObject = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: NAME },
  spec: {
    group: 'metrics.example.com',
    version: 'v1',
    groupPriorityMinimum: 100,
    versionPriority: 10,
    insecureSkipTLSVerify: true,
    service: { name: 'metrics', namespace: 'default', port: 8443 },
  },
};

function service(port: number): JsonObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'metrics' }, spec: { ports: [{ name: 'api', port }] } };
}

function slice(ready: boolean): JsonObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'metrics-1', labels: { 'kubernetes.io/service-name': 'metrics' } },
    addressType: 'IPv4',
    ports: [{ name: 'api', port: 8443 }],
    endpoints: [{ addresses: ['10.1.2.3'], conditions: { ready } }],
  };
}

/** Nobody answers anywhere. */
const refusingDial: Dial = () => {
  const socket = new Socket();
  queueMicrotask(() => socket.destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })));
  return socket;
};

/** Waits until the condition has the reason; its status and message. */
async function says(server: TestServer, reason: string, name = NAME): Promise<string[]> {
  let condition: unknown;
  await until(`${name} says ${reason}`, async () => {
    const { body } = await server.request('GET', `${API_SERVICES}/${name}`);
    [condition] = listAt(body as ApiObject, 'status', 'conditions');
    return textAt(condition as JsonObject, 'reason') === reason;
  });
  const { type, status, message } = condition as Record<string, string>;
  return [type!, status!, message!];
}

test('an APIService for another server reports why it is unavailable, as it changes', async () => {
  await using server = await startTestServer({}, { dial: refusingDial });
  const text = 'service/metrics in "default"';
  const send = async (method: string, path: string, body?: JsonObject) => {
    const answer = await server.request(method, path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
  };
  await send('POST', API_SERVICES, API_SERVICE);
  assert.deepEqual(await says(server, 'ServiceNotFound'), ['Available', 'False', `${text} is not present`]);
  await send('POST', '/api/v1/namespaces/default/services', service(443));
  const notListening = ['Available', 'False', `${text} is not listening on port 8443`];
  assert.deepEqual(await says(server, 'ServicePortError'), notListening);
  await send('DELETE', '/api/v1/namespaces/default/services/metrics');
  await says(server, 'ServiceNotFound');
  await send('POST', '/api/v1/namespaces/default/services', service(8443));
  const noSlices = ['Available', 'False', `cannot find endpointslices for ${text}`];
  assert.deepEqual(await says(server, 'EndpointsNotFound'), noSlices);
  await send('POST', SLICES, slice(false));
  const noAddresses = ['Available', 'False', `endpointslices for ${text} have no addresses with port name "api"`];
  assert.deepEqual(await says(server, 'MissingEndpoints'), noAddresses);
  await send('PUT', `${SLICES}/metrics-1`, slice(true));
  const [, status, message] = await says(server, 'FailedDiscoveryCheck');
  const url = 'https://10.1.2.3:8443/apis/metrics.example.com/v1';
  assert.equal(status, 'False');
  const refused = 'dial tcp 10.1.2.3:8443: connect: connection refused';
  assert.equal(message, `failing or missing response from ${url}: Get "${url}": ${refused}`);
});

test('the APIServices of built-in groups are available and stay unchanged', async () => {
  await using server = await startTestServer();
  const apps = async () => (await server.request('GET', `${API_SERVICES}/v1.apps`)).body as ApiObject;
  const before = (await apps()).metadata.resourceVersion;
  await server.request('POST', API_SERVICES, API_SERVICE);
  await says(server, 'ServiceNotFound');
  assert.equal((await apps()).metadata.resourceVersion, before);
  assert.deepEqual(await says(server, 'Local', 'v1.apps'), [
    'Available',
    'True',
    'Local APIServices are always available',
  ]);
  await server.patch(`${API_SERVICES}/v1.apps/status`, { status: { conditions: null } });
  await says(server, 'Local', 'v1.apps');
});
