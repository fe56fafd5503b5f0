import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const keyOf = (name: string): string => `/registry/configmaps/default/${name}`;
const NOT_AN_OBJECT = 'the stored bytes are not an object';
const CORRUPT = `StorageError: corrupt object, Code: 7, Key: /configmaps/default/b, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=`;

/** A server with the objects `a`, `c` and between them `b`, whose bytes are damaged. */
async function damaged(gate: boolean): Promise<{ server: TestServer; revision: number }> {
  const store = new MemoryStore({ clock: new ManualClock() });
  const written = await store.put(keyOf('b'), Buffer.from('damaged'), 'absent');
  const server = await startTestServer(
    { controllers: '', featureGates: { AllowUnsafeMalformedObjectDeletion: gate } },
    { store: Promise.resolve(store) },
  );
  for (const name of ['a', 'c']) await server.request('POST', maps, { metadata: { name } });
  return { server, revision: written.written ? written.revision : 0 };
}

async function answer(server: TestServer, method: string, path: string, body?: unknown) {
  const { status, body: told } = await server.request(method, path, body);
  const { message, reason } = told as { message?: string; reason?: string };
  return { status, message, reason };
}

test('a request for an object that cannot be decoded is answered with 500 and no reason', async () => {
  const { server } = await damaged(false);
  await using _ = server;
  const plain = { status: 500, message: NOT_AN_OBJECT, reason: undefined };
  for (const path of [`${maps}/b`, maps, `${maps}?labelSelector=a=b`]) {
    assert.deepEqual(await answer(server, 'GET', path), plain, path);
  }
  assert.deepEqual(await answer(server, 'DELETE', `${maps}/b`), plain);
  assert.deepEqual(await answer(server, 'PUT', `${maps}/b`, { metadata: { name: 'b' } }), plain);
});

test('with the feature gate for unsafe deletions, the error of an undecodable object has its key and revision', async () => {
  const { server, revision } = await damaged(true);
  await using _ = server;
  const fault = `${revision}: ${NOT_AN_OBJECT}`;
  const named = { status: 500, message: `Internal error occurred: ${CORRUPT}${fault}`, reason: 'InternalError' };
  assert.deepEqual(await answer(server, 'GET', `${maps}/b`), named);
  assert.deepEqual(await answer(server, 'DELETE', `${maps}/b`), named);
  assert.deepEqual(await answer(server, 'PUT', `${maps}/b`, { metadata: { name: 'b' } }), {
    status: 500,
    message: `object not decodable revision=${fault}`,
    reason: undefined,
  });
  assert.equal((await answer(server, 'GET', maps)).reason, 'StorageReadError');
});

test('a list fails only if it includes an object that cannot be decoded', async () => {
  const { server } = await damaged(false);
  await using _ = server;
  const page = await server.request('GET', `${maps}?limit=1`);
  const { items, metadata } = page.body as { items: { metadata: { name: string } }[]; metadata: { continue: string } };
  assert.deepEqual(
    items.map(({ metadata: { name } }) => name),
    ['a'],
  );
  assert.equal((await server.request('GET', `${maps}?limit=1&continue=${metadata.continue}`)).status, 500);
  assert.equal((await server.request('GET', `${maps}?limit=2`)).status, 500);
  assert.equal((await server.request('GET', `${maps}?fieldSelector=metadata.name=c`)).status, 200);
  assert.equal((await server.request('GET', `${maps}?fieldSelector=metadata.name=b`)).status, 500);
});

test('the error of a list with undecodable objects names the resource with its group, and since 1.37 the first of them', async () => {
  const revisions: number[] = [];
  const messageOf = async (kubernetesVersion: string) => {
    const store = new MemoryStore({ clock: new ManualClock() });
    for (const name of ['a', 'b', 'c']) {
      const written = await store.put(`/registry/leases/default/${name}`, Buffer.from('damaged'), 'absent');
      if (written.written) revisions.push(written.revision);
    }
    const featureGates = { AllowUnsafeMalformedObjectDeletion: true };
    const options = { controllers: '', featureGates, kubernetesVersion };
    await using server = await startTestServer(options, { store: Promise.resolve(store) });
    const { body } = await server.request('GET', '/apis/coordination.k8s.io/v1/namespaces/default/leases');
    const { message, details } = body as { message: string; details: { group: string; kind: string } };
    assert.deepEqual([details.group, details.kind], ['coordination.k8s.io', 'leases']);
    return message;
  };
  const text = 'failed to read one or more leases.coordination.k8s.io from the storage';
  assert.equal(await messageOf('1.36'), text);
  const fault = `${CORRUPT.replace('/configmaps/default/b', '/registry/leases/default/a')}${revisions[0]}`;
  assert.equal(await messageOf('1.37'), `${text}: ${fault}: ${NOT_AN_OBJECT} (and 2 more)`);
});
