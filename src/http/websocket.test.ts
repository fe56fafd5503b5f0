import assert from 'node:assert/strict';
import type { Buffer } from 'node:buffer';
import { describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { parseCbor } from '../api/cbor-reader.ts';
import type { JsonObject } from '../api/object.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

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

describe('watches over web sockets', () => {
  it('send JSON as text, and protobuf and CBOR as bytes', async () => {
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
});
