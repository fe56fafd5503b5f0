import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonObject } from '../../src/api/object.ts';
import type { TestServer } from '../../src/testing.ts';
import { untilSays } from '../api-server.ts';
import { created } from '../created.ts';
import { until } from '../until.ts';
import { type BothServers, startBoth } from './keelson-behind-keelson.ts';

const THINGS = '/apis/x.io/v1/namespaces/default/things';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

function ownerOf({ metadata, ...of }: ApiObject, kind: string, apiVersion: string): JsonObject {
  return { apiVersion: of.apiVersion ?? apiVersion, kind: of.kind ?? kind, name: metadata.name, uid: metadata.uid };
}

async function isGone(server: TestServer, path: string): Promise<void> {
  await until(`${path} is gone`, async () => (await server.request('GET', path)).status === 404);
}

/** Waits until the outer server knows what the inner one has. */
async function untilKnown({ outer }: BothServers): Promise<void> {
  await untilSays(outer, 'Passed');
  await until('discovery has it', async () => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const headers = { authorization: `Bearer ${outer.token}`, accept };
    const text = await (await outer.fetch(new Request('https://localhost/apis', { headers }))).text();
    return text.includes('"resource":"things"');
  });
}

/** Waits until the outer server's garbage collector has seen all that the inner one has now. */
async function untilSeen({ outer }: BothServers): Promise<void> {
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'gone' }];
  const metadata = { generateName: 'seen-', ownerReferences };
  const { name } = (await created(outer, THINGS, { kind: 'Thing', apiVersion: 'x.io/v1', metadata })).metadata;
  await isGone(outer, `${THINGS}/${name}`);
}

