import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { ApiObject } from '../api/object.ts';
import { listAt, textAt } from '../resources/value.ts';
import { startTestServer, type TestServer } from '../testing.ts';

async function makeNamespace(server: TestServer, name: string): Promise<void> {
  const made = await server.request('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  });
  assert.equal(made.status, 201);
}

async function makeConfigMap(
  server: TestServer,
  namespace: string,
  name: string,
  finalizers: string[] = [],
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const made = await server.request('POST', path, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, finalizers },
  });
  assert.equal(made.status, 201);
}

async function read(server: TestServer, path: string): Promise<ApiObject | undefined> {
  const { status, body } = await server.request('GET', path);
  return status === 404 ? undefined : (body as ApiObject);
}

function gone(server: TestServer, path: string): Promise<unknown> {
  return until(`${path} is gone`, async () => (await read(server, path)) === undefined);
}

test('a namespace gets its default ServiceAccount, and gets it again after its deletion', async () => {
  await using server = await startTestServer();
  for (const name of ['default', 'kube-system', 'mine']) {
    if (name === 'mine') await makeNamespace(server, name);
    const path = `/api/v1/namespaces/${name}/serviceaccounts/default`;
    const first = await until('the account is there', () => read(server, path));
    await server.request('DELETE', path);
    const second = await until('the account is there again', () => read(server, path));
    assert.notEqual(second.metadata.uid, first.metadata.uid);
  }
});

test('the ConfigMap kube-root-ca.crt is in every namespace, and is restored', async () => {
  await using server = await startTestServer({ listen: true });
  const path = '/api/v1/namespaces/kube-public/configmaps/kube-root-ca.crt';
  const published = await until('the config map is there', () => read(server, path));
  assert.match(textAt(published, 'data', 'ca.crt'), /^-----BEGIN CERTIFICATE-----/);
  await server.patch(path, { data: { 'ca.crt': 'mine', more: 'x' } });
  const repaired = await until('it is right again', async () => {
    const now = await read(server, path);
    return textAt(now, 'data', 'ca.crt') === textAt(published, 'data', 'ca.crt') ? now : undefined;
  });
  assert.deepEqual(repaired['data'], published['data']);
});

test('a deleted namespace takes all its content with it, of every resource', async () => {
  await using server = await startTestServer();
  await makeNamespace(server, 'mine');
  await makeConfigMap(server, 'mine', 'a');
  await server.request('POST', '/apis/coordination.k8s.io/v1/namespaces/mine/leases', {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'b' },
  });
  const { body } = await server.request('DELETE', '/api/v1/namespaces/mine');
  assert.equal(textAt(body as ApiObject, 'status', 'phase'), 'Terminating');
  await gone(server, '/api/v1/namespaces/mine');
  for (const left of ['/api/v1/configmaps', '/apis/coordination.k8s.io/v1/leases', '/api/v1/serviceaccounts']) {
    const items = listAt(await read(server, left), 'items');
    assert.deepEqual(
      items.filter((item) => textAt(item, 'metadata', 'namespace') === 'mine'),
      [],
      left,
    );
  }
});

test('the conditions of a deleted namespace tell what it waits for', async () => {
  await using server = await startTestServer();
  await makeNamespace(server, 'mine');
  await makeConfigMap(server, 'mine', 'a', ['example.com/hold']);
  await makeConfigMap(server, 'mine', 'b', ['example.com/hold', 'example.com/more']);
  await makeConfigMap(server, 'mine', 'c');
  await server.request('DELETE', '/api/v1/namespaces/mine');
  const conditions = await until('there are conditions', async () => {
    const found = listAt(await read(server, '/api/v1/namespaces/mine'), 'status', 'conditions');
    return found.length > 0 && found;
  });
  const told = conditions.map(
    (each) => `${textAt(each, 'type')} ${textAt(each, 'status')}: ${textAt(each, 'message')}`,
  );
  assert.deepEqual(told, [
    'NamespaceDeletionDiscoveryFailure False: All resources successfully discovered',
    'NamespaceDeletionGroupVersionParsingFailure False: All legacy kube types successfully parsed',
    'NamespaceDeletionContentFailure False: All content successfully deleted, may be waiting on finalization',
    'NamespaceContentRemaining True: Some resources are remaining: configmaps. has 2 resource instances',
    'NamespaceFinalizersRemaining True: Some content in the namespace has finalizers remaining: ' +
      'example.com/hold in 2 resource instances, example.com/more in 1 resource instances',
  ]);
  assert.equal(await read(server, '/api/v1/namespaces/mine/configmaps/c'), undefined);
  for (const name of ['a', 'b']) {
    await server.patch(`/api/v1/namespaces/mine/configmaps/${name}`, { metadata: { finalizers: null } });
  }
  await gone(server, '/api/v1/namespaces/mine');
});

test('a finalizer in spec.finalizers keeps a namespace until the finalize subresource removes it', async () => {
  await using server = await startTestServer();
  await server.request('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'mine' },
    spec: { finalizers: ['example.com/own'] },
  });
  await server.request('DELETE', '/api/v1/namespaces/mine');
  await until('only the own finalizer is left', async () => {
    const namespace = await read(server, '/api/v1/namespaces/mine');
    return listAt(namespace, 'spec', 'finalizers').join() === 'example.com/own';
  });
  const finalized = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'mine' }, spec: {} };
  assert.equal((await server.request('PUT', '/api/v1/namespaces/mine/finalize', finalized)).status, 200);
  assert.equal(await read(server, '/api/v1/namespaces/mine'), undefined);
});

test('the pods of a deleted namespace go before the rest, and keep it as long as they exist', async () => {
  await using server = await startTestServer();
  await makeNamespace(server, 'mine');
  await makeConfigMap(server, 'mine', 'settings');
  const containers = [{ name: 'c', image: 'nginx' }];
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', finalizers: ['example.com/hold'] },
    spec: { containers },
  };
  assert.equal((await server.request('POST', '/api/v1/namespaces/mine/pods', pod)).status, 201);
  await server.request('DELETE', '/api/v1/namespaces/mine');
  await until('the pod is told to go', async () => {
    return (await read(server, '/api/v1/namespaces/mine/pods/p'))?.metadata.deletionTimestamp !== undefined;
  });
  assert.notEqual(await read(server, '/api/v1/namespaces/mine/configmaps/settings'), undefined);
  await server.patch('/api/v1/namespaces/mine/pods/p', { metadata: { finalizers: null } });
  await gone(server, '/api/v1/namespaces/mine');
});

test('without its controllers a server keeps deleted namespaces', async () => {
  await using server = await startTestServer({ controllers: '-*' });
  await makeNamespace(server, 'mine');
  await server.request('DELETE', '/api/v1/namespaces/mine');
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  assert.equal(textAt(await read(server, '/api/v1/namespaces/mine'), 'status', 'phase'), 'Terminating');
  assert.deepEqual(listAt(await read(server, '/api/v1/serviceaccounts'), 'items'), []);
});
