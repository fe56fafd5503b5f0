import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { type RawData, WebSocket } from 'ws';
import { startKubelet } from '../../../test/kubelet.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const PODS = '/api/v1/namespaces/default/pods';

/** Adds the pod `web` on a node whose kubelet has gone. @returns the kubelet's port */
async function addPodOfLostNode(server: TestServer): Promise<number> {
  const kubelet = await startKubelet('');
  await kubelet[Symbol.asyncDispose]();
  await addPod(server, 'web', kubelet.port);
  return kubelet.port;
}

/** Adds a pod on a node with a kubelet at this port. */
async function addPod(server: TestServer, name: string, port: number): Promise<void> {
  await server.request('POST', '/api/v1/nodes', { metadata: { name: 'n1' } });
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
  await server.patch('/api/v1/nodes/n1/status', { status });
  await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const spec = { nodeName: 'n1', containers: [{ name: 'main', image: 'x' }] };
  const created = await server.request('POST', PODS, { metadata: { name }, spec });
  assert.equal(created.status, 201, JSON.stringify(created.body));
}

function open(server: TestServer, path: string, protocols: string[], pod = 'web'): WebSocket {
  return new WebSocket(`${server.url.replace('https', 'wss')}${PODS}/${pod}/${path}`, protocols, {
    rejectUnauthorized: false,
    headers: { authorization: `Bearer ${server.token}` },
  });
}

test('version 5 of exec and attach reports an unreachable kubelet in the error channel', async () => {
  await using server = await startTestServer({ listen: true });
  const port = await addPodOfLostNode(server);
  for (const [path, told, channel] of [
    ['exec?command=ls&stdout=1&stderr=1', 'exec/default/web/main?command=ls&error=1&output=1', 1],
    ['exec?command=ls&stderr=1', 'exec/default/web/main?command=ls&error=1', 2],
    ['exec?command=ls&stdin=1', 'exec/default/web/main?command=ls&input=1', 3],
    ['attach?stdout=1', 'attach/default/web/main?output=1', 1],
  ] as const) {
    const socket = open(server, path, ['v4.channel.k8s.io', 'v5.channel.k8s.io']);
    const messages: Buffer[] = [];
    socket.on('message', (data: RawData) => messages.push(data as Buffer));
    const [code] = await once(socket, 'close');
    assert.deepEqual([socket.protocol, code], ['v5.channel.k8s.io', 1000]);
    const [announced, failed, ...more] = messages;
    assert.deepEqual([[...announced!], failed![0], more.length], [[channel], 3, 0]);
    const url = `https://127.0.0.1:${port}/${told}`;
    const why = `error sending request: Post "${url}": dial tcp 127.0.0.1:${port}: connect: connection refused`;
    assert.deepEqual(JSON.parse(failed!.subarray(1).toString()), {
      metadata: {},
      status: 'Failure',
      message: `Internal error occurred: ${why}`,
      reason: 'InternalError',
      details: { causes: [{ message: why }] },
      code: 500,
    });
  }
});

test('exec over WebSocket asks the kubelet in SPDY, and reports its refusal in the error channel', async () => {
  await using server = await startTestServer({ listen: true });
  await using kubelet = await startKubelet('');
  await addPod(server, 'refused', kubelet.port);
  const socket = open(server, 'exec?command=ls&stdin=1&stdout=1', ['v5.channel.k8s.io'], 'refused');
  const messages: Buffer[] = [];
  socket.on('message', (data: RawData) => messages.push(data as Buffer));
  await once(socket, 'close');
  const [seen] = kubelet.seen;
  assert.deepEqual([seen?.method, seen?.url], ['POST', '/exec/default/refused/main?command=ls&input=1&output=1']);
  assert.equal(seen?.headers.upgrade, 'SPDY/3.1');
  assert.match(String(seen?.headers['x-stream-protocol-version']), /^v5.channel.k8s.io, v4.channel.k8s.io, /);
  assert.equal(seen?.headers.authorization, undefined);
  const { reason, details } = JSON.parse(messages[1]!.subarray(1).toString());
  assert.deepEqual([reason, details], ['InternalError', { causes: [{ message: 'unable to upgrade connection: no' }] }]);
});

test('older protocol versions, port forwarding, and version 5 without its feature gate get an HTTP status', async () => {
  await using server = await startTestServer({ listen: true });
  await using without = await startTestServer({
    listen: true,
    featureGates: { TranslateStreamCloseWebsocketRequests: false },
  });
  for (const each of [server, without]) await addPodOfLostNode(each);
  for (const [one, path, protocol] of [
    [server, 'exec?command=ls&stdout=1', 'v4.channel.k8s.io'],
    [server, 'portforward?ports=80', 'v5.channel.k8s.io'],
    [without, 'exec?command=ls&stdout=1', 'v5.channel.k8s.io'],
  ] as const) {
    const [, answer] = await once(open(one, path, [protocol]), 'unexpected-response');
    assert.equal(answer.statusCode, 500, path);
    answer.destroy();
  }
});

test('exec, attach and portforward are counted by subresource from 1.36 on, if the server translates them', async () => {
  for (const [kubernetesVersion, featureGates, counts] of [
    ['1.35', {}, []],
    ['1.36', {}, ['attach 1', 'exec 2', 'portforward 1']],
    ['1.37', { PortForwardWebsockets: false }, ['attach 1', 'exec 2']],
  ] as const) {
    await using server = await startTestServer({ kubernetesVersion, featureGates });
    await addPodOfLostNode(server);
    for (const path of ['exec?command=ls&stdout=1', 'exec?command=ls&stdout=1', 'attach?stdout=1', 'portforward']) {
      assert.notEqual((await server.request('POST', `${PODS}/web/${path}`)).status, 404);
    }
    assert.equal((await server.request('POST', `${PODS}/absent/exec?command=ls&stdout=1`)).status, 404);
    const text = String((await server.request('GET', '/metrics')).body);
    const series =
      /^apiserver_websocket_streaming_requests_total\{proxy_type="translated_at_apiserver",subresource="(\w+)"\} (\d+)$/gm;
    assert.deepEqual(
      [...text.matchAll(series)].map(([, subresource, count]) => `${subresource} ${count}`),
      counts,
    );
  }
});