test('objects of an aggregated server are written, read and watched through the main one, in the name of the user', async () => {
  await using both = await startBoth();
  const { inner, outer } = both;
  await untilKnown(both);
  await created(outer, THINGS, { kind: 'Thing', apiVersion: 'x.io/v1', metadata: { name: 'a' }, spec: { size: 1 } });
  assert.deepEqual(((await inner.request('GET', `${THINGS}/a`)).body as JsonObject)['spec'], { size: 1 });
  const headers = { authorization: `Bearer ${outer.token}` };
  const watch = await outer.fetch(new Request(`https://localhost${THINGS}?watch=true`, { headers }));
  const reader = watch.body!.getReader();
  assert.match(new TextDecoder().decode((await reader.read()).value), /^\{"type":"ADDED","object":.*"name":"a"/);
  await inner.patch(`${THINGS}/a`, { spec: { size: 2 } });
  assert.match(new TextDecoder().decode((await reader.read()).value), /^\{"type":"MODIFIED","object":.*"size":2/);
  await reader.cancel();
  const who = await outer.fetch(new Request(`https://localhost${THINGS}`, { headers: { authorization: 'Bearer no' } }));
  assert.equal(who.status, 401);
});

test('resources of an aggregated server are in discovery and OpenAPI of the main one', async () => {
  await using both = await startBoth();
  const { outer } = both;
  await untilKnown(both);
  await until('OpenAPI has it', async () => {
    const { body } = await outer.request('GET', '/openapi/v2');
    return JSON.stringify((body as JsonObject)['definitions']).includes('How big.');
  });
  const { body } = await outer.request('GET', '/openapi/v3');
  const { serverRelativeURL } = (body as { paths: Record<string, { serverRelativeURL: string }> }).paths[
    'apis/x.io/v1'
  ]!;
  assert.match(JSON.stringify((await outer.request('GET', serverRelativeURL)).body), /How big\./);
});

test('dependents on an aggregated server are deleted with their owner, and the other way round', async () => {
  await using both = await startBoth();
  const { outer } = both;
  await untilKnown(both);
  const thing = await created(outer, THINGS, { kind: 'Thing', apiVersion: 'x.io/v1', metadata: { name: 'owner' } });
  const owner = ownerOf(thing, 'Thing', 'x.io/v1');
  await created(outer, CONFIG_MAPS, { metadata: { name: 'of-a-thing', ownerReferences: [owner] } });
  const configMap = await created(outer, CONFIG_MAPS, { metadata: { name: 'owner' } });
  const ownerReferences = [ownerOf(configMap, 'ConfigMap', 'v1')];
  const dependent = { kind: 'Thing', apiVersion: 'x.io/v1', metadata: { name: 'of-a-config-map', ownerReferences } };
  await created(outer, THINGS, dependent);
  await created(outer, CONFIG_MAPS, { metadata: { name: 'kept', ownerReferences: [owner, ownerReferences[0]!] } });
  await outer.request('DELETE', `${CONFIG_MAPS}/owner`);
  await isGone(outer, `${THINGS}/of-a-config-map`);
  await until('the owner that is left stays', async () => {
    const { body } = await outer.request('GET', `${CONFIG_MAPS}/kept`);
    return (body as ApiObject).metadata.ownerReferences?.length === 1;
  });
  assert.equal((await outer.request('GET', `${CONFIG_MAPS}/of-a-thing`)).status, 200);
  await outer.request('DELETE', `${THINGS}/owner`);
  await isGone(outer, `${CONFIG_MAPS}/of-a-thing`);
  await isGone(outer, `${CONFIG_MAPS}/kept`);
});

test('foreground deletions and orphaning work across the main and an aggregated server', async () => {
  await using both = await startBoth();
  const { outer } = both;
  await untilKnown(both);
  const remove = (path: string, propagationPolicy: string) => outer.request('DELETE', path, { propagationPolicy });
  const of = async (owner: ApiObject, name: string) => {
    const reference = { ...ownerOf(owner, 'ConfigMap', 'v1'), blockOwnerDeletion: true };
    const metadata = { name, ownerReferences: [reference], finalizers: ['x.io/hold'] };
    await created(outer, THINGS, { kind: 'Thing', apiVersion: 'x.io/v1', metadata });
  };
  const first = await created(outer, CONFIG_MAPS, { metadata: { name: 'first' } });
  await of(first, 'held');
  await untilSeen(both);
  await remove(`${CONFIG_MAPS}/first`, 'Foreground');
  await until('the dependent is told to go', async () => {
    const { body } = await outer.request('GET', `${THINGS}/held`);
    return (body as ApiObject).metadata.deletionTimestamp !== undefined;
  });
  assert.equal((await outer.request('GET', `${CONFIG_MAPS}/first`)).status, 200, 'the owner waits');
  await outer.patch(`${THINGS}/held`, { metadata: { finalizers: null } });
  await isGone(outer, `${CONFIG_MAPS}/first`);
  const second = await created(outer, CONFIG_MAPS, { metadata: { name: 'second' } });
  await of(second, 'orphan');
  await untilSeen(both);
  await remove(`${CONFIG_MAPS}/second`, 'Orphan');
  await isGone(outer, `${CONFIG_MAPS}/second`);
  const orphan = (await outer.request('GET', `${THINGS}/orphan`)).body as ApiObject;
  assert.equal(orphan.metadata.ownerReferences, undefined);
  assert.equal(orphan.metadata.deletionTimestamp, undefined);
});

test('a deleted namespace takes its content on an aggregated server with it', async () => {
  await using both = await startBoth();
  const { inner, outer } = both;
  await untilKnown(both);
  await created(outer, '/api/v1/namespaces', { metadata: { name: 'work' } });
  const things = THINGS.replace('default', 'work');
  await created(outer, things, {
    kind: 'Thing',
    apiVersion: 'x.io/v1',
    metadata: { name: 'a', finalizers: ['x.io/hold'] },
  });
  await outer.request('DELETE', '/api/v1/namespaces/work');
  const says = async (type: string) => {
    const { body } = await outer.request('GET', '/api/v1/namespaces/work');
    const { conditions = [] } = (body as { status: { conditions?: JsonObject[] } }).status;
    return conditions.find((each) => each['type'] === type)?.['message'];
  };
  const remaining = 'Some resources are remaining: things.x.io has 1 resource instances';
  await until('it says what is left', async () => (await says('NamespaceContentRemaining')) === remaining);
  const held = 'Some content in the namespace has finalizers remaining: x.io/hold in 1 resource instances';
  assert.equal(await says('NamespaceFinalizersRemaining'), held);
  await inner.patch(`${things}/a`, { metadata: { finalizers: null } });
  await isGone(outer, '/api/v1/namespaces/work');
});
