import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, createServer as createListener, type Server } from 'node:net';
import { test } from 'node:test';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { type ConnectError, connectFault } from './connect-fault.ts';

test('what answers without TLS is told as Go tells it', async () => {
  assert.equal(await faultOf(createServer()), 'http: server gave HTTP response to HTTPS client');
});

test('a server that hangs up in the handshake has ended the stream', async () => {
  const listener = createListener((socket) => socket.once('data', () => socket.end()));
  assert.equal(await faultOf(listener), 'EOF');
});

test('an alert of the other side is told by what it means', async () => {
  assert.equal(await faultOf(tlsServer({})), 'remote error: tls: handshake failure');
  const newer = tlsServer({ minVersion: 'TLSv1.3' });
  assert.equal(await faultOf(newer, { maxVersion: 'TLSv1.2' }), 'remote error: tls: protocol version not supported');
});

/** A server without a certificate. */
function tlsServer(options: TlsOptions): Server {
  return createTlsServer(options).on('tlsClientError', () => {});
}

/** How a request over TLS to this server fails. */
async function faultOf(server: Server, options: TlsOptions = {}): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  try {
    const asking = request({ ...place, ...options, agent: false }).end();
    const [error] = (await once(asking, 'error')) as [ConnectError];
    return connectFault(error, place);
  } finally {
    server.close();
  }
}
