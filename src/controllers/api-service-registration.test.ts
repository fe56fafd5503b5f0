import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { ManualClock } from '../base/clock.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const API_SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const MANAGED = 'kube-aggregator.kubernetes.io/automanaged';

function definition(...served: boolean[]): JsonObject {
  const schema = { openAPIV3Schema: { type: 'object' } };
  return {
    metadata: { name: 'things.x.io' },
    spec: {
      group: 'x.io',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: served.map((is, index) => ({ name: `v${index + 1}`, served: is, storage: index === 0, schema })),
    },
  };
}

async function read(server: TestServer, name: string): Promise<ApiObject | undefined> {
  const { status, body } = await server.request('GET', `${API_SERVICES}/${name}`);
  return status === 200 ? (body as ApiObject) : undefined;
}

test('each served version of a CustomResourceDefinition has an APIService, as long as it is served', async () => {
  await using server = await startTestServer();
  await server.request('POST', DEFINITIONS, definition(true, true));
  for (const name of ['v1.x.io', 'v2.x.io']) await until(name, async () => (await read(server, name)) !== undefined);
  const { metadata, spec, status } = (await read(server, 'v1.x.io'))!;
  assert.deepEqual(metadata.labels, { [MANAGED]: 'true' });
  assert.deepEqual(spec, { group: 'x.io', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 });
  const [condition] = (status as { conditions: JsonObject[] }).conditions;
  assert.equal(condition!['reason'], 'Local');

  await server.patch(`${API_SERVICES}/v1.x.io`, { spec: { versionPriority: 7 } });
  const isBack = async () => (await read(server, 'v1.x.io'))?.['spec'] as JsonObject | undefined;
  await until('it is changed back', async () => (await isBack())?.['versionPriority'] === 100);

  await server.request('DELETE', `${API_SERVICES}/v1.x.io`);
  const { uid } = metadata;
  await until('it is made again', async () => {
    const found = await read(server, 'v1.x.io');
    return found !== undefined && found.metadata.uid !== uid;
  });

  const [one, two] = (definition(true, false)['spec'] as { versions: JsonObject[] }).versions;
  await server.patch(`${DEFINITIONS}/things.x.io`, { spec: { versions: [one, two] } });
  await until('v2 is gone', async () => (await read(server, 'v2.x.io')) === undefined);
  await server.request('DELETE', `${DEFINITIONS}/things.x.io`);
  await until('v1 is gone', async () => (await read(server, 'v1.x.io')) === undefined);
});

test('an APIService without the label for automatic management belongs to its creator', async () => {
  await using server = await startTestServer();
  const spec = { group: 'x.io', version: 'v1', groupPriorityMinimum: 5, versionPriority: 5 };
  await server.request('POST', API_SERVICES, { metadata: { name: 'v1.x.io' }, spec });
  await server.request('POST', DEFINITIONS, definition(true, true));
  await until('v2.x.io', async () => (await read(server, 'v2.x.io')) !== undefined);
  assert.deepEqual((await read(server, 'v1.x.io'))!['spec'], spec);
});

test('the APIService of a built-in version is not created again after its deletion, and its group is not listed', async () => {
  await using server = await startTestServer();
  await server.request('POST', DEFINITIONS, definition(true));
  await until('v1.x.io', async () => (await read(server, 'v1.x.io')) !== undefined);
  await server.request('DELETE', `${API_SERVICES}/v1.batch`);
  await server.request('DELETE', `${API_SERVICES}/v1.x.io`);
  await until('v1.x.io', async () => (await read(server, 'v1.x.io')) !== undefined);
  assert.equal(await read(server, 'v1.batch'), undefined);
  const { body } = await server.request('GET', '/apis');
  const names = (body as { groups: { name: string }[] }).groups.map(({ name }) => name);
  assert.ok(!names.includes('batch') && names.includes('apps'));
  assert.equal((await server.request('GET', '/apis/batch/v1/jobs')).status, 200);
  assert.equal((await server.request('GET', '/apis/batch')).status, 200);
});

test('while a CustomResourceDefinition cannot be read, its APIServices are kept', async () => {
  const clock = new ManualClock();
  const store = new MemoryStore({ clock });
  const damaged = '/registry/apiextensions.k8s.io/customresourcedefinitions/damaged';
  await store.put(damaged, Buffer.from('damaged'), 'absent');
  const stale = {
    ...{ kind: 'APIService', apiVersion: 'apiregistration.k8s.io/v1' },
    metadata: { name: 'v1.stale.io', uid: 'u', labels: { [MANAGED]: 'true' } },
    spec: { group: 'stale.io', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 },
  };
  const key = '/registry/apiregistration.k8s.io/apiservices/v1.stale.io';
  await store.put(key, Buffer.from(JSON.stringify(stale)), 'absent');
  await using server = await startTestServer({}, { store: Promise.resolve(store), clock });
  await server.request('POST', DEFINITIONS, definition(true));
  // By then those from before the start have been looked at.
  await until('v1.x.io', async () => (await read(server, 'v1.x.io')) !== undefined);
  clock.advance(60_000);
  await server.request('DELETE', `${API_SERVICES}/v1.x.io`);
  await until('v1.x.io', async () => (await read(server, 'v1.x.io')) !== undefined);
  assert.notEqual(await read(server, 'v1.stale.io'), undefined);
  await store.delete(damaged, 'any');
  await until('v1.stale.io is gone', async () => {
    clock.advance(10_000);
    return (await read(server, 'v1.stale.io')) === undefined;
  });
});
