import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { type AddressInfo, connect, createServer as createTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { startConnectProxy } from '../../test/egress-proxies.ts';
import { until } from '../../test/until.ts';
import { ManualClock } from '../base/clock.ts';
import { makeCertificates } from '../server/pki.ts';
import { systemClock } from '../server/system-clock.ts';
import { dial } from './dial.ts';
import { readKubeconfig } from './kubeconfig.ts';
import { KubeconfigClient } from './kubeconfig-client.ts';

const made = makeCertificates({ clock: systemClock, hosts: ['127.0.0.1', 'hook.test'] });
let folder = '';
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'keelson-kubeconfig-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

interface Seen {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Whom the client certificate is for. */
  readonly certified: string | undefined;
}

async function startHook({ isPlain = false, status = 200 } = {}) {
  const seen: Seen[] = [];
  const hook = { seen, status, retryAfter: undefined as string | undefined };
  const listener: RequestListener = ({ url, headers, socket }, response) => {
    const certificate = (socket as TLSSocket).getPeerCertificate?.();
    seen.push({ url, headers, certified: certificate?.subject?.CN?.toString() });
    const later = hook.retryAfter === undefined ? {} : { 'retry-after': hook.retryAfter };
    response.writeHead(hook.status, { 'content-type': 'application/json', ...later });
    response.end('{}');
  };
  const tls = { cert: made.servingCertPem, key: made.servingKeyPem, requestCert: true, rejectUnauthorized: false };
  const server = isPlain ? createServer(listener) : createSecure(tls, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(hook, {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

interface Given {
  readonly server: string;
  readonly cluster?: object;
  readonly user?: object;
}

async function clientOf({ server, cluster, user = {} }: Given) {
  const data = Buffer.from(made.caCertPem).toString('base64');
  const config = {
    'current-context': 'x',
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': data, ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  };
  const path = join(folder, 'kubeconfig');
  writeFileSync(path, JSON.stringify(config));
  const target = await readKubeconfig(path, (file) => readFileSync(file, 'utf8'));
  const clock = new ManualClock();
  const client = new KubeconfigClient({ target, dial, clock });
  return { clock, ask: () => client.ask('{}', 5_000), [Symbol.dispose]: () => client.close() };
}

test('a server that sends Retry-After is asked again after that time, within the timeout of the call', async () => {
  await using hook = await startHook({ status: 503 });
  using client = await clientOf({ server: `https://127.0.0.1:${hook.port}` });
  const attempts = async (answer: Promise<unknown>, stepMs: number) => {
    const outcome = answer.then(
      () => 'taken',
      (error: Error) => error.message,
    );
    const before = hook.seen.length;
    const over = outcome.then(() => true);
    await until('it is over', () => {
      client.clock.advance(stepMs);
      return Promise.race([over, new Promise<boolean>((resolve) => setTimeout(resolve, 5, false))]);
    });
    return [await outcome, hook.seen.length - before];
  };
  // Time that passes while a call is under way counts for its end alone.
  hook.retryAfter = '0';
  const unable = 'the server is currently unable to handle the request';
  assert.deepEqual(await attempts(client.ask(), 0), [unable, 11]);
  hook.retryAfter = 'Fri, 31 Dec 2100 23:59:59 GMT';
  assert.deepEqual(await attempts(client.ask(), 0), [unable, 1]);
  [hook.status, hook.retryAfter] = [404, '1'];
  assert.deepEqual(await attempts(client.ask(), 0), ['the server could not find the requested resource', 1]);
  [hook.status, hook.retryAfter] = [429, '60'];
  const [outcome, count] = await attempts(client.ask(), 100);
  assert.match(String(outcome), /context deadline exceeded$/);
  assert.equal(count, 1);
});

test('a kubeconfig user may impersonate another', async () => {
  await using hook = await startHook();
  const user = { token: 't', as: 'jane', 'as-uid': 'u1', 'as-groups': ['a', 'b'], 'as-user-extra': { 'x/Y z': ['1'] } };
  using client = await clientOf({ server: `https://127.0.0.1:${hook.port}`, user });
  await client.ask();
  const headers = hook.seen[0]?.headers ?? {};
  assert.deepEqual(
    ['authorization', 'impersonate-user', 'impersonate-uid', 'impersonate-group'].map((name) => headers[name]),
    ['Bearer t', 'jane', 'u1', 'a, b'],
  );
  assert.equal(headers['impersonate-extra-x%2fy%20z'], '1');
});

test('a client certificate in files that are replaced is used once both files match', async () => {
  await using hook = await startHook();
  const place = (cert: string, key: string) => {
    writeFileSync(join(folder, 'client.crt'), cert);
    writeFileSync(join(folder, 'client.key'), key);
  };
  place(made.adminCertPem, made.adminKeyPem);
  const user = { 'client-certificate': 'client.crt', 'client-key': 'client.key' };
  using client = await clientOf({ server: `https://127.0.0.1:${hook.port}`, user });
  await client.ask();
  place(made.servingCertPem, made.adminKeyPem);
  await client.ask();
  place(made.servingCertPem, made.servingKeyPem);
  await client.ask();
  const [first, half, second] = hook.seen.map(({ certified }) => certified);
  assert.equal(half, first);
  assert.notEqual(second, first);
});

test('a server is reached through the proxy-url of the kubeconfig', async () => {
  await using hook = await startHook();
  await using proxy = await startConnectProxy({ to: hook.port });
  const cluster = { 'proxy-url': `http://me:secret@127.0.0.1:${proxy.port}` };
  using client = await clientOf({ server: 'https://hook.test:8443', cluster });
  await client.ask();
  assert.deepEqual([proxy.asked, hook.seen.length], [['hook.test:8443'], 1]);
  assert.equal(proxy.headers[0]?.['proxy-authorization'], `Basic ${Buffer.from('me:secret').toString('base64')}`);
  assert.equal(proxy.headers[0]?.host, 'hook.test:8443');
});

test('a proxy with TLS is verified by the same CA', async () => {
  await using hook = await startHook();
  const tls = { cert: made.servingCertPem, key: made.servingKeyPem, ca: made.caCertPem };
  await using proxy = await startConnectProxy({ to: hook.port, tls, asksCertificate: false });
  using client = await clientOf({
    server: 'https://hook.test',
    cluster: { 'proxy-url': `https://127.0.0.1:${proxy.port}` },
  });
  await client.ask();
  assert.deepEqual(proxy.asked, ['hook.test:443']);
});

test('a proxy that refuses a connection is reported', async () => {
  await using proxy = await startConnectProxy({ to: 1 });
  proxy.refusal = '407 Proxy Authentication Required';
  using client = await clientOf({
    server: 'https://hook.test',
    cluster: { 'proxy-url': `http://127.0.0.1:${proxy.port}` },
  });
  await assert.rejects(client.ask(), {
    message: 'Post "https://hook.test/?timeout=5s": Proxy Authentication Required',
  });
  using away = await clientOf({ server: 'https://hook.test', cluster: { 'proxy-url': 'http://127.0.0.1:1' } });
  await assert.rejects(away.ask(), {
    message:
      'Post "https://hook.test/?timeout=5s": proxyconnect tcp: dial tcp 127.0.0.1:1: connect: connection refused',
  });
});

test('a server without TLS is reached through the proxy, without the token of the user', async () => {
  await using proxy = await startHook({ isPlain: true });
  const cluster = { 'proxy-url': `http://127.0.0.1:${proxy.port}` };
  using client = await clientOf({ server: 'http://hook.test/check', cluster, user: { token: 't', as: 'jane' } });
  await client.ask();
  const [seen] = proxy.seen;
  assert.equal(seen?.url, 'http://hook.test/check?timeout=5s');
  assert.deepEqual(
    [seen?.headers.host, seen?.headers.authorization, seen?.headers['impersonate-user']],
    ['hook.test', undefined, 'jane'],
  );
});

test('a server address without a scheme is one without TLS', async () => {
  await using hook = await startHook({ isPlain: true });
  using client = await clientOf({ server: `127.0.0.1:${hook.port}`, user: { token: 't' } });
  await client.ask();
  assert.equal(hook.seen[0]?.headers.authorization, undefined);
});

/** A SOCKS proxy that knows one user; it says where it was asked to go. */
async function startSocks(to: number) {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createTcp(async (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    const next = async () => (await once(socket, 'data'))[0] as Buffer;
    await next();
    socket.write(Buffer.from([5, 2]));
    const login = await next();
    const user = login.subarray(2, 2 + (login[1] ?? 0)).toString();
    if (user !== 'me') return void socket.end(Buffer.from([1, 1]));
    socket.write(Buffer.from([1, 0]));
    const wanted = await next();
    const name = wanted.subarray(5, 5 + (wanted[4] ?? 0)).toString();
    asked.push(`${name}:${wanted.readUInt16BE(wanted.length - 2)}`);
    const beyond = connect({ host: '127.0.0.1', port: to });
    sockets.add(beyond.on('error', () => {}));
    socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 1]));
    socket.pipe(beyond).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    asked,
    port: (server.address() as AddressInfo).port,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test('a proxy-url may be a SOCKS proxy', async () => {
  await using hook = await startHook();
  using proxy = await startSocks(hook.port);
  const cluster = { 'proxy-url': `socks5://me:secret@127.0.0.1:${proxy.port}` };
  using client = await clientOf({ server: 'https://hook.test:8443', cluster });
  await client.ask();
  assert.deepEqual(proxy.asked, ['hook.test:8443']);
  const stranger = { 'proxy-url': `socks5://you:secret@127.0.0.1:${proxy.port}` };
  using other = await clientOf({ server: 'https://hook.test:8443', cluster: stranger });
  await assert.rejects(other.ask(), {
    message: `Post "https://hook.test:8443/?timeout=5s": socks connect tcp 127.0.0.1:${proxy.port}->hook.test:8443: username/password authentication failed`,
  });
});

/** A user whose plugin writes down what it is told, and gives a token with a number. */
function pluginUser(status: string, more: object = {}) {
  const script = `const fs = require('fs');
    fs.appendFileSync(process.env.SEEN, process.env.KUBERNETES_EXEC_INFO + '\\n');
    const runs = fs.readFileSync(process.env.SEEN, 'utf8').trim().split('\\n').length;
    console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1', status: ${status} }));`;
  const seen = join(mkdtempSync(join(folder, 'plugin-')), 'seen');
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'Never',
    command: process.execPath,
    args: ['-e', script],
    env: [{ name: 'SEEN', value: seen }],
    ...more,
  };
  return { user: { exec }, told: () => readFileSync(seen, 'utf8').trim().split('\n') };
}

test('a credential plugin provides a token, which is cached, and replaced after a 401', async () => {
  await using hook = await startHook();
  const { user, told } = pluginUser('{ token: "token-" + runs }', { provideClusterInfo: true });
  const extension = { name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } };
  using client = await clientOf({
    server: `https://127.0.0.1:${hook.port}`,
    cluster: { extensions: [extension], 'disable-compression': true },
    user,
  });
  await client.ask();
  await client.ask();
  assert.deepEqual(
    hook.seen.map(({ headers }) => headers.authorization),
    ['Bearer token-1', 'Bearer token-1'],
  );
  assert.deepEqual(JSON.parse(told()[0] ?? ''), {
    kind: 'ExecCredential',
    apiVersion: 'client.authentication.k8s.io/v1',
    spec: {
      cluster: {
        server: `https://127.0.0.1:${hook.port}`,
        'certificate-authority-data': Buffer.from(made.caCertPem).toString('base64'),
        'disable-compression': true,
        config: { audience: 'a' },
      },
      interactive: false,
    },
  });
  hook.status = 401;
  await assert.rejects(client.ask());
  hook.status = 200;
  // The plugin runs meanwhile; whoever asks while it does waits for it.
  while (told().length < 2) await new Promise(setImmediate);
  await client.ask();
  while (hook.seen.at(-1)?.headers.authorization === 'Bearer token-1') await client.ask();
  assert.equal(hook.seen.at(-1)?.headers.authorization, 'Bearer token-2');
});

test('a credential plugin provides a client certificate', async () => {
  await using hook = await startHook();
  const pair = JSON.stringify({ clientCertificateData: made.adminCertPem, clientKeyData: made.adminKeyPem });
  using client = await clientOf({ server: `https://127.0.0.1:${hook.port}`, user: pluginUser(pair).user });
  await client.ask();
  assert.notEqual(hook.seen[0]?.certified, undefined);
});

test('a credential plugin that provides nothing is reported', async () => {
  await using hook = await startHook();
  const server = `https://127.0.0.1:${hook.port}`;
  for (const [status, more, fault] of [
    ['{}', {}, "exec plugin didn't return a token or cert/key pair"],
    ['undefined', {}, "exec plugin didn't return a status field"],
    ['{ clientKeyData: "a" }', {}, 'exec plugin returned only certificate or key, not both'],
    ['{}', { command: 'nobody-has-this' }, 'exec: executable nobody-has-this not found'],
    ['{}', { args: ['-e', 'process.exit(3)'] }, `exec: executable ${process.execPath} failed with exit code 3`],
    [
      '{ token: "t" }',
      { apiVersion: 'client.authentication.k8s.io/v1beta1' },
      'exec plugin is configured to use API version client.authentication.k8s.io/v1beta1, plugin returned version client.authentication.k8s.io/v1',
    ],
    [
      '{ token: "t" }',
      { interactiveMode: 'Always' },
      'exec plugin cannot support interactive mode: standard input is not a terminal',
    ],
  ] as const) {
    using client = await clientOf({ server, user: pluginUser(status, more).user });
    await assert.rejects(client.ask(), { message: `Post "${server}/?timeout=5s": getting credentials: ${fault}` });
  }
});
