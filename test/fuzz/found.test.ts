// Regression tests of what fuzzing has found, as the smallest request that shows it.

import assert from 'node:assert/strict';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startTestServer } from '../../src/testing.ts';
import { authorityIn } from '../conformance/server.ts';
import { CountingClock } from './watched-environment.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

test('a warning about a field whose name is not Latin-1 is sent in UTF-8', async () => {
  await using server = await startTestServer({ listen: true });
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json', connection: 'close' };
  const options = { method: 'POST', headers, ca: authorityIn(server.kubeconfigText) };
  const warning = await new Promise((resolve, reject) => {
    const sent = request(`${server.url}${configMaps}`, options, (response) => {
      assert.equal(response.statusCode, 201);
      response.resume().on('end', () => resolve(response.headers['warning']));
    });
    sent.on('error', reject).end('{"metadata":{"name":"x"},"größe☃":1}');
  });
  assert.equal(Buffer.from(String(warning), 'latin1').toString('utf8'), '299 - "unknown field \\"größe☃\\""');
});

test('a watch whose client left before it began sends no bookmarks', async () => {
  const clock = new CountingClock();
  await using server = await startTestServer({}, { clock });
  const list = (await server.request('GET', configMaps)).body as { metadata: { resourceVersion: string } };
  const next = Number(list.metadata.resourceVersion) + 1;
  const leave = new AbortController();
  const query = `watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`;
  const watch = new Request(`https://localhost${configMaps}?${query}&resourceVersion=${next}`, {
    headers: { authorization: `Bearer ${server.token}` },
    signal: leave.signal,
  });
  const response = await server.fetch(watch);
  leave.abort();
  await assert.rejects(text(response.body!));
  // Now the version is there that the watch waits for.
  assert.equal((await server.request('POST', configMaps, { metadata: { name: 'next' } })).status, 201);
  await clock.letGo();
});

test('names that every JavaScript object has are like any other', async () => {
  await using server = await startTestServer();
  const patch = await server.patch('/api/v1/namespaces/default', {}, 'constructor');
  assert.equal(patch.status, 415);
  const subresource = await server.request('GET', `${configMaps}/x/constructor`);
  assert.match(JSON.stringify(subresource.body), /the server could not find the requested resource/);
  for (const type of ['__proto__', 'constructor', 'toString']) {
    const secret = { metadata: { name: 'keys' }, type };
    const created = await server.request('POST', '/api/v1/namespaces/default/secrets?dryRun=All', secret);
    assert.equal(created.status, 201, type);
  }
});

test('a patch that sets kind to a number beyond 2^53 is rejected', async () => {
  await using server = await startTestServer();
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/merge-patch+json' };
  const body = '{"kind":9223372036854775807}';
  const patch = new Request('https://localhost/api/v1/namespaces/default', { method: 'PATCH', headers, body });
  assert.equal((await server.fetch(patch)).status, 422);
});

test('a body with apiVersion __proto__ is rejected', async () => {
  await using server = await startTestServer();
  const body = { apiVersion: '__proto__', kind: 'X', metadata: { name: 'x' } };
  assert.equal((await server.request('POST', configMaps, body)).status, 400);
});

test('an Eviction in the removed version policy/v1beta1 is accepted', async () => {
  await using server = await startTestServer();
  const pods = '/api/v1/namespaces/default/pods';
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  assert.equal((await server.request('POST', pods, { metadata: { name: 'web' }, spec })).status, 201);
  const eviction = { apiVersion: 'policy/v1beta1', metadata: { name: 'web' } };
  assert.equal((await server.request('POST', `${pods}/web/eviction?dryRun=All`, eviction)).status, 201);
});

test('a number beyond 2^53 in the parameters of a device is kept', async () => {
  await using server = await startTestServer();
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const opaque = '{"driver":"gpu.example.com","parameters":{"limit":9223372036854775807}}';
  const body = `{"metadata":{"name":"large"},"spec":{"config":[{"opaque":${opaque}}]}}`;
  const create = new Request('https://localhost/apis/resource.k8s.io/v1/deviceclasses', {
    method: 'POST',
    headers,
    body,
  });
  const response = await server.fetch(create);
  assert.equal(response.status, 201);
  assert.match(await response.text(), /"limit":9223372036854775807/);
});

test('names that every JavaScript object inherits are not members of a body', async () => {
  await using server = await startTestServer();
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const limit = JSON.parse(`{"type":"Container","max":{"cpu":"2","${name}":"0"},"min":{"cpu":"1"}}`);
    const body = { metadata: { name: 'limits' }, spec: { limits: [limit] } };
    const { status } = await server.request('POST', '/api/v1/namespaces/default/limitranges?dryRun=All', body);
    assert.notEqual(status, 500, name);
  }
});

test('a ComponentStatus with the name __proto__ does not exist', async () => {
  await using server = await startTestServer();
  assert.equal((await server.request('GET', '/api/v1/componentstatuses/__proto__')).status, 404);
});

test('a very long grace period marks a pod as deleted at the last possible time', async () => {
  await using server = await startTestServer({ controllers: '' });
  const pods = '/api/v1/namespaces/default/pods';
  await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
  const made = await server.request('POST', pods, { metadata: { name: 'a' }, spec });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { status, body } = await server.request('DELETE', `${pods}/a`, { gracePeriodSeconds: 9_007_199_254_740_992 });
  assert.equal(status, 200, JSON.stringify(body));
  const { metadata } = body as { metadata: { deletionTimestamp: string } };
  assert.equal(metadata.deletionTimestamp, '9999-12-31T23:59:59Z');
});

test('a ControllerRevision with an integer beyond 2^53 may be updated, and its data may not change', async () => {
  await using server = await startTestServer();
  const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';
  const write = (method: string, path: string, data: string) =>
    server.fetch(
      new Request(`https://localhost${path}`, {
        method,
        headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
        body: `{"metadata":{"name":"a"},"revision":1,"data":{"a":${data}}}`,
      }),
    );
  assert.equal((await write('POST', revisions, '9007199254740993')).status, 201);
  assert.equal((await write('PUT', `${revisions}/a`, '9007199254740993')).status, 200);
  assert.equal((await write('PUT', `${revisions}/a`, '9007199254740995')).status, 422);
});
