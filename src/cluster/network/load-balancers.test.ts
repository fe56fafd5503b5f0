import assert from 'node:assert/strict';
import { test } from 'node:test';
import { items } from '../../../test/pod-runner.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const SERVICES = '/api/v1/namespaces/default/services';

interface Service {
  readonly metadata: { readonly name: string; readonly finalizers?: readonly string[] };
  readonly status: { readonly loadBalancer: { readonly ingress?: readonly { ip: string; ipMode: string }[] } };
}

const started = () => startTestServer({ controllers: '*,service-lb-controller' });

async function service(server: TestServer, name: string, more: object = {}): Promise<void> {
  const spec = { type: 'LoadBalancer', ports: [{ port: 80 }], ...more };
  const answer = await server.request('POST', SERVICES, { metadata: { name }, spec });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
}

async function read(server: TestServer, name: string): Promise<Service> {
  await server.cluster.settled();
  return (await server.request('GET', `${SERVICES}/${name}`)).body as Service;
}

async function reasons(server: TestServer): Promise<string[]> {
  const events = await items<{ reason: string }>(server, '/api/v1/namespaces/default/events');
  return events.map(({ reason }) => reason);
}

test('a Service of type LoadBalancer gets an address, a finalizer and events', async () => {
  await using server = await started();
  await server.request('POST', '/api/v1/nodes', { metadata: { name: 'n1' } });
  await service(server, 'a');
  await service(server, 'b');
  const a = await read(server, 'a');
  assert.deepEqual(a.status.loadBalancer.ingress, [{ ip: '10.198.0.1', ipMode: 'VIP' }]);
  assert.deepEqual(a.metadata.finalizers, ['service.kubernetes.io/load-balancer-cleanup']);
  assert.deepEqual((await read(server, 'b')).status.loadBalancer.ingress, [{ ip: '10.198.0.2', ipMode: 'VIP' }]);
  assert.deepEqual([...new Set(await reasons(server))], ['EnsuringLoadBalancer', 'EnsuredLoadBalancer']);
});

test('a deleted Service of type LoadBalancer ends once its load balancer is deleted', async () => {
  await using server = await started();
  await server.request('POST', '/api/v1/nodes', { metadata: { name: 'n1' } });
  await service(server, 'a');
  await server.cluster.settled();
  await server.request('DELETE', `${SERVICES}/a`);
  await server.cluster.settled();
  assert.equal((await server.request('GET', `${SERVICES}/a`)).status, 404);
  assert.deepEqual((await reasons(server)).slice(-2), ['DeletingLoadBalancer', 'DeletedLoadBalancer']);
  await service(server, 'b');
  assert.equal((await read(server, 'b')).status.loadBalancer.ingress?.[0]?.ip, '10.198.0.1');
});

test('a Service that is no longer a LoadBalancer gives its address back', async () => {
  await using server = await started();
  await service(server, 'a');
  await read(server, 'a');
  await server.patch(`${SERVICES}/a`, { spec: { type: 'ClusterIP' } });
  const { metadata, status } = await read(server, 'a');
  assert.deepEqual([metadata.finalizers, status.loadBalancer], [undefined, {}]);
});

test('a Service with a loadBalancerClass is left to others', async () => {
  await using server = await started();
  await service(server, 'a', { loadBalancerClass: 'example.com/other' });
  const { metadata, status } = await read(server, 'a');
  assert.deepEqual([metadata.finalizers, status.loadBalancer], [undefined, {}]);
});
