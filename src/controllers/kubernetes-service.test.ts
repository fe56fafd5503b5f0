import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { until } from '../../test/until.ts';
import type { ApiObject } from '../api/object.ts';
import { at, listAt } from '../resources/value.ts';
import { systemClock } from '../server/system-clock.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
const PATH = '/api/v1/namespaces/default/services/kubernetes';

async function read(server: TestServer): Promise<ApiObject> {
  return (await server.request('GET', PATH)).body as ApiObject;
}

function targetPort(service: ApiObject): unknown {
  return at(listAt(service, 'spec', 'ports')[0], 'targetPort');
}

/** Waits until the service exists, for as many seconds as that may take. */
function isBack(server: TestServer): Promise<unknown> {
  return until('it is back', async () => {
    await server.clock?.advance('10s');
    return (await server.request('GET', PATH)).status === 200;
  });
}

/** Lets controllers work: they write in turns of the event loop of their own. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await setImmediate();
}

/** Waits until the service forwards to that port. */
function forwardsTo(server: TestServer, port: number): Promise<unknown> {
  return until(`the service forwards to ${port}`, async () => targetPort(await read(server)) === port);
}

test('the kubernetes Service has the port of the server as target, also after a restart on another port', async () => {
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

test('the kubernetes Service of a server that does not listen has the target port 6443', async () => {
  await using server = await startTestServer();
  assert.equal(targetPort(await read(server)), 6443);
});

test('the kubernetes Service is created again with its cluster IP when it is deleted', async () => {
  await using server = await startTestServer();
  const { metadata } = await read(server);
  assert.equal((await server.request('DELETE', PATH)).status, 200);
  await isBack(server);
  const again = await read(server);
  assert.notEqual(again.metadata.uid, metadata.uid);
  assert.equal(at(again, 'spec', 'clusterIP'), '10.0.0.1');
});

test('another Service may take the cluster IP of a deleted kubernetes Service, which comes back once it is free', async () => {
  await using server = await startTestServer();
  const services = '/api/v1/namespaces/default/services';
  // The controller starts after the server; once the Service has come back, it runs.
  await server.request('DELETE', PATH);
  await isBack(server);
  const fake = { metadata: { name: 'fake' }, spec: { clusterIP: '10.0.0.1', ports: [{ port: 443 }] } };
  assert.equal((await server.request('DELETE', PATH)).status, 200);
  await someTurns();
  await server.clock?.advance('5s');
  assert.equal((await server.request('POST', services, fake)).status, 201);
  await server.clock?.advance('30s');
  await someTurns();
  assert.equal((await server.request('GET', PATH)).status, 404);
  assert.equal((await server.request('DELETE', `${services}/fake`)).status, 200);
  assert.equal((await server.request('GET', PATH)).status, 404);
  await isBack(server);
});

test('the endpoints of the kubernetes Service hold the advertise address, and are restored', async () => {
  await using server = await startTestServer({ listen: true, advertiseAddress: '192.0.2.7' });
  const port = Number(new URL(server.url).port);
  const places = ['/api/v1/namespaces/default/endpoints/kubernetes', `${SLICES}/kubernetes`];
  const leads = async (path: string): Promise<boolean> => {
    const { status, body } = await server.request('GET', path);
    return status === 200 && JSON.stringify(body).includes('192.0.2.7');
  };
  for (const path of places) await until(`${path} is there`, () => leads(path));
  const [endpoints, slice] = await Promise.all(places.map(async (path) => (await server.request('GET', path)).body));
  assert.deepEqual((endpoints as ApiObject)['subsets'], [
    { addresses: [{ ip: '192.0.2.7' }], ports: [{ name: 'https', port, protocol: 'TCP' }] },
  ]);
  const { addressType, ports, metadata } = slice as ApiObject;
  assert.deepEqual([addressType, ports], ['IPv4', [{ name: 'https', port, protocol: 'TCP' }]]);
  assert.equal(metadata.labels?.['kubernetes.io/service-name'], 'kubernetes');
  await server.patch(places[0]!, { subsets: null });
  await server.request('DELETE', places[1]!);
  await someTurns();
  assert.deepEqual(await Promise.all(places.map(leads)), [false, false], 'not at once');
  await server.clock?.advance('10s');
  for (const path of places) await until(`${path} is right again`, () => leads(path));
});

test('a server with a loopback advertise address has no endpoints', async () => {
  await using server = await startTestServer({ listen: true, advertiseAddress: '127.0.0.1' });
  await forwardsTo(server, Number(new URL(server.url).port));
  assert.equal((await server.request('GET', `${SLICES}/kubernetes`)).status, 404);
});
