import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../api/object.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

/** A server on which nothing happens but what the test does. */
function start(): Promise<TestServer> {
  return startTestServer({ controllers: '' });
}

function configMap(name: string, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata } };
}

/** Sends a request and answers its status and warnings. */
async function send(server: TestServer, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const response = await server.fetch(new Request(`https://localhost${path}`, init));
  return { status: response.status, warning: response.headers.get('warning') ?? '' };
}

test('an object that stays is answered 202 where orphanDependents=false asked for its dependents too', async () => {
  await using server = await start();
  const cases: [query: string, finalizers: string[], status: number][] = [
    ['?orphanDependents=false', ['example.com/hold'], 202],
    ['?orphanDependents=0', ['example.com/hold'], 202],
    ['?orphanDependents=true', ['example.com/hold'], 200],
    ['?propagationPolicy=Background', ['example.com/hold'], 200],
    ['?orphanDependents=false', [], 200],
  ];
  for (const [index, [query, finalizers, status]] of cases.entries()) {
    await server.request('POST', CONFIG_MAPS, configMap(`c${index}`, { finalizers }));
    const answer = await server.request('DELETE', `${CONFIG_MAPS}/c${index}${query}`);
    assert.equal(answer.status, status, `${query} of ${finalizers}`);
  }
});

test('finalizers that already ask for a policy keep their order', async () => {
  await using server = await start();
  await server.request('POST', CONFIG_MAPS, configMap('c', { finalizers: ['orphan', 'example.com/hold'] }));
  const { body } = await server.request('DELETE', `${CONFIG_MAPS}/c`);
  assert.deepEqual((body as ApiObject).metadata.finalizers, ['orphan', 'example.com/hold']);
});

test('who deletes jobs without saying what becomes of their pods is warned, once', async () => {
  await using server = await start();
  const path = '/apis/batch/v1/namespaces/default/jobs';
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] } };
  for (const name of ['a', 'b', 'c']) {
    await server.request('POST', path, { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { template } });
  }
  const told = await send(server, 'DELETE', `${path}/a?propagationPolicy=Background`);
  assert.deepEqual(told, { status: 200, warning: '' });
  const { warning } = await send(server, 'DELETE', path);
  assert.equal(warning.split('child pods are preserved by default').length, 2, warning);
});

test('a namespace without finalizers of its spec goes with the second deletion', async () => {
  await using server = await start();
  const path = '/api/v1/namespaces/mine';
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'mine' } };
  await server.request('POST', '/api/v1/namespaces', namespace);
  assert.equal((await server.request('PUT', `${path}/finalize`, { ...namespace, spec: {} })).status, 200);
  for (const left of [200, 404]) {
    assert.equal(((await server.request('DELETE', path)).body as ApiObject)['kind'], 'Namespace');
    assert.equal((await server.request('GET', path)).status, left);
  }
});

test('a precondition that does not hold is told in the words of the kind', async () => {
  await using server = await start();
  await server.request('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'mine' },
  });
  const preconditions = { uid: 'other' };
  const options = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions };
  const { status, body } = await server.request('DELETE', '/api/v1/namespaces/mine', options);
  assert.equal(status, 409);
  assert.match(
    String((body as ApiObject)['message']),
    /^Operation cannot be fulfilled on namespaces "mine": Precondition failed: UID in precondition: other, UID in object meta: /,
  );
});

test('owner references that come twice are kept once, with a warning', async () => {
  await using server = await start();
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u1' };
  const ownerReferences = [owner, { ...owner, uid: 'u2' }, owner, { ...owner, controller: true }];
  const { status, warning } = await send(server, 'POST', CONFIG_MAPS, configMap('c', { ownerReferences }));
  assert.equal(status, 201);
  assert.match(warning, /ownerReferences contains duplicate entries; .*duplicate UID\(s\) observed: u1/);
  const { body } = await server.request('GET', `${CONFIG_MAPS}/c`);
  assert.deepEqual(
    (body as ApiObject).metadata.ownerReferences?.map((each) => [each.uid, each['controller'] === true]),
    [
      ['u1', false],
      ['u2', false],
      ['u1', true],
    ],
  );
  const patch = { metadata: { ownerReferences: [owner, owner] } };
  const patched = await server.patch(`${CONFIG_MAPS}/c`, patch);
  assert.equal((patched.body as ApiObject).metadata.ownerReferences?.length, 1);
});

test('a change of metadata that is refused is told twice, as Kubernetes does', async () => {
  await using server = await start();
  await server.request('POST', CONFIG_MAPS, configMap('c'));
  const { status, body } = await server.patch(`${CONFIG_MAPS}/c`, { metadata: { uid: 'other' } });
  assert.equal(status, 422);
  const { message, details } = body as { message: string; details: { causes: { field: string }[] } };
  assert.deepEqual(
    details.causes.map((cause) => cause.field),
    ['metadata.uid', 'metadata.uid'],
  );
  assert.equal(message.split('field is immutable').length, 2);
});
