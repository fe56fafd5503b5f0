import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:https';
import type { Duplex } from 'node:stream';
import { test } from 'node:test';
import { type Kubelet, startKubelet } from '../../../test/kubelet.ts';
import { limits } from '../../base/limits.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const PODS = '/api/v1/namespaces/default/pods';
const PROTOCOL = 'SPDY/3.1+portforward.k8s.io';

/** A pod on a node with this kubelet. */
async function addPod(server: TestServer, name: string, port: number): Promise<void> {
  await server.request('POST', '/api/v1/nodes', { metadata: { name: 'n1' } });
  const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
  await server.patch('/api/v1/nodes/n1/status', {
    status: { addresses, daemonEndpoints: { kubeletEndpoint: { Port: port } } },
  });
  await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const spec = { nodeName: 'n1', containers: [{ name: 'main', image: 'x' }] };
  assert.equal((await server.request('POST', PODS, { metadata: { name }, spec })).status, 201);
}

/** A handshake for a WebSocket: the response, and the connection behind it. */
async function open(server: TestServer, name: string, protocols: string) {
  const outgoing = request(new URL(`${PODS}/${name}/portforward?ports=80`, server.url), {
    rejectUnauthorized: false,
    headers: {
      authorization: `Bearer ${server.token}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
      'sec-websocket-protocol': protocols,
    },
  });
  outgoing.end();
  const [answer, socket] = await Promise.race([once(outgoing, 'upgrade'), once(outgoing, 'response')]);
  return { status: answer.statusCode, headers: answer.headers, socket: socket as Duplex };
}

/** A masked binary message of up to 125 bytes, with a mask of zeros. */
function message(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x82, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);
}

async function received(socket: Duplex): Promise<Buffer> {
  const [bytes] = await once(socket, 'data');
  return bytes;
}

async function served(work: (server: TestServer, kubelet: Kubelet) => Promise<void>, featureGates = {}) {
  await using kubelet = await startKubelet('');
  await using server = await startTestServer({ listen: true, featureGates });
  await work(server, kubelet);
}

test('port forwarding over WebSocket reaches the kubelet as SPDY', () =>
  served(async (server, kubelet) => {
    await addPod(server, 'web', kubelet.port);
    const { status, headers, socket } = await open(server, 'web', `other, ${PROTOCOL}`);
    assert.deepEqual([status, headers['sec-websocket-protocol']], [101, PROTOCOL]);
    const [seen] = kubelet.seen;
    assert.deepEqual([seen?.method, seen?.url], ['POST', '/portForward/default/web?port=80']);
    assert.equal(seen?.headers.upgrade, 'SPDY/3.1');
    assert.equal(seen?.headers['x-stream-protocol-version'], 'portforward.k8s.io');
    assert.equal(seen?.headers['sec-websocket-key'], undefined);
    for (const text of ['one', 'two']) {
      socket.write(message(text));
      assert.deepEqual(await received(socket), Buffer.concat([Buffer.from([0x82, text.length]), Buffer.from(text)]));
    }
    socket.destroy();
  }));

test('the end of the kubelet’s connection closes a tunneled port forward with status 1000', () =>
  served(async (server, kubelet) => {
    await addPod(server, 'web', kubelet.port);
    const { socket } = await open(server, 'web', PROTOCOL);
    const closing = received(socket);
    kubelet.leaves();
    assert.deepEqual([...(await closing).subarray(0, 4)], [0x88, 2, 0x03, 0xe8]);
    socket.destroy();
  }));

test('a kubelet that refuses a tunneled port forward is reported to the client', () =>
  served(async (server, kubelet) => {
    await addPod(server, 'refused', kubelet.port);
    assert.equal((await open(server, 'refused', PROTOCOL)).status, 403);
  }));

test('a port forward over WebSocket is passed on without the gate PortForwardWebsockets', () =>
  served(
    async (server, kubelet) => {
      await addPod(server, 'web', kubelet.port);
      await open(server, 'web', PROTOCOL);
      assert.equal(kubelet.seen[0]?.headers.upgrade, 'websocket');
    },
    { PortForwardWebsockets: false },
  ));

test('a message beyond the limit ends a tunneled port forward', () =>
  served(async (server, kubelet) => {
    await addPod(server, 'web', kubelet.port);
    const { socket } = await open(server, 'web', PROTOCOL);
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(limits.tunnelMessageBytes) + 1n);
    socket.write(Buffer.concat([Buffer.from([0x82, 0xff]), length, Buffer.alloc(4)]));
    assert.deepEqual([...(await received(socket)).subarray(2, 4)], [0x03, 0xf1]);
    socket.destroy();
  }));
