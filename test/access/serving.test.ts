// Tests of the flags of the secure port and of headers: certificates by name, origins of browsers, names outside,
// HTTP/1.1 alone.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { ManualClock } from '../../src/base/clock.ts';
import { startServer } from '../../src/server/server.ts';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { strangers } from '../listening.ts';

const folder = mkdtempSync(join(tmpdir(), 'keelson-serving-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

async function connected(server: { url: string }, options: object): Promise<TLSSocket> {
  const socket = connect({ port: Number(new URL(server.url).port), rejectUnauthorized: false, ...options });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
}

/** The names of the certificate that a client sees who asks for a host. */
async function shownTo(server: { url: string }, servername: string): Promise<string> {
  const socket = await connected(server, { servername });
  const names = socket.getPeerX509Certificate()?.subjectAltName ?? '';
  socket.destroy();
  return names;
}

function place(name: string, hosts: string[]) {
  const made = strangers(hosts);
  const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  writeFileSync(keyFile, made.servingKeyPem);
  writeFileSync(certFile, made.servingCertPem);
  return { certFile, keyFile, ca: made.caCertPem };
}

test('a client that sends a server name gets its SNI certificate, by explicit names first', async () => {
  const own = place('own', ['own.example', 'both.example']);
  const told = place('told', ['elsewhere.example']);
  const clock = new ManualClock(Date.now());
  const tlsSniCertKey = [
    { ...own, names: [] },
    { ...told, names: ['both.example', '*.wild.example', 'UPPER.example'] },
  ];
  await using server = await startTestServer({ listen: true, tlsSniCertKey }, { clock });
  assert.match(await shownTo(server, 'own.example'), /own\.example/);
  for (const name of ['both.example', 'a.wild.example', 'upper.example', 'Both.Example']) {
    assert.match(await shownTo(server, name), /elsewhere\.example/, name);
  }
  for (const name of ['a.b.wild.example', 'wild.example', 'localhost']) {
    assert.match(await shownTo(server, name), /DNS:localhost/, name);
  }
  place('own', ['own.example', 'renewed.example']);
  clock.advance(5_000);
  assert.match(await shownTo(server, 'renewed.example'), /renewed\.example/);
  assert.match(await shownTo(server, 'both.example'), /elsewhere\.example/);
  writeFileSync(own.certFile, 'half a certi');
  clock.advance(5_000);
  assert.match(await shownTo(server, 'renewed.example'), /renewed\.example/, 'what can not be used is not taken');
});

test('client certificates are accepted with every SNI certificate', async () => {
  const named = place('named', ['named.example']);
  await using server = await startTestServer({ listen: true, tlsSniCertKey: [{ ...named, names: [] }] });
  const [cert, key] = ['client-certificate-data', 'client-key-data'].map((name) => {
    const data = new RegExp(`${name}: "?([^"\\n]+)`).exec(server.kubeconfigText)?.[1] ?? '';
    return Buffer.from(data, 'base64').toString();
  });
  const socket = await connected(server, { servername: 'named.example', cert, key });
  socket.end('GET /api/v1/nodes HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  let text = '';
  for await (const piece of socket) text += piece;
  assert.match(text, /^HTTP\/1\.1 200 /);
});

test('a missing SNI certificate ends the start', async () => {
  const tlsSniCertKey = [{ certFile: '/nope', keyFile: '/nope', names: [] }];
  await assert.rejects(startTestServer({ listen: true, tlsSniCertKey }), {
    message: 'failed to load SNI cert and key: open /nope: no such file or directory',
  });
});

async function ask(server: TestServer, method: string, path: string, headers: Record<string, string>) {
  const token = { authorization: `Bearer ${server.token}` };
  return await server.fetch(new Request(`https://x${path}`, { method, headers: { ...token, ...headers } }));
}

test('--cors-allowed-origins adds CORS headers for allowed origins only', async () => {
  const corsAllowedOrigins = ['//example\\.com(:|$)', '^https://other\\.example$'];
  await using server = await startTestServer({ corsAllowedOrigins });
  const allowed = {
    'access-control-allow-credentials': 'true',
    'access-control-allow-headers':
      'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
    'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
    'access-control-expose-headers': 'Date',
  };
  const told = (answer: Response) =>
    Object.fromEntries([...answer.headers].filter(([name]) => name.startsWith('access-control-')));
  const path = '/api/v1/namespaces/default';
  for (const origin of ['https://example.com', 'http://example.com:8080', 'https://other.example']) {
    const answer = await ask(server, 'GET', path, { origin });
    assert.equal(answer.status, 200);
    assert.deepEqual(told(answer), { ...allowed, 'access-control-allow-origin': origin });
    // Nobody has to say who he is to hear it.
    const preflight = await ask(server, 'OPTIONS', '/nowhere', { origin, authorization: '' });
    assert.equal(preflight.status, 204);
    assert.ok(preflight.headers.has('audit-id'));
    assert.deepEqual(told(preflight), { ...allowed, 'access-control-allow-origin': origin });
  }
  for (const origin of ['https://evil.com', 'https://sub.example.com', 'https://other.example:88']) {
    assert.deepEqual(told(await ask(server, 'GET', path, { origin })), {}, origin);
    assert.equal((await ask(server, 'OPTIONS', '/nowhere', { origin, authorization: '' })).status, 403, origin);
  }
  const unanswered = await ask(server, 'GET', path, { origin: 'https://example.com', authorization: 'Bearer x' });
  assert.equal(unanswered.status, 401);
  assert.equal(unanswered.headers.get('access-control-allow-origin'), 'https://example.com');
});

test('--cors-allowed-origins are patterns of RE2', async () => {
  await assert.rejects(
    startTestServer({ corsAllowedOrigins: ['^($'] }),
    /^InvalidOptionsError: corsAllowedOrigins has an invalid regular expression: error parsing regexp: missing closing \): `\^\(\$`, help: List of allowed origins/,
  );
});

test('--strict-transport-security-directives adds the header to every response', async () => {
  await using server = await startTestServer({
    strictTransportSecurityDirectives: ['max-age=31536000', 'includeSubDomains', 'preload'],
  });
  for (const path of ['/api', '/nowhere', '/metrics', '/api/v1/pods?watch=1&timeoutSeconds=1', '/openapi/v2']) {
    const answer = await ask(server, 'GET', path, {});
    const told = answer.headers.get('strict-transport-security');
    assert.equal(told, 'max-age=31536000; includeSubDomains; preload', path);
    await answer.text();
  }
});

test('--external-hostname is the host name in URLs of the server', async () => {
  await using server = await startTestServer({ listen: true, externalHostname: 'api.example' });
  const { port } = new URL(server.url);
  const { body } = await server.request('GET', '/.well-known/openid-configuration');
  assert.equal((body as { jwks_uri: string }).jwks_uri, `https://api.example:${port}/openid/v1/jwks`);
  await using behind = await startTestServer({ listen: true, externalHostname: 'api.example:443' });
  const versions = (await behind.request('GET', '/api')).body as { serverAddressByClientCIDRs: unknown };
  assert.deepEqual(versions.serverAddressByClientCIDRs, [
    { clientCIDR: '0.0.0.0/0', serverAddress: 'api.example:443' },
  ]);
});

test('with --disable-http2-serving clients are offered HTTP/1.1 only', async () => {
  await using server = await startTestServer({ listen: true, disableHttp2Serving: true });
  const socket = await connected(server, { ALPNProtocols: ['h2', 'http/1.1'] });
  assert.equal(socket.alpnProtocol, 'http/1.1');
  socket.destroy();
});

test('--http2-max-streams-per-connection is sent to clients', async () => {
  await using server = await startTestServer({ listen: true, http2MaxStreamsPerConnection: 7 });
  const session = connectHttp2(server.url, { rejectUnauthorized: false });
  const [settings] = await once(session, 'remoteSettings');
  assert.equal(settings.maxConcurrentStreams, 7);
  session.close();
});

test('servers with --permit-port-sharing listen on the same port', async () => {
  const options = { store: 'memory', permitPortSharing: true } as const;
  await using first = await startServer({ ...options, securePort: 0 }, { ephemeral: true });
  const securePort = Number(new URL(first.url).port);
  await using second = await startServer({ ...options, securePort }, { ephemeral: true });
  assert.equal(second.url, first.url);
  await assert.rejects(
    startServer({ store: 'memory', securePort }, { ephemeral: true }),
    /another program uses that port/,
  );
});

test('the kubernetes Service may have a node port', async () => {
  await using server = await startTestServer({ kubernetesServiceNodePort: 30_443 });
  const { body } = await server.request('GET', '/api/v1/namespaces/default/services/kubernetes');
  const { spec } = body as { spec: Record<string, unknown> };
  assert.equal(spec['type'], 'NodePort');
  assert.equal(spec['externalTrafficPolicy'], 'Cluster');
  assert.deepEqual(spec['ports'], [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443, nodePort: 30_443 }]);
  const taken = await server.request('POST', '/api/v1/namespaces/default/services', {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'other' } },
    spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 30_443 }] },
  });
  assert.equal(taken.status, 422);
});

test('with --enable-garbage-collector=false deletions do not wait for the garbage collector', async () => {
  await using server = await startTestServer({ enableGarbageCollector: false });
  const maps = '/api/v1/namespaces/default/configmaps';
  for (const policy of ['Foreground', 'Orphan', 'Background']) {
    await server.request('POST', maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owner' } });
    const deleted = await server.request('DELETE', `${maps}/owner?propagationPolicy=${policy}`);
    assert.equal(deleted.status, 200, policy);
    assert.equal((await server.request('GET', `${maps}/owner`)).status, 404, policy);
  }
});

test('/version may have a suffix for the version', async () => {
  await using server = await startTestServer({ reportedVersion: 'v1.34.4+ours' });
  assert.equal(((await server.request('GET', '/version')).body as { gitVersion: string }).gitVersion, 'v1.34.4+ours');
});
