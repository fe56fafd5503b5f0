import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { startTestServer, type TestServer } from '../testing.ts';

async function ask(server: TestServer, path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${server.token}`, ...(init.headers as Record<string, string>) };
  const response = await server.fetch(new Request(`https://localhost${path}`, { ...init, headers }));
  const text = await response.text();
  return { status: response.status, warning: response.headers.get('warning'), text };
}

test('the removed parameter export is rejected for gets only', async () => {
  await using server = await startTestServer();
  for (const path of ['/api/v1/namespaces/default', '/api/v1/namespaces/none', '/api/v1/componentstatuses/none']) {
    const { status, text } = await ask(server, `${path}?export=true`);
    assert.equal(status, 400, path);
    assert.match(text, /the export parameter, deprecated since v1\.14, is no longer supported/);
  }
  assert.equal((await ask(server, '/api/v1/namespaces/default?export=false')).status, 200);
  assert.equal((await ask(server, '/api/v1/namespaces?export=true')).status, 200);
});

test('the ListOptions of component statuses are validated before a watch is rejected', async () => {
  await using server = await startTestServer();
  for (const [query, status] of [
    ['timeoutSeconds=abc', 400],
    ['sendInitialEvents=true', 422],
    ['resourceVersionMatch=Exact', 422],
    ['fieldSelector=%3Dx&resourceVersionMatch=NotOlderThan', 422],
    ['watch=1&limit=x', 400],
    ['watch=1&resourceVersionMatch=Exact', 422],
    ['watch=1&labelSelector=!!', 400],
    ['watch=1', 405],
  ] as const) {
    assert.equal((await ask(server, `/api/v1/componentstatuses?${query}`)).status, status, query);
  }
});

test('a 406 has no warning about a deprecated version', async () => {
  await using server = await startTestServer();
  const path = '/api/v1/namespaces/default/endpoints';
  const refused = await ask(server, path, { headers: { accept: 'text/html' } });
  assert.deepEqual([refused.status, refused.warning], [406, null]);
  assert.match((await ask(server, path)).warning ?? '', /v1 Endpoints is deprecated/);
});

test('CreateOptions are validated before the body, for all resources that can be created', async () => {
  await using server = await startTestServer();
  const token = '/api/v1/namespaces/default/serviceaccounts/default/token';
  const paths = ['/api/v1/namespaces/default/bindings', '/apis/authorization.k8s.io/v1/subjectaccessreviews', token];
  for (const path of [...paths, '/api/v1/namespaces/default/pods/none/eviction']) {
    const headers = { 'content-type': 'application/json' };
    const { status, text } = await ask(server, `${path}?fieldValidation=x`, { method: 'POST', headers, body: '{' });
    assert.equal(status, 422, path);
    assert.match(text, /CreateOptions\.meta\.k8s\.io/);
  }
});

test('sinceTime of a pod log that cannot be parsed is reported in the words of Go', async () => {
  await using server = await startTestServer();
  const { status, text } = await ask(server, '/api/v1/namespaces/default/pods/none/log?sinceTime=x');
  assert.equal(status, 400);
  const { message } = JSON.parse(text);
  assert.equal(message, 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"');
});

test('a list at a future resourceVersion is 504 at once for resources that kube-apiserver does not cache', async () => {
  const clock = new ManualClock();
  await using server = await startTestServer({}, { clock });
  const { status, text } = await ask(server, '/api/v1/namespaces/default/events?resourceVersion=99999999999');
  assert.equal(status, 504);
  assert.match(text, /Too large resource version/);
});

test('so is a watch with initial events, and a malformed version of a get is 400 instead of 500', async () => {
  const clock = new ManualClock();
  await using server = await startTestServer({}, { clock });
  const future = 'resourceVersion=99999999999&resourceVersionMatch=NotOlderThan';
  const path = '/api/v1/namespaces/default/events';
  const watched = await ask(server, `${path}?watch=1&sendInitialEvents=true&allowWatchBookmarks=true&${future}`);
  assert.equal(JSON.parse(watched.text).object.code, 504);
  assert.equal(JSON.parse(watched.text).object.details.retryAfterSeconds, 1);
  const { status, text } = await ask(server, `${path}/none?resourceVersion=-1`);
  assert.equal(status, 400);
  assert.match(text, /"invalid resource version: resourceVersion: Invalid value: /);
  assert.equal((await ask(server, '/api/v1/namespaces/default/secrets/none?resourceVersion=-1')).status, 500);
});

test('a watch with a negative timeoutSeconds ends at once', async () => {
  await using server = await startTestServer();
  assert.equal((await ask(server, '/api/v1/nodes?watch=1&timeoutSeconds=-1')).status, 200);
});

test('ListOptions of a watch are validated before an unknown Table version', async () => {
  await using server = await startTestServer();
  const table = { accept: 'application/json;as=Table;v=v3;g=meta.k8s.io' };
  const watch = (query: string) => ask(server, `/api/v1/nodes?watch=1${query}`, { headers: table });
  assert.equal((await watch('')).status, 406);
  assert.equal((await watch('&resourceVersionMatch=Exact')).status, 422);
});

test('aggregated discovery is served without a slash at the end of /apis, and with one of /api', async () => {
  await using server = await startTestServer();
  const headers = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };
  for (const [path, status] of [
    ['/apis', 200],
    ['/apis/', 406],
    ['/api', 200],
    ['/api/', 200],
  ] as const) {
    assert.equal((await ask(server, path, { headers })).status, status, path);
  }
});
