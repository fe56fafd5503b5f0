import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer, type TestServer } from '../testing.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const quiet = { controllers: '' };
const configMap = (name: string, data = {}) => ({ metadata: { name }, data });
const reference = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } });

type Status = { code: number; reason: string; message: string; details?: object };

async function create(server: TestServer, name: string): Promise<number> {
  return (await server.request('POST', PATH, configMap(name))).status;
}

test('a fault makes requests fail as often as it should', async () => {
  await using server = await startTestServer(quiet);
  const fault = server.faults.add({ verb: 'create', resource: 'configmaps', answer: 409, times: 2 });
  const refused = await server.request('POST', PATH, configMap('a'));
  const { code, reason, details } = refused.body as Status;
  assert.deepEqual([refused.status, code, reason], [409, 409, 'Conflict']);
  assert.deepEqual(details, { kind: 'configmaps' });
  assert.equal(await create(server, 'a'), 409);
  assert.equal(await create(server, 'a'), 201);
  assert.equal(fault.count, 2);
});

test('each status of a fault has its reason', async () => {
  await using server = await startTestServer(quiet);
  const reasons = { 429: 'TooManyRequests', 500: 'InternalError', 503: 'ServiceUnavailable' };
  for (const [status, reason] of Object.entries(reasons)) {
    using _ = server.faults.add({ answer: Number(status) as 429, message: 'no' });
    const { body, status: answered } = await server.request('GET', PATH);
    assert.deepEqual([answered, (body as Status).reason], [Number(status), reason]);
  }
  using _ = server.faults.add({ answer: 429, retryAfterSeconds: 7 });
  const headers = { authorization: `Bearer ${server.token}` };
  const response = await server.fetch(new Request(`https://x${PATH}`, { headers }));
  assert.equal(response.headers.get('retry-after'), '7');
});

test('a fault matches requests by subresource, namespace, name and user', async () => {
  await using server = await startTestServer(quiet);
  await create(server, 'a');
  await create(server, 'b');
  const get = async (path: string) => (await server.request('GET', path)).status;
  {
    using _ = server.faults.add({ resource: 'configmaps', name: 'a', answer: 503 });
    assert.deepEqual([await get(`${PATH}/a`), await get(`${PATH}/b`)], [503, 200]);
  }
  {
    using _ = server.faults.add({ namespace: ['other', 'kube-system'], answer: 503 });
    assert.deepEqual([await get('/api/v1/namespaces/other/configmaps'), await get(PATH)], [503, 200]);
  }
  {
    using _ = server.faults.add({ user: 'somebody', answer: 503 });
    assert.equal(await get(PATH), 200);
  }
  const namespaces = '/api/v1/namespaces/default';
  const status = async (path: string) => (await server.patch(path, {})).status;
  {
    using _ = server.faults.add({ verb: 'patch', resource: 'namespaces', answer: 500 });
    assert.deepEqual([await status(namespaces), await status(`${namespaces}/status`)], [500, 200]);
  }
  using _ = server.faults.add({ verb: 'patch', resource: 'namespaces', subresource: 'status', answer: 500 });
  assert.deepEqual([await status(namespaces), await status(`${namespaces}/status`)], [200, 500]);
});

test('a fault with afterCommit stores the object and returns an error', async () => {
  await using server = await startTestServer(quiet);
  server.faults.add({ verb: 'create', answer: 500, afterCommit: true, times: 1 });
  assert.equal(await create(server, 'a'), 500);
  assert.equal(await create(server, 'a'), 409);
  server.faults.add({ verb: 'create', cut: true, afterCommit: true, times: 1 });
  await assert.rejects(create(server, 'b'), /broken off/);
  assert.equal(await create(server, 'b'), 409);
  server.faults.add({ verb: 'list', answer: 500, afterCommit: true, times: 1 });
  assert.equal((await server.request('GET', PATH)).status, 500, 'answers in pieces, too');
});

test('a fault delays by the clock of the server', async () => {
  await using server = await startTestServer(quiet);
  server.faults.add({ verb: 'create', delay: '20s', times: 1 });
  let answered = false;
  const late = create(server, 'a').then((status) => {
    answered = true;
    return status;
  });
  assert.equal((await server.request('GET', PATH)).status, 200);
  assert.equal(answered, false);
  server.clock?.advance('20s');
  assert.equal(await late, 201);
});

test('a fault cuts watches that are open and those that follow', async () => {
  await using server = await startTestServer(quiet);
  const headers = { authorization: `Bearer ${server.token}` };
  const watch = (path = PATH) => server.fetch(new Request(`https://x${path}?watch=true`, { headers }));
  const [open, other] = [await watch(), await watch('/api/v1/secrets')];
  assert.equal(server.faults.cutWatches({ resource: 'configmaps' }), 1);
  await assert.rejects(open.text());
  assert.equal(server.faults.cutWatches(), 1);
  await assert.rejects(other.text());
  const fault = server.faults.add({ verb: 'watch', cut: true, times: 1 });
  await assert.rejects(watch());
  const next = await watch();
  assert.deepEqual([next.status, fault.count], [200, 1]);
});

test('a fault with no effect, or with several, is rejected', async () => {
  await using server = await startTestServer(quiet);
  const wrong: [object, RegExp][] = [
    [{ verb: 'get' }, /answer, cut or delay/],
    [{ answer: 409, cut: true }, /mutually exclusive/],
    [{ answer: 418 }, /409, 429, 500, 503/],
    [{ answer: 409, times: 0 }, /times/],
    [{ delay: 5, afterCommit: true }, /afterCommit needs/],
    [{ answer: 409, resources: 'pods' }, /no resources/],
  ];
  for (const [fault, message] of wrong) assert.throws(() => server.faults.add(fault), message);
});

