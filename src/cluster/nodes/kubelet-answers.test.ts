import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { type RawData, WebSocket } from 'ws';
import { startTestServer, type TestServer } from '../../testing.ts';

const PODS = '/api/v1/namespaces/default/pods';

async function startWithPod(metadata: object = {}, spec: object = {}): Promise<TestServer> {
  const server = await startTestServer({ nodes: 1 });
  await server.cluster.settled();
  const containers = [{ name: 'main', image: 'app:1', command: ['serve', '--port=80'] }];
  const { status } = await server.request('POST', PODS, {
    metadata: { name: 'web', ...metadata },
    spec: { containers, ...spec },
  });
  assert.equal(status, 201);
  await server.cluster.settled();
  return server;
}

test('the log of a simulated container describes its life', async () => {
  await using server = await startWithPod();
  const started = 'simulated container main of docker.io/library/app:1 started: serve --port=80\n';
  assert.deepEqual(await server.request('GET', `${PODS}/web/log`), { status: 200, body: started });
  server.cluster.pods.fail('default', 'web', { exitCode: 4 });
  await server.cluster.settled();
  const previous = await server.request('GET', `${PODS}/web/log?previous=true`);
  assert.equal(previous.body, `${started}simulated container main ended: Error, exit code 4\n`);
  const last = await server.request('GET', `${PODS}/web/log?previous=true&tailLines=1&timestamps=true`);
  assert.match(String(last.body), /^\d{4}-\S+T\S+\.\d{9}Z simulated container main ended: Error, exit code 4\n$/);
});

test('a simulated container that has not run has no log', async () => {
  await using server = await startWithPod({ annotations: { 'keelson.dev/fail-to-pull': 'true' } });
  const { status, body } = await server.request('GET', `${PODS}/web/log`);
  assert.equal(status, 400);
  const { message } = body as { message: string };
  assert.equal(message, 'container "main" in pod "web" is waiting to start: trying and failing to pull image');
});

test('the log of a simulated container is followed until it ends', async () => {
  await using server = await startWithPod({}, { restartPolicy: 'Never' });
  const following = server.request('GET', `${PODS}/web/log?follow=true`);
  await new Promise((resolve) => setImmediate(resolve));
  server.cluster.pods.succeed('default', 'web');
  const lines = String((await following).body)
    .trim()
    .split('\n');
  assert.equal(lines.length, 2);
  assert.match(lines[1] ?? '', /ended: Completed, exit code 0$/);
});

test('a simulated kubelet answers with statistics of its pods, unless its node is down', async () => {
  await using server = await startWithPod(
    {},
    {
      containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '1', memory: '64Mi' } } }],
    },
  );
  await server.clock?.advance('20s');
  const proxy = '/api/v1/nodes/node-1/proxy';
  const { body } = await server.request('GET', `${proxy}/stats/summary`);
  const { pods } = body as { pods: { podRef: { name: string }; cpu: { usageNanoCores: number } }[] };
  assert.deepEqual(
    pods.map(({ podRef, cpu }) => [podRef.name, cpu.usageNanoCores]),
    [['web', 500_000_000]],
  );
  const metrics = await server.request('GET', `${proxy}/metrics/resource`);
  assert.match(String(metrics.body), /\npod_memory_working_set_bytes\{namespace="default",pod="web"\} 40265318 \d+\n/);
  server.cluster.nodes.stop('node-1');
  await server.cluster.settled();
  assert.equal((await server.request('GET', `${proxy}/healthz`)).status, 503);
});

/** What a client gets that executes a command: the output, and the result. */
async function execute(
  server: TestServer,
  command: readonly string[],
): Promise<[string, { status?: string; code?: string }]> {
  const query = command.map((word) => `command=${encodeURIComponent(word)}`).join('&');
  const socket = new WebSocket(
    `${server.url.replace('https', 'wss')}${PODS}/web/exec?${query}&stdout=1&stderr=1`,
    ['v5.channel.k8s.io'],
    { rejectUnauthorized: false, headers: { authorization: `Bearer ${server.token}` } },
  );
  const channels = ['', '', '', '', ''];
  socket.on('message', (data: RawData) => {
    const message = data as Buffer;
    channels[message[0]!] += message.subarray(1).toString();
  });
  await once(socket, 'close');
  const { status, details } = JSON.parse(channels[3] || '{}');
  return [channels[1]!, { status, code: details?.causes?.[0]?.message }];
}

test('exec in a simulated container prints that there is none, except for commands that only print', async () => {
  await using server = await startTestServer({ nodes: 1, listen: true });
  await server.cluster.settled();
  await server.request('POST', PODS, {
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'main', image: 'app' }] },
  });
  await server.cluster.settled();
  const succeeded = { status: 'Success', code: undefined };
  assert.deepEqual(await execute(server, ['echo', 'hello', 'world']), ['hello world\n', succeeded]);
  assert.deepEqual(await execute(server, ['sh', '-c', "echo 'hello'"]), ['hello\n', succeeded]);
  assert.deepEqual(await execute(server, ['false']), ['', { status: 'Failure', code: '1' }]);
  assert.deepEqual(await execute(server, ['ls', '/']), [
    'container main is simulated: it does not run ls\n',
    succeeded,
  ]);
  // kubectl cp takes what is printed for files.
  assert.deepEqual(await execute(server, ['tar', 'cf', '-', '/etc']), ['', { status: 'Failure', code: '1' }]);
});

test('the declared ports of simulated pods answer through the proxies of pods and services', async () => {
  const ports = [{ containerPort: 80 }];
  await using server = await startWithPod(
    { labels: { app: 'web' } },
    { containers: [{ name: 'main', image: 'app', ports }] },
  );
  const service = {
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 8080, targetPort: 80 }] },
  };
  await server.request('POST', '/api/v1/namespaces/default/services', service);
  await server.cluster.settled();
  const byService = await server.request('GET', '/api/v1/namespaces/default/services/web:8080/proxy/a?b=c');
  assert.deepEqual(byService, { status: 200, body: 'default/web: GET /a?b=c\n' });
  await server.patch(`${PODS}/web`, { metadata: { annotations: { 'keelson.dev/answer': 'hello' } } });
  await server.cluster.settled();
  assert.deepEqual(await server.request('GET', `${PODS}/web/proxy/`), { status: 200, body: 'hello' });
  const { status, body } = await server.request('GET', `${PODS}/web:81/proxy/`);
  assert.equal(status, 503);
  assert.match((body as { message: string }).message, /^error trying to reach service: .*connect: connection refused$/);
});

test('a simulated container that declares no ports answers at all of them', async () => {
  await using server = await startWithPod({}, { containers: [{ name: 'main', image: 'app' }] });
  await server.cluster.settled();
  const answer = await server.request('GET', `${PODS}/web:8080/proxy/a`);
  assert.deepEqual(answer, { status: 200, body: 'default/web: GET /a\n' });
});
