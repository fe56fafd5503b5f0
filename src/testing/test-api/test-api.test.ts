import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../../../test/until.ts';
import { limits } from '../../base/limits.ts';
import { startTestServer } from '../test-server.ts';
import { serveTestApi } from './test-api.ts';

const server = await startTestServer({ nodes: 2 });
const api = await serveTestApi(server);
const start = server.snapshot();
beforeEach(() => server.rewind(start));
after(async () => {
  await api[Symbol.asyncDispose]();
  await server.close();
});

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

/** What the answers of the tests have. */
interface Told {
  readonly id: string;
  readonly now: string;
  readonly count: number;
  readonly cut: number;
  readonly dropped: number;
  readonly message: string;
  readonly requests: readonly { verb: string; name: string; status: number }[];
  readonly versions: readonly { verb: string; manager: string; object: { data?: object } }[];
}

async function ask(method: string, path: string, body?: unknown, token = server.token) {
  const init = { method, headers: { authorization: `Bearer ${token}` } };
  const answer = await fetch(`${api.url}/${path}`, body === undefined ? init : { ...init, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as Told };
}

async function statusOf(method: string, path: string, body?: unknown): Promise<number> {
  return (await server.request(method, path, body)).status;
}

test('the test API takes a snapshot, and a rewind responds when the server is restored', async () => {
  await statusOf('POST', CONFIG_MAPS, { metadata: { name: 'kept' } });
  const { status, body } = await ask('POST', 'snapshots');
  assert.equal(status, 201);
  await statusOf('POST', CONFIG_MAPS, { metadata: { name: 'dropped' } });
  assert.equal((await ask('POST', 'rewind', { id: body.id })).status, 200);
  assert.equal(await statusOf('GET', `${CONFIG_MAPS}/kept`), 200);
  assert.equal(await statusOf('GET', `${CONFIG_MAPS}/dropped`), 404);
  assert.equal((await ask('DELETE', `snapshots/${body.id}`)).status, 200);
  assert.deepEqual(await ask('POST', 'rewind', { id: body.id }), {
    status: 404,
    body: { message: `there is no snapshot ${body.id}` },
  });
});

test('the test API advances the clock, and responds when everything until then has happened', async () => {
  const spec = {
    schedule: '0 * * * *',
    jobTemplate: {
      spec: {
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a', command: ['true'] }] } },
      },
    },
  };
  await statusOf('POST', '/apis/batch/v1/namespaces/default/cronjobs', { metadata: { name: 'hourly' }, spec });
  const before = Date.parse((await ask('GET', 'clock')).body.now);
  const { body } = await ask('POST', 'clock/advance', { by: '2h' });
  assert.ok(Date.parse(body.now) - before >= 7_200_000);
  const jobs = (await server.request('GET', '/apis/batch/v1/namespaces/default/jobs')).body as {
    items: { status: object }[];
  };
  assert.equal(jobs.items.filter(({ status }) => (status as { succeeded?: number }).succeeded === 1).length, 2);
});

test('the test API makes pods fail and nodes stop', async () => {
  const pod = {
    metadata: { name: 'web' },
    spec: { restartPolicy: 'Never', containers: [{ name: 'web', image: 'nginx' }] },
  };
  const command = {
    ...pod,
    spec: { ...pod.spec, containers: [{ name: 'web', image: 'nginx', command: ['sleep', '9999'] }] },
  };
  await statusOf('POST', '/api/v1/namespaces/default/pods', command);
  await ask('POST', 'cluster/settled');
  const failed = await ask('POST', 'pods/fail', {
    namespace: 'default',
    name: 'web',
    exitCode: 137,
    reason: 'OOMKilled',
  });
  assert.equal(failed.status, 200);
  await ask('POST', 'cluster/settled');
  const { body } = await server.request('GET', '/api/v1/namespaces/default/pods/web');
  const [container] = (body as { status: { containerStatuses: { state: { terminated: object } }[] } }).status
    .containerStatuses;
  assert.partialDeepStrictEqual(container!.state.terminated, { exitCode: 137, reason: 'OOMKilled' });
  await ask('POST', 'nodes/stop', { name: 'node-1' });
  await ask('POST', 'clock/advance', { by: '5m' });
  assert.equal(await readyOf('node-1'), 'Unknown');
  await ask('POST', 'nodes/start', { name: 'node-1' });
  await ask('POST', 'clock/advance', { by: '1m' });
  assert.equal(await readyOf('node-1'), 'True');
  assert.deepEqual((await ask('POST', 'nodes/stop', { name: 'node-9' })).body, {
    message: 'node node-9 is not simulated',
  });
});

async function readyOf(name: string): Promise<string> {
  const { body } = await server.request('GET', `/api/v1/nodes/${name}`);
  const { conditions } = (body as { status: { conditions: { type: string; status: string }[] } }).status;
  return conditions.find(({ type }) => type === 'Ready')!.status;
}

test('the test API adds, counts and removes faults', async () => {
  const { status, body } = await ask('POST', 'faults', { verb: 'create', resource: 'configmaps', answer: 429 });
  assert.equal(status, 201);
  assert.equal(await statusOf('POST', CONFIG_MAPS, { metadata: { name: 'a' } }), 429);
  assert.equal((await ask('GET', `faults/${body.id}`)).body.count, 1);
  assert.deepEqual((await ask('DELETE', `faults/${body.id}`)).body, { id: body.id, count: 1 });
  assert.equal(await statusOf('POST', CONFIG_MAPS, { metadata: { name: 'a' } }), 201);
  await ask('POST', 'faults', { verb: ['get', 'list'], answer: 500 });
  assert.equal((await ask('DELETE', 'faults')).status, 200);
  assert.equal(await statusOf('GET', CONFIG_MAPS), 200);
});

test('the test API returns requests and the history of an object', async () => {
  await ask('DELETE', 'requests');
  await statusOf('POST', CONFIG_MAPS, { metadata: { name: 'settings' } });
  await server.patch(`${CONFIG_MAPS}/settings?fieldManager=operator`, { data: { level: 'high' } });
  const { body } = await ask('GET', 'requests?resource=configmaps&verb=create&verb=patch');
  assert.deepEqual(
    body.requests.map(({ verb, name, status }) => [verb, name, status]),
    [
      ['create', '', 201],
      ['patch', 'settings', 200],
    ],
  );
  assert.equal(body.dropped, 0);
  const told = await ask('GET', 'history?apiVersion=v1&kind=ConfigMap&namespace=default&name=settings');
  const { versions } = told.body;
  assert.deepEqual(
    versions.map(({ verb, manager, object }) => [verb, manager, object.data]),
    [
      ['create', versions[0]!.manager, undefined],
      ['patch', 'operator', { level: 'high' }],
    ],
  );
});

test('the test API writes a list of thousands of requests in pieces', async () => {
  await ask('DELETE', 'requests');
  for (let at = 0; at < 300; at++) await statusOf('GET', '/version');
  const { body } = await ask('GET', 'requests?verb=get');
  assert.equal(body.requests.length, 300);
});

test('the test API cuts open watches', async () => {
  const headers = { authorization: `Bearer ${server.token}` };
  const watch = await server.fetch(new Request(`https://localhost${CONFIG_MAPS}?watch=true`, { headers }));
  assert.equal(watch.status, 200);
  const ended = watch.text().then(
    () => 'ended',
    () => 'broken',
  );
  await until(
    'the watch is cut',
    async () => (await ask('POST', 'watches/cut', { resource: 'configmaps' })).body.cut === 1,
  );
  assert.ok(['ended', 'broken'].includes((await Promise.race([ended, wait(10_000, 'open')])) as string));
});

test('the test API requires the token of the administrator', async () => {
  assert.equal((await ask('POST', 'snapshots', undefined, 'other')).status, 401);
  assert.equal((await ask('POST', 'snapshots', undefined, crypto.randomUUID())).status, 401);
  assert.equal((await fetch(`${api.url}/clock`)).status, 401);
});

test('the test API rejects invalid requests with a message', async () => {
  const cases: [method: string, path: string, body: unknown, status: number, message: RegExp][] = [
    ['GET', 'nothing', undefined, 404, /^there is no GET \/keelson\/test\/v1\/nothing$/],
    ['POST', 'snapshots/1', undefined, 404, /^there is no POST /],
    ['GET', 'faults/999', undefined, 404, /^there is no fault 999$/],
    ['POST', 'rewind', {}, 400, /^id must be a string that is not empty$/],
    ['POST', 'rewind', ['1'], 400, /^the body must be a JSON object$/],
    ['POST', 'clock/advance', { by: 'soon' }, 400, /^time: invalid duration "soon"$/],
    ['POST', 'clock/advance', { by: '-1h' }, 400, /^the clock can only move forward/],
    ['POST', 'clock/advance', { to: '1h' }, 400, /^there is no to; there are by$/],
    [
      'POST',
      'pods/fail',
      { namespace: 'default', name: 'none' },
      400,
      /^pod default\/none is not on a simulated node$/,
    ],
    ['POST', 'pods/ready', { namespace: 'default', name: 'a', ready: 'no' }, 400, /^ready must be a boolean$/],
    [
      'POST',
      'nodes/condition',
      { name: 'node-1', type: 'Ready', status: 'no' },
      400,
      /^status must be True, False or Unknown$/,
    ],
    ['POST', 'faults', { verb: 5, answer: 500 }, 400, /^verb must be a string, or a list of strings$/],
    ['POST', 'faults', { resource: 'configmap', answer: 500 }, 400, /did you mean configmaps\?/],
    ['POST', 'faults', { verb: 'get', answer: 418 }, 400, /^answer must be one of 409, 429, 500, 503, got 418$/],
    ['GET', 'requests?vreb=get', undefined, 400, /^there is no vreb; there are /],
    ['GET', 'history?kind=ConfigMap&name=a', undefined, 400, /^apiVersion must be a string that is not empty$/],
  ];
  for (const [method, path, body, status, message] of cases) {
    const answer = await ask(method, path, body);
    assert.equal(answer.status, status, path);
    assert.match(answer.body.message, message);
  }
  const large = await ask('POST', 'faults', { message: 'x'.repeat(limits.testApiBodyBytes) });
  assert.equal(large.status, 413);
});

test('the test API of a server without nodes reports that there are none', async () => {
  await using alone = await startTestServer();
  await using own = await serveTestApi(alone);
  const headers = { authorization: `Bearer ${alone.token}` };
  const answer = await fetch(`${own.url}/nodes/stop`, { method: 'POST', headers, body: '{"name":"node-1"}' });
  assert.deepEqual([answer.status, await answer.json()], [400, { message: 'no nodes are simulated' }]);
});
