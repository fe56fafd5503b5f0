import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { certificates, realClock, strangers } from '../../test/listening.ts';
import { Backends } from './backends.ts';
import { dial } from './dial.ts';

const OWN = { cert: certificates.servingCertPem, key: certificates.servingKeyPem };

interface GetOptions {
  readonly serverName?: string;
  readonly apart?: boolean;
  readonly kubelet?: boolean;
  readonly insecure?: boolean;
}

async function startBackend(kubeletCa?: string, own: { cert: string; key: string } = OWN) {
  const ports: (number | undefined)[] = [];
  const server = createServer(own);
  server.on('request', (incoming, answer) => {
    ports.push(incoming.socket.remotePort);
    answer.end(incoming.url);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const backends = new Backends({
    dial,
    clock: realClock,
    kubeletTls: () => ({ ca: kubeletCa, cert: undefined, key: undefined }),
  });
  const get = async (target: string, more: GetOptions = {}) => {
    const { serverName = 'localhost', apart = false, kubelet = false, insecure = false } = more;
    const tls = { serverName, ca: certificates.caCertPem, verified: true, cert: undefined, key: undefined };
    const { body } = await backends.call({
      ...{
        method: 'GET',
        scheme: 'https',
        host: '127.0.0.1',
        port,
        target,
        headers: { host: 'backend' },
        body: undefined,
      },
      ...{ kubelet, insecure, globalOnly: false, tls: apart || kubelet ? undefined : tls },
      signal: new AbortController().signal,
    });
    return text(body);
  };
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { ports, server, get, [Symbol.dispose]: close };
}

test('connections to aggregated servers are reused, and one that was closed meanwhile is replaced', async () => {
  using backend = await startBackend();
  for (const target of ['/a', '/b', '/c']) assert.equal(await backend.get(target), target);
  assert.equal(new Set(backend.ports).size, 1);
  backend.server.closeAllConnections();
  assert.equal(await backend.get('/d'), '/d');
  assert.notEqual(backend.ports[3], backend.ports[0]);
});

test('a request with another server name uses another connection', async () => {
  using backend = await startBackend();
  await backend.get('/a');
  await backend.get('/b', { serverName: 'other.default.svc' }).catch(() => '');
  assert.equal(await backend.get('/c'), '/c');
  assert.equal(backend.ports[0], backend.ports.at(-1));
});

test('kubelets and proxied backends have connections of their own', async () => {
  using backend = await startBackend();
  await backend.get('/a', { apart: true });
  await backend.get('/b', { apart: true });
  assert.equal(new Set(backend.ports).size, 2);
});

test('a kubelet is verified by the address at which it is reached, unless the caller skips that', async () => {
  const { caCertPem, servingCertPem, servingKeyPem } = strangers(['127.0.0.1']);
  const own = { cert: servingCertPem, key: servingKeyPem };
  using known = await startBackend(caCertPem, own);
  assert.equal(await known.get('/a', { kubelet: true }), '/a');
  using other = await startBackend(strangers(['127.0.0.1']).caCertPem, own);
  await assert.rejects(other.get('/b', { kubelet: true }), /x509: certificate signed by unknown authority/);
  assert.equal(await other.get('/c', { kubelet: true, insecure: true }), '/c');
});
