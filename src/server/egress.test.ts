import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type EgressProxy, startConnectProxy, startKonnectivity } from '../../test/egress-proxies.ts';
import { startTestServer } from '../testing/test-server.ts';
import { EtcdRelay } from './etcd/relay.ts';
import { makeCertificates } from './pki.ts';
import { systemClock } from './system-clock.ts';

let folder = '';
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'keelson-egress-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function selecting(selections: Record<string, unknown>): string {
  const egressSelections = Object.entries(selections).map(([name, connection]) => ({ name, connection }));
  const kind = { apiVersion: 'apiserver.k8s.io/v1beta1', kind: 'EgressSelectorConfiguration' };
  return written('egress.json', JSON.stringify({ ...kind, egressSelections }));
}

/** A pod's server: it says how much it was sent, and sends as much. */
async function startPod() {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => response.end(request.method === 'GET' ? 'hello' : Buffer.concat(pieces)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A server that reaches pods by a proxy, and a pod at an address that only the proxy knows. */
async function startServerBehind(connection: unknown, kubernetesVersion?: string) {
  const egressSelectorConfigFile = selecting({ cluster: connection });
  const server = await startTestServer({ egressSelectorConfigFile, ...(kubernetesVersion && { kubernetesVersion }) });
  const pods = '/api/v1/namespaces/default/pods';
  const containers = [{ name: 'main', image: 'i', ports: [{ containerPort: 8080 }] }];
  await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  await server.request('POST', pods, { metadata: { name: 'web' }, spec: { containers, nodeName: 'n' } });
  await server.patch(`${pods}/web/status`, { status: { podIP: '10.1.2.3', podIPs: [{ ip: '10.1.2.3' }] } });
  return server;
}

const PROXIED = '/api/v1/namespaces/default/pods/web/proxy/x';

async function proxies(proxy: EgressProxy, connection: unknown, way: string): Promise<void> {
  await using server = await startServerBehind(connection);
  const headers = { authorization: `Bearer ${server.token}` };
  const ask = (method: string, body?: string, path = PROXIED) =>
    server.fetch(new Request(`https://localhost${path}`, { method, headers, ...(body === undefined ? {} : { body }) }));
  assert.equal(await (await ask('GET')).text(), 'hello');
  const long = 'a long text. '.repeat(30_000);
  assert.equal(await (await ask('POST', long)).text(), long);
  assert.deepEqual(proxy.asked, ['10.1.2.3:8080', '10.1.2.3:8080']);
  proxy.refusal = '403 Forbidden';
  const refused = (await (await ask('GET')).json()) as { code: number; message: string };
  assert.equal(refused.code, 503);
  const metrics = await (await ask('GET', undefined, '/metrics')).text();
  assert.match(metrics, new RegExp(`apiserver_egress_dialer_dial_start_total\\{${way}\\} 3`));
  assert.match(metrics, new RegExp(`apiserver_egress_dialer_dial_duration_seconds_count\\{${way}\\} 2`));
  const [protocol, transport] = way.split(',');
  const failures = `apiserver_egress_dialer_dial_failure_count{${protocol},stage="proxy",${transport}} 1`;
  assert.ok(metrics.includes(failures), failures);
  assert.equal(refused.message.replace(/from \S+ while/, 'from PROXY while'), refusalOf(protocol ?? ''));
}

function refusalOf(protocol: string): string {
  return protocol.includes('grpc')
    ? 'error trying to reach service: 403 Forbidden'
    : 'error trying to reach service: proxy error from PROXY while dialing 10.1.2.3:8080, code 403: 403 Forbidden';
}

test('pods are reached through an egress proxy with HTTP CONNECT over TCP', async () => {
  await using pod = await startPod();
  await using proxy = await startConnectProxy({ to: pod.port });
  const transport = { tcp: { url: `http://127.0.0.1:${proxy.port}` } };
  await proxies(proxy, { proxyProtocol: 'HTTPConnect', transport }, 'protocol="http_connect",transport="tcp"');
});

test('pods are reached through an egress proxy with HTTP CONNECT over mutual TLS', async () => {
  const made = makeCertificates({ clock: systemClock, hosts: ['127.0.0.1'] });
  await using pod = await startPod();
  const tls = { cert: made.servingCertPem, key: made.servingKeyPem, ca: made.caCertPem };
  await using proxy = await startConnectProxy({ to: pod.port, tls });
  const tlsConfig = {
    caBundle: written('ca.crt', made.caCertPem),
    clientCert: written('client.crt', made.adminCertPem),
    clientKey: written('client.key', made.adminKeyPem),
  };
  const transport = { tcp: { url: `https://127.0.0.1:${proxy.port}`, tlsConfig } };
  await proxies(proxy, { proxyProtocol: 'HTTPConnect', transport }, 'protocol="http_connect",transport="tcp"');
});

/** A proxy over mutual TLS whose certificate is for `proxy.example`, and how to reach it. */
async function startNamedProxy(to: number) {
  const made = makeCertificates({ clock: systemClock, hosts: ['proxy.example'] });
  const tls = { cert: made.servingCertPem, key: made.servingKeyPem, ca: made.caCertPem };
  const proxy = await startConnectProxy({ to, tls });
  const files = {
    caBundle: written('named-ca.crt', made.caCertPem),
    clientCert: written('named-client.crt', made.adminCertPem),
    clientKey: written('named-client.key', made.adminKeyPem),
  };
  const connection = (more: object) => ({
    proxyProtocol: 'HTTPConnect',
    transport: { tcp: { url: `https://127.0.0.1:${proxy.port}`, tlsConfig: { ...files, ...more } } },
  });
  return { proxy, connection };
}

test('the certificate of an egress proxy is for the server name that the file gives, from 1.36 on', async () => {
  await using pod = await startPod();
  const { proxy, connection } = await startNamedProxy(pod.port);
  await using _proxy = proxy;
  for (const [tlsConfig, expected] of [
    [{ tlsServerName: 'proxy.example' }, 200],
    [{ tlsServerName: 'other.example' }, 503],
    [{ tlsServerName: '127.0.0.1' }, 503],
    [{ tlsServerName: '' }, 503],
    [{}, 503],
  ] as const) {
    await using server = await startServerBehind(connection(tlsConfig), '1.36');
    const headers = { authorization: `Bearer ${server.token}` };
    const { status } = await server.fetch(new Request(`https://localhost${PROXIED}`, { headers }));
    assert.equal(status, expected, JSON.stringify(tlsConfig));
  }
});

test('a file for egress proxies has no server names before 1.36', async () => {
  const { proxy, connection } = await startNamedProxy(1);
  await using _proxy = proxy;
  const member = 'egressSelections[0].connection.transport.tcp.tlsConfig.tlsServerName';
  await assert.rejects(startServerBehind(connection({ tlsServerName: 'proxy.example' }), '1.35'), {
    message: `failed to read egress selector config: strict decoding error: unknown field "${member}"`,
  });
});

test('pods are reached through an egress proxy with HTTP CONNECT over a Unix socket', async () => {
  await using pod = await startPod();
  const path = join(folder, 'connect.sock');
  await using proxy = await startConnectProxy({ to: pod.port, path });
  const transport = { uds: { udsName: path } };
  await proxies(proxy, { proxyProtocol: 'HTTPConnect', transport }, 'protocol="http_connect",transport="uds"');
});

test('pods are reached through a konnectivity proxy server', async () => {
  await using pod = await startPod();
  const path = join(folder, 'konnectivity.sock');
  await using proxy = await startKonnectivity({ to: pod.port, path });
  const transport = { uds: { udsName: path } };
  await proxies(proxy, { proxyProtocol: 'GRPC', transport }, 'protocol="grpc",transport="uds"');
});

test('a missing egress proxy is reported with its own address', async () => {
  const path = join(folder, 'nobody.sock');
  for (const [connection, fault] of [
    [
      { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName: path } } },
      `dial unix ${path}: connect: no such file or directory`,
    ],
    [
      { proxyProtocol: 'HTTPConnect', transport: { tcp: { url: 'http://127.0.0.1:1' } } },
      'dial tcp 127.0.0.1:1: connect: connection refused',
    ],
  ] as const) {
    await using server = await startServerBehind(connection);
    const { status, body } = await server.request('GET', PROXIED);
    assert.deepEqual([status, (body as { message: string }).message], [503, `error trying to reach service: ${fault}`]);
  }
});

