import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerJson, type OtherApiServer, register, startOtherApiServer, untilSays } from '../../../test/api-server.ts';
import { until } from '../../../test/until.ts';
import type { JsonObject } from '../../api/object.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const VERBS = ['get', 'list'];
const RESOURCE = {
  resource: 'things',
  responseKind: { group: 'x.io', version: 'v1', kind: 'Thing' },
  scope: 'Namespaced',
  singularResource: 'thing',
  verbs: VERBS,
};

/** A server that says what it has in the older form alone. */
const LEGACY: OtherApiServer['answer'] = ({ url }, response) => {
  const resource = { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: VERBS };
  const status = { name: 'things/status', singularName: '', namespaced: true, kind: 'Thing', verbs: ['get'] };
  if (url !== '/apis/x.io/v1') return answerJson(response, {}, 404);
  answerJson(response, { kind: 'APIResourceList', groupVersion: 'x.io/v1', resources: [resource, status] });
};

const NEWER: OtherApiServer['answer'] = (asked, response) => {
  if (asked.url !== '/apis') return answerJson(response, {});
  const version = { version: 'v1', freshness: 'Current', resources: [RESOURCE] };
  const items = [{ metadata: { name: 'x.io' }, versions: [version] }];
  response.writeHead(200, { 'content-type': AGGREGATED }).end(JSON.stringify({ items }));
};

async function published(server: TestServer): Promise<JsonObject[]> {
  const headers = { authorization: `Bearer ${server.token}`, accept: AGGREGATED };
  const response = await server.fetch(new Request('https://localhost/apis', { headers }));
  return ((await response.json()) as { items: JsonObject[] }).items;
}

async function versionOf(server: TestServer): Promise<JsonObject | undefined> {
  const group = (await published(server)).find(({ metadata }) => (metadata as JsonObject)['name'] === 'x.io');
  return (group?.['versions'] as JsonObject[] | undefined)?.[0];
}

test('resources of an aggregated server are in discovery, and stale while it is down', async () => {
  await using other = await startOtherApiServer(NEWER);
  await using server = await startTestServer();
  await register(server, other);
  await until('it is current', async () => (await versionOf(server))?.['freshness'] === 'Current');
  assert.deepEqual(await versionOf(server), { version: 'v1', resources: [RESOURCE], freshness: 'Current' });
  const { body } = await server.request('GET', '/apis/x.io');
  const facts = { groupVersion: 'x.io/v1', version: 'v1' };
  assert.deepEqual(body, {
    kind: 'APIGroup',
    apiVersion: 'v1',
    name: 'x.io',
    versions: [facts],
    preferredVersion: facts,
  });
  other.answer = (_, response) => answerJson(response, {}, 500);
  await server.patch('/apis/apiregistration.k8s.io/v1/apiservices/v1.x.io', {
    metadata: { labels: { look: 'again' } },
  });
  await untilSays(server, 'FailedDiscoveryCheck');
  await until('it is stale', async () => (await versionOf(server))?.['freshness'] === 'Stale');
  assert.deepEqual(await versionOf(server), { version: 'v1', freshness: 'Stale' });
  const list = (await server.request('GET', '/apis')).body as { groups: { name: string }[] };
  assert.ok(
    list.groups.some(({ name }) => name === 'x.io'),
    'it stays listed',
  );
  assert.equal((await server.request('GET', '/apis/x.io')).status, 200);
});

test('unaggregated discovery of an aggregated server is converted to the aggregated form', async () => {
  await using other = await startOtherApiServer(LEGACY);
  await using server = await startTestServer();
  await register(server, other);
  await until('it is current', async () => (await versionOf(server))?.['freshness'] === 'Current');
  const kind = { group: '', version: '', kind: 'Thing' };
  const status = { subresource: 'status', responseKind: kind, verbs: ['get'] };
  assert.deepEqual((await versionOf(server))!['resources'], [
    { ...RESOURCE, responseKind: kind, subresources: [status] },
  ]);
});

test('an aggregated server that hangs delays only its own discovery', async () => {
  await using other = await startOtherApiServer(() => {});
  await using server = await startTestServer();
  await register(server, other);
  await until('it is asked', () => other.asked.length > 0);
  assert.deepEqual(await versionOf(server), { version: 'v1', freshness: 'Stale' });
  assert.equal((await server.request('GET', '/apis')).status, 200);
  assert.equal((await server.request('GET', '/api/v1/namespaces')).status, 200);
});

test('groups in discovery are sorted by the priority of their APIServices', async () => {
  await using server = await startTestServer();
  await register(server, { port: 1, caBundle: '' }, { groupPriorityMinimum: 17_790, insecureSkipTLSVerify: true });
  const names = (await published(server)).map(({ metadata }) => (metadata as JsonObject)['name']);
  assert.deepEqual(names.slice(0, 4), ['apiregistration.k8s.io', 'apps', 'x.io', 'events.k8s.io']);
  const list = (await server.request('GET', '/apis')).body as { groups: { name: string }[] };
  assert.deepEqual(list.groups.map(({ name }) => name).slice(0, 4), names.slice(0, 4));
});

const POD = 'io.k8s.api.core.v1.Pod';

const DESCRIBED: OtherApiServer['answer'] = ({ url }, response) => {
  const index = { paths: { 'apis/x.io/v1': { serverRelativeURL: '/openapi/v3/apis/x.io/v1?hash=ABC' } } };
  const path = { get: { responses: { 200: { description: 'OK', schema: { $ref: `#/definitions/${POD}` } } } } };
  const paths = { '/apis/x.io/v1/things': path, '/version/': path };
  const whole = { swagger: '2.0', info: {}, paths, definitions: { [POD]: { description: 'theirs' } } };
  if (url === '/openapi/v3') return answerJson(response, index);
  answerJson(response, url === '/openapi/v2' ? whole : { openapi: '3.0.0', url });
};

test('OpenAPI documents of an aggregated server are published beside built-in ones', async () => {
  await using other = await startOtherApiServer(DESCRIBED);
  await using server = await startTestServer();
  await register(server, other);
  type Documents = { paths: Record<string, JsonObject>; definitions: JsonObject; info: JsonObject };
  const read = async (path: string) => (await server.request('GET', path)).body as Documents;
  await until('version 3 has it', async () => (await read('/openapi/v3')).paths['apis/x.io/v1'] !== undefined);
  const { serverRelativeURL } = (await read('/openapi/v3')).paths['apis/x.io/v1']!;
  assert.equal(serverRelativeURL, '/openapi/v3/apis/x.io/v1?hash=ABC');
  assert.deepEqual(await read(String(serverRelativeURL)), { openapi: '3.0.0', url: serverRelativeURL });
  const { paths, definitions, info } = await read('/openapi/v2');
  assert.deepEqual(info, { title: 'Kubernetes', version: '1.34' });
  assert.match(JSON.stringify(paths['/apis/x.io/v1/things']), /Pod_v2"/);
  assert.deepEqual(definitions[`${POD}_v2`], { description: 'theirs' });
  await server.request('DELETE', '/apis/apiregistration.k8s.io/v1/apiservices/v1.x.io');
  await until('it is gone', async () => (await read('/openapi/v3')).paths['apis/x.io/v1'] === undefined);
  assert.equal((await read('/openapi/v2')).paths['/apis/x.io/v1/things'], undefined);
});
