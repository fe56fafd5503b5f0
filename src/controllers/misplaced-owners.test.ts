import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { startTestServer, type TestServer } from '../testing.ts';

async function create(server: TestServer, path: string, name: string, ownerReferences: JsonObject[] = []) {
  const { status, body } = await server.request('POST', path, { metadata: { name, ownerReferences } });
  assert.equal(status, 201, JSON.stringify(body));
  return (body as ApiObject).metadata.uid;
}

/** The events about an object. */
async function eventsOf(server: TestServer, namespace: string, name: string): Promise<JsonObject[]> {
  const selector = `fieldSelector=involvedObject.name%3D${name}`;
  const { body } = await server.request('GET', `/api/v1/namespaces/${namespace}/events?${selector}`);
  return (body as { items: JsonObject[] }).items;
}

test('a dependent whose owner is in another namespace gets the event OwnerRefInvalidNamespace', async () => {
  await using server = await startTestServer();
  await server.request('POST', '/api/v1/namespaces', { metadata: { name: 'other' } });
  const uid = await create(server, '/api/v1/namespaces/other/configmaps', 'owner');
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: uid ?? '' };
  const dependent = await create(server, '/api/v1/namespaces/default/configmaps', 'dependent', [owner]);
  const [event] = await until('the event is there', async () => {
    const events = await eventsOf(server, 'default', 'dependent');
    return events.length > 0 ? events : undefined;
  });
  const { type, reason, message, count, involvedObject, source } = event ?? {};
  assert.deepEqual(
    { type, reason, message, count, involvedObject, source },
    {
      type: 'Warning',
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef [v1/ConfigMap, namespace: default, name: owner, uid: ${uid}] does not exist in namespace "default"`,
      count: 1,
      involvedObject: { kind: 'ConfigMap', apiVersion: 'v1', namespace: 'default', name: 'dependent', uid: dependent },
      source: { component: 'garbage-collector-controller' },
    },
  );
});

test('a cluster-scoped dependent with a namespaced owner gets its event in the namespace default', async () => {
  await using server = await startTestServer();
  const uid = await create(server, '/api/v1/namespaces/default/configmaps', 'owner');
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: uid ?? '' };
  await create(server, '/apis/rbac.authorization.k8s.io/v1/clusterroles', 'dependent', [owner]);
  const [event] = await until('the event is there', async () => {
    const events = await eventsOf(server, 'default', 'dependent');
    return events.length > 0 ? events : undefined;
  });
  assert.match(String(event?.['message']), /^ownerRef \[v1\/ConfigMap, namespace: , name: owner, uid: .*""$/);
});

test('a dependent whose owner does not exist gets no event', async () => {
  await using server = await startTestServer();
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '11111111-2222-3333-4444-555555555555' };
  await create(server, '/api/v1/namespaces/default/configmaps', 'dependent', [owner]);
  await until('it is collected', async () => {
    return (await server.request('GET', '/api/v1/namespaces/default/configmaps/dependent')).status === 404;
  });
  assert.deepEqual(await eventsOf(server, 'default', 'dependent'), []);
});