test('an invalid egress selector configuration ends the start', async () => {
  const pem = written('not-pem', 'words');
  const tcp = (url: string, tlsConfig: object) => ({
    proxyProtocol: 'HTTPConnect',
    transport: { tcp: { url, tlsConfig } },
  });
  const pair = `failed to read key pair ${pem} & ${pem}, got tls: failed to find any PEM data in certificate input`;
  await assert.rejects(
    startTestServer({
      egressSelectorConfigFile: selecting({ cluster: tcp('https://a:1', { clientCert: pem, clientKey: pem }) }),
    }),
    { message: `failed to setup egress selector: failed to create dialer for egressSelection "cluster": ${pair}` },
  );
});

test('members of an etcd cluster are reached through an egress proxy', async () => {
  const echo = createTcp((socket) => socket.pipe(socket));
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const { port } = echo.address() as AddressInfo;
  const dialled: string[] = [];
  const relay = new EtcdRelay(({ host, port: asked }) => {
    dialled.push(`${host} ${asked}`);
    return connect({ host: '127.0.0.1', port });
  });
  const socket = connect({ path: relay.socketFor('[fd00::1]:2379') });
  socket.write('words');
  assert.equal(String((await once(socket, 'data'))[0]), 'words');
  assert.deepEqual(dialled, ['fd00::1 2379']);
  socket.destroy();
  relay.close();
  echo.close();
});