test('requests are recorded with their user and their result', async () => {
  await using server = await startTestServer(quiet);
  await create(server, 'a');
  await server.request('GET', `${PATH}/none`);
  await server.fetch(new Request(`https://x${PATH}`, { headers: { 'user-agent': 'probe/1' } }));
  const told = [...server.requests].map(({ verb, resource, name, user, status }) => [
    ...[verb, resource, name, user, status],
  ]);
  assert.deepEqual(told, [
    ['create', 'configmaps', '', 'admin', 201],
    ['get', 'configmaps', 'none', 'admin', 404],
    ['list', 'configmaps', '', 'system:anonymous', 403],
  ]);
  const [stranger] = server.requests.list({ user: 'system:anonymous' });
  assert.equal(stranger?.userAgent, 'probe/1');
  assert.equal(typeof [...server.requests][0]?.durationMs, 'number');
  server.requests.clear();
  assert.deepEqual(server.requests.list(), []);
});

test('an open watch is recorded before it ends', async () => {
  await using server = await startTestServer(quiet);
  const headers = { authorization: `Bearer ${server.token}` };
  await server.fetch(new Request(`https://x${PATH}?watch=true`, { headers }));
  const [watch] = server.requests.list({ verb: 'watch' });
  assert.deepEqual([watch?.status, watch?.durationMs], [200, undefined]);
});

test('the history of an object has every version with its user', async () => {
  await using server = await startTestServer(quiet);
  await create(server, 'a');
  await create(server, 'b');
  await server.patch(`${PATH}/a?fieldManager=tester`, { data: { x: 'y' } });
  await server.request('DELETE', `${PATH}/a`);
  const versions = server.history(reference('a'));
  assert.deepEqual(
    versions.map(({ verb, user, manager }) => [verb, user, manager]),
    [
      ['create', 'admin', 'unknown'],
      ['patch', 'admin', 'tester'],
      ['delete', 'admin', 'unknown'],
    ],
  );
  type Shown = { data: object; metadata: { resourceVersion: string } };
  const [first, second] = versions.map(({ object }) => object as Shown);
  assert.deepEqual(second?.data, { x: 'y' });
  assert.equal(first?.metadata.resourceVersion, versions[0]?.resourceVersion);
  assert.ok(Number(versions[0]?.resourceVersion) < Number(versions[1]?.resourceVersion));
});

test('writes of the server have no user in the history, and another kind or uid is another object', async () => {
  await using server = await startTestServer();
  await server.request('POST', '/api/v1/namespaces', { metadata: { name: 'a' } });
  await server.request('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 'a' } });
  await create(server, 'a');
  assert.equal(server.history(reference('a')).length, 1);
  const gone = { ...reference('a').metadata, uid: 'other' };
  assert.deepEqual(server.history({ ...reference('a'), metadata: gone }), []);
  const [service] = server.history({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kubernetes', namespace: 'default' },
  });
  assert.deepEqual([service?.user, service?.verb], ['', '']);
});

test('a rewind restores the history, removes faults and forgets requests', async () => {
  await using server = await startTestServer(quiet);
  await create(server, 'a');
  const snapshot = server.snapshot();
  await server.patch(`${PATH}/a`, { data: { x: 'y' } });
  server.faults.add({ answer: 503 });
  await server.rewind(snapshot);
  assert.equal(server.history(reference('a')).length, 1);
  assert.deepEqual(server.requests.list(), []);
  assert.equal((await server.request('GET', PATH)).status, 200);
  await using next = await startTestServer({ ...quiet, from: snapshot });
  assert.equal(next.history(reference('a')).length, 1);
});

test('a fault for a verb or a resource that no request has is refused', async () => {
  await using server = await startTestServer();
  assert.throws(
    () => server.faults.add({ verb: 'updaet' as 'update', answer: 500 }),
    /there is no verb updaet; there are get, list/,
  );
  assert.throws(() => server.faults.add({ verb: ['get', 'GET' as 'get'], answer: 500 }), /there is no verb GET/);
  for (const [resource, meant] of [
    ['ConfigMap', 'configmaps'],
    ['configmap', 'configmaps'],
    ['configmasp', 'configmaps'],
    ['cm', 'configmaps'],
    ['ingress', 'ingresses'],
    ['endpoint', 'endpoints'],
  ] as const) {
    const expected = new RegExp(`^TypeError: there is no resource ${resource}: did you mean ${meant}\\?`);
    assert.throws(() => server.faults.add({ resource, answer: 500 }), expected);
    assert.throws(() => server.faults.cutWatches({ resource: ['pods', resource] }), expected);
  }
  assert.throws(() => server.faults.add({ resource: 'widgets', answer: 500 }), /name the group of a resource that is/);
  const later = { group: 'example.com', resource: 'widgets', answer: 500 } as const;
  assert.equal(server.faults.add({ ...later, verb: ['get', 'post'] }).count, 0);
  assert.equal(server.faults.add({ resource: 'endpoints', answer: 500 }).count, 0);
});

test('a closed test server rejects requests', async () => {
  const server = await startTestServer();
  assert.equal((await server.request('GET', '/version')).status, 200);
  await server.close();
  await assert.rejects(server.request('GET', '/version'), /the test server is closed/);
});
