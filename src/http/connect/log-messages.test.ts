import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { type RawData, WebSocket } from 'ws';
import { startKubelet } from '../../../test/kubelet.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const PODS = '/api/v1/namespaces/default/pods';
const LONG = `${'x'.repeat(4_999)}\n`;

async function addPod(server: TestServer, port: number): Promise<void> {
  await server.request('POST', '/api/v1/nodes', { metadata: { name: 'n1' } });
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
  await server.patch('/api/v1/nodes/n1/status', { status });
  const spec = { nodeName: 'n1', containers: [{ name: 'main', image: 'x' }] };
  assert.equal((await server.request('POST', PODS, { metadata: { name: 'web' }, spec })).status, 201);
}

function openLog(server: TestServer, protocols: string[]): WebSocket {
  return new WebSocket(`${server.url.replace('https', 'wss')}${PODS}/web/log`, protocols, {
    rejectUnauthorized: false,
    headers: { authorization: `Bearer ${server.token}` },
  });
}

test('a pod log over WebSocket is an empty message and one message for each piece, binary or in base64', async () => {
  await using kubelet = await startKubelet(LONG);
  await using server = await startTestServer({ listen: true });
  await addPod(server, kubelet.port);
  for (const [offered, protocol, encoding] of [
    [[], '', undefined],
    [['binary.k8s.io'], 'binary.k8s.io', undefined],
    [['other', 'base64.binary.k8s.io'], 'base64.binary.k8s.io', 'base64'],
  ] as const) {
    const socket = openLog(server, [...offered]);
    const messages: Buffer[] = [];
    const kinds = new Set<boolean>();
    socket.on('message', (data: RawData, isBinary: boolean) => {
      kinds.add(isBinary);
      messages.push(encoding === undefined ? (data as Buffer) : Buffer.from(String(data), encoding));
    });
    const [code] = await once(socket, 'close');
    assert.deepEqual([socket.protocol, code, [...kinds]], [protocol, 1000, [encoding === undefined]]);
    assert.equal(messages[0]!.length, 0);
    assert.ok(messages.every(({ length }) => length <= 2_048) && messages.length >= 4);
    assert.equal(Buffer.concat(messages).toString(), LONG);
  }
});

test('a WebSocket client of a pod log that offers only other protocols is rejected with an ordinary response', async () => {
  await using kubelet = await startKubelet(LONG);
  await using server = await startTestServer({ listen: true });
  await addPod(server, kubelet.port);
  const [other] = await once(openLog(server, ['v4.channel.k8s.io']), 'error');
  assert.match(String(other), /Unexpected server response: 403/);
  await server.request('DELETE', `${PODS}/web?gracePeriodSeconds=0`);
  const [gone] = await once(openLog(server, []), 'error');
  assert.match(String(gone), /Unexpected server response: 404/);
});
