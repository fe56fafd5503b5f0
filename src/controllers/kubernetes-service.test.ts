import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { ApiObject } from '../api/object.ts';
import { at, listAt } from '../resources/value.ts';
import { systemClock } from '../server/system-clock.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const PATH = '/api/v1/namespaces/default/services/kubernetes';

async function read(server: TestServer): Promise<ApiObject> {
  return (await server.request('GET', PATH)).body as ApiObject;
}

function targetPort(service: ApiObject): unknown {
  return at(listAt(service, 'spec', 'ports')[0], 'targetPort');
}

/** Waits until the service forwards to that port. */
function forwardsTo(server: TestServer, port: number): Promise<unknown> {
  return until(`the service forwards to ${port}`, async () => targetPort(await read(server)) === port);
}

test('the service forwards to where the server listens, after a start on another port too', async () => {
  const store = new MemoryStore({ clock: systemClock });
  const close = store.close.bind(store);
  store.close = async () => {};
  let uid: string | undefined;
  for (let start = 0; start < 2; start++) {
    await using server = await startTestServer({ listen: true }, { store: Promise.resolve(store) });
    await forwardsTo(server, Number(new URL(server.url).port));
    const { metadata } = await read(server);
    uid ??= metadata.uid;
    assert.equal(metadata.uid, uid, 'it is changed, not made anew');
  }
  await close();
});

test('a server without a port names the usual one', async () => {
  await using server = await startTestServer();
  assert.equal(targetPort(await read(server)), 6443);
});

test('the service comes back when it is deleted, with its address', async () => {
  await using server = await startTestServer();
  const { metadata } = await read(server);
  assert.equal((await server.request('DELETE', PATH)).status, 200);
  await until('it is back', async () => (await server.request('GET', PATH)).status === 200);
  const again = await read(server);
  assert.notEqual(again.metadata.uid, metadata.uid);
  assert.equal(at(again, 'spec', 'clusterIP'), '10.0.0.1');
});
