import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, createServer as createListener, type Server } from 'node:net';
import { test } from 'node:test';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { limits } from '../base/limits.ts';
import { type ConnectError, connectFault } from './connect-fault.ts';

test('a server without TLS is reported in the words of Go', async () => {
  assert.equal(await faultOf(createServer()), 'http: server gave HTTP response to HTTPS client');
});

test('a server that closes the connection during the TLS handshake is reported as EOF', async () => {
  const listener = createListener((socket) => socket.once('data', () => socket.end()));
  assert.equal(await faultOf(listener), 'EOF');
});

test('a TLS alert of the other side is reported by its meaning', async () => {
  assert.equal(await faultOf(tlsServer({})), 'remote error: tls: handshake failure');
  const newer = tlsServer({ minVersion: 'TLSv1.3' });
  assert.equal(await faultOf(newer, { maxVersion: 'TLSv1.2' }), 'remote error: tls: protocol version not supported');
});

test('a response that is not HTTP is quoted in the error', () => {
  const place = { host: 'a.example.com', port: 443 };
  const fault = (text: string) => {
    const error = Object.assign(new Error('Parse Error'), {
      code: 'HPE_INVALID_CONSTANT',
      rawPacket: Buffer.from(text),
    });
    return connectFault(error, place).replace('net/http: HTTP/1.x transport connection broken: ', '');
  };
  assert.equal(fault('NONSENSE\r\n\r\n'), 'malformed HTTP response "NONSENSE"');
  assert.equal(fault('HTTP/1.1 text\r\n'), 'malformed HTTP status code "text"');
});

test('a response whose headers are too long is reported with the limit', () => {
  const error = Object.assign(new Error('Parse Error: Header overflow'), { code: 'HPE_HEADER_OVERFLOW' });
  const fault = connectFault(error, { host: 'a.example.com', port: 443 });
  assert.equal(fault, `net/http: server response headers exceeded ${limits.backendHeadBytes} bytes; aborted`);
});

test('a certificate for another host is reported with its names, or its addresses for an address', () => {
  const subjectaltname = 'IP Address:127.0.0.1, DNS:a.svc, DNS:b.svc';
  const fault = (host: string, names = subjectaltname) => {
    const error = { code: 'ERR_TLS_CERT_ALTNAME_INVALID', host, cert: { subjectaltname: names } };
    return connectFault(Object.assign(new Error(''), error), { host, port: 443 });
  };
  const prefix = 'tls: failed to verify certificate: x509:';
  assert.equal(fault('c.svc'), `${prefix} certificate is valid for a.svc, b.svc, not c.svc`);
  assert.equal(fault('10.0.0.1'), `${prefix} certificate is valid for 127.0.0.1, not 10.0.0.1`);
  const none = "cannot validate certificate for 10.0.0.1 because it doesn't contain any IP SANs";
  assert.equal(fault('10.0.0.1', 'DNS:a.svc'), `${prefix} ${none}`);
});

test('a refused connection is reported with the address', () => {
  const refused = (address: string) => Object.assign(new Error(''), { code: 'ECONNREFUSED', address });
  const place = { host: 'localhost', port: 9 };
  assert.equal(connectFault(refused('127.0.0.1'), place), 'dial tcp 127.0.0.1:9: connect: connection refused');
  const all = Object.assign(new Error(''), { code: 'ECONNREFUSED', errors: [refused('::1'), refused('127.0.0.1')] });
  assert.equal(connectFault(all, place), 'dial tcp [::1]:9: connect: connection refused');
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
