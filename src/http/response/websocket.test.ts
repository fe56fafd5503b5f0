import assert from 'node:assert/strict';
import type { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { connect } from 'node:tls';
import { WebSocket } from 'ws';
import { CountingClock, ErrorLog } from '../../../test/fuzz/watched-environment.ts';
import { parseCbor } from '../../api/cbor-reader.ts';
import type { JsonObject } from '../../api/object.ts';
import { limits } from '../../base/limits.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

/** A watch. */
function watch(server: TestServer, options = ''): WebSocket {
  const address = `${server.url.replace('https', 'wss')}${MAPS}?watch=1${options}`;
  const headers = { authorization: `Bearer ${server.token}`, origin: 'https://localhost' };
  return new WebSocket(address, { headers, rejectUnauthorized: false });
}

/** The first message of a watch. */
function firstMessage(server: TestServer, accept: string): Promise<{ data: Buffer; isBinary: boolean }> {
  const address = `${server.url.replace('https', 'wss')}${MAPS}?watch=1&resourceVersion=0&fieldSelector=metadata.name%3Da`;
  const headers = { authorization: `Bearer ${server.token}`, origin: 'https://localhost', accept };
  const socket = new WebSocket(address, { headers, rejectUnauthorized: false });
  return new Promise((resolve, reject) => {
    socket.on('message', (data, isBinary) => {
      socket.close();
      resolve({ data: data as Buffer, isBinary });
    });
    socket.on('error', reject);
  });
}

describe('watches over WebSocket', () => {
  it('watches over WebSocket send JSON as text, and protobuf and CBOR as bytes', async () => {
    await using server = await startTestServer({ listen: true, featureGates: { CBORServingAndStorage: true } });
    await server.request('POST', MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });

    const json = await firstMessage(server, 'application/json');
    assert.equal(json.isBinary, false);
    const event = JSON.parse(json.data.toString()) as JsonObject;
    assert.equal(event.type, 'ADDED');

    const protobuf = await firstMessage(server, 'application/vnd.kubernetes.protobuf');
    assert.equal(protobuf.isBinary, true);
    // The first field, its length, its text: no length of the whole stands before it.
    assert.equal(protobuf.data.toString('latin1', 0, 7), '\n\u0005ADDED');

    const cbor = await firstMessage(server, 'application/cbor');
    assert.equal(cbor.isBinary, true);
    assert.deepEqual(parseCbor(cbor.data), event);
  });

  it('watches over WebSocket end with status 1000, as in kube-apiserver', async () => {
    await using server = await startTestServer({ listen: true });
    const socket = watch(server, '&timeoutSeconds=5');
    await once(socket, 'open');
    const closed = once(socket, 'close');
    server.clock?.advance('5s');
    assert.equal((await closed)[0], 1000);
  });

  it('watches over WebSocket ignore small messages, and close at large ones', async () => {
    await using server = await startTestServer({ listen: true });
    const small = watch(server);
    await once(small, 'open');
    small.send('x'.repeat(1000));
    small.ping('still there?');
    assert.equal(String((await once(small, 'pong'))[0]), 'still there?');
    small.terminate();

    const large = watch(server);
    await once(large, 'open');
    const closed = once(large, 'close');
    large.send('x'.repeat(limits.webSocketMessageBytes + 1));
    assert.equal((await closed)[0], 1009);

    const parts = watch(server);
    await once(parts, 'open');
    const cut = once(parts, 'close');
    for (let part = 0; part <= limits.webSocketMessageFragments; part++) parts.send('', { fin: false });
    assert.equal((await cut)[0], 1008);
  });

  it('watches over WebSocket leave nothing behind when their handshake is rejected', async () => {
    const log = new ErrorLog();
    const clock = new CountingClock();
    await using server = await startTestServer({ listen: true }, { log, clock });
    const socket = connect({ port: Number(new URL(server.url).port), rejectUnauthorized: false });
    socket.write(
      `GET ${MAPS}?watch=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\nOrigin: x\r\n` +
        'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    let text = '';
    for await (const piece of socket) text += piece;
    assert.match(text, /^HTTP\/1\.1 400 /);
    await clock.letGo();
    assert.deepEqual(log.errors, []);
  });
});
