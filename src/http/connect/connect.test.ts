import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { WebSocket } from 'ws';
import { startKubelet } from '../../../test/kubelet.ts';
import { strangers } from '../../../test/listening.ts';
import { until } from '../../../test/until.ts';
import { ManualClock } from '../../base/clock.ts';
import type { Dial } from '../../outbound/dial.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const PODS = '/api/v1/namespaces/default/pods';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function ask(server: TestServer, method: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { authorization: `Bearer ${server.token}`, ...(init.headers as Record<string, string>) };
  const response = await server.fetch(new Request(`https://localhost${path}`, { ...init, method, headers }));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function addNode(server: TestServer, name: string, port: number, address = '127.0.0.1'): Promise<void> {
  await server.request('POST', '/api/v1/nodes', { metadata: { name } });
  const status = {
    addresses: [{ type: /^[0-9]/.test(address) ? 'InternalIP' : 'Hostname', address }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
  const path = `/api/v1/nodes/${name}/status`;
  const { status: code } = await server.patch(path, { status });
  assert.equal(code, 200);
}

async function addPod(server: TestServer, name: string, more: object = {}, status: object = {}): Promise<void> {
  await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const spec = { containers: [{ name: 'main', image: 'x', ports: [{ containerPort: 8080 }] }], ...more };
  const created = await server.request('POST', PODS, { metadata: { name }, spec });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const merge = 'application/merge-patch+json';
  await server.patch(`${PODS}/${name}/status`, { status }, merge);
}

/** An upgrade over a real socket: the head of the answer and, where protocols changed, the socket. */
async function upgrade(server: TestServer, path: string, headers: Record<string, string | string[]>) {
  const url = new URL(path, server.url);
  const outgoing = httpsRequest(url, {
    method: 'POST',
    rejectUnauthorized: false,
    headers: { authorization: `Bearer ${server.token}`, connection: 'Upgrade', ...headers },
  });
  outgoing.end();
  const [answer, socket] = await Promise.race([once(outgoing, 'upgrade'), once(outgoing, 'response')]);
  return { answer, socket };
}

test('the log of a container is read from its kubelet with the parameters that the kubelet knows', async () => {
  await using kubelet = await startKubelet('one\ntwo\n');
  await using server = await startTestServer();
  await addNode(server, 'n1', kubelet.port);
  await addPod(server, 'web', { nodeName: 'n1' });
  const query = 'follow=true&tailLines=5&sinceTime=2026-01-01T00:00:00%2B00:00&container=main';
  const { status, headers, text } = await ask(server, 'GET', `${PODS}/web/log?${query}`);
  assert.deepEqual([status, headers.get('content-type'), text], [200, 'text/plain', 'one\ntwo\n']);
  const [seen] = kubelet.seen;
  const told = 'follow=true&sinceTime=2026-01-01T00%3A00%3A00Z&tailLines=5';
  assert.equal(seen?.url, `/containerLogs/default/web/main?${told}`);
  assert.equal(seen?.headers.authorization, undefined);
});

test('a pod log from a kubelet without a trusted certificate needs insecureSkipTLSVerifyBackend', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-kubelets-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const kubeletCertificateAuthority = join(folder, 'ca.crt');
  writeFileSync(kubeletCertificateAuthority, strangers(['127.0.0.1']).caCertPem);
  await using kubelet = await startKubelet('one\n');
  await using server = await startTestServer({ kubeletCertificateAuthority });
  await addNode(server, 'n1', kubelet.port);
  await addPod(server, 'web', { nodeName: 'n1' });
  const refused = await ask(server, 'GET', `${PODS}/web/log`);
  assert.equal(refused.status, 500);
  assert.match(refused.text, /x509: certificate signed by unknown authority/);
  const { status, text } = await ask(server, 'GET', `${PODS}/web/log?insecureSkipTLSVerifyBackend=true`);
  assert.deepEqual([status, text], [200, 'one\n']);
  assert.equal(kubelet.seen.at(-1)?.url, '/containerLogs/default/web/main');
  const metrics = (await ask(server, 'GET', '/metrics')).text
    .split('\n')
    .filter((line) => /^kube_apiserver_pod_logs/.test(line));
  assert.deepEqual(metrics, [
    'kube_apiserver_pod_logs_backend_tls_failure_total 1',
    'kube_apiserver_pod_logs_insecure_backend_total{usage="enforce_tls"} 1',
    'kube_apiserver_pod_logs_insecure_backend_total{usage="skip_tls_allowed"} 1',
  ]);
});

test('a kubelet that rejects a log request or is unreachable is reported as by kube-apiserver', async () => {
  await using kubelet = await startKubelet('');
  await using server = await startTestServer();
  await addNode(server, 'n1', kubelet.port);
  await addPod(server, 'broken', { nodeName: 'n1' });
  const refused = await server.request('GET', `${PODS}/broken/log`);
  assert.equal(refused.status, 500);
  assert.match(JSON.stringify(refused.body), /Internal error occurred: the log is gone/);
  const { port } = kubelet;
  await kubelet[Symbol.asyncDispose]();
  const gone = await server.request('GET', `${PODS}/broken/log`);
  assert.deepEqual(gone.body, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code: 500,
    message: `Get "https://127.0.0.1:${port}/containerLogs/default/broken/main": dial tcp 127.0.0.1:${port}: connect: connection refused`,
  });
});

test('exec over SPDY is passed on unchanged in both directions', async () => {
  await using kubelet = await startKubelet('');
  await using server = await startTestServer({ listen: true });
  await addNode(server, 'n1', kubelet.port);
  await addPod(server, 'web', { nodeName: 'n1' });
  const versions = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
  const { answer, socket } = await upgrade(server, `${PODS}/web/exec?command=sh&command=-c&stdin=true&stdout=true`, {
    upgrade: 'SPDY/3.1',
    'x-stream-protocol-version': versions,
  });
  assert.equal(answer.statusCode, 101);
  assert.equal(answer.headers['x-stream-protocol-version'], 'v4.channel.k8s.io');
  socket.write('some bytes');
  const [echo] = await once(socket, 'data');
  assert.equal(String(echo), 'some bytes');
  socket.end();
  await once(socket, 'close');
  const [seen] = kubelet.seen;
  assert.equal(seen?.method, 'POST');
  assert.equal(seen?.url, '/exec/default/web/main?command=sh&command=-c&input=1&output=1');
  assert.equal(seen?.headers.authorization, undefined);
  assert.equal(seen?.headers['x-stream-protocol-version'], versions.join(', '));
});

test('exec is throttled to --max-connection-bytes-per-sec', async () => {
  await using kubelet = await startKubelet('');
  const clock = new ManualClock(Date.now());
  await using server = await startTestServer({ listen: true, maxConnectionBytesPerSec: 1_000 }, { clock });
  await addNode(server, 'n1', kubelet.port);
  await addPod(server, 'web', { nodeName: 'n1' });
  const { socket } = await upgrade(server, `${PODS}/web/exec?command=cat&stdin=true&stdout=true`, {
    upgrade: 'SPDY/3.1',
    'x-stream-protocol-version': 'v4.channel.k8s.io',
  });
  let bytes = 0;
  socket.on('data', (piece: Buffer) => {
    bytes += piece.length;
  });
  socket.write('x'.repeat(250));
  for (const expected of [100, 200, 250]) {
    await until(`${expected} bytes are there`, () => bytes >= expected);
    assert.equal(bytes, expected);
    clock.advance(100);
  }
  socket.end();
  await once(socket, 'close');
});

test('attach over WebSocket is passed on without the bearer token among its protocols', async () => {
  await using kubelet = await startKubelet('');
  await using server = await startTestServer({ listen: true });
  await addNode(server, 'n1', kubelet.port);
  await addPod(server, 'web', { nodeName: 'n1' });
  const address = `${server.url.replace('https', 'wss')}${PODS}/web/attach?stdin=true&tty=true`;
  const bearer = `base64url.bearer.authorization.k8s.io.${Buffer.from('x').toString('base64url')}`;
  const socket = new WebSocket(address, ['v4.channel.k8s.io', bearer], {
    rejectUnauthorized: false,
    headers: { authorization: `Bearer ${server.token}` },
  });
  await once(socket, 'open');
  assert.equal(socket.protocol, 'v4.channel.k8s.io');
  socket.send(Buffer.from([0, 104, 105]));
  const [data] = await once(socket, 'message');
  assert.deepEqual([...(data as Buffer)], [0, 104, 105]);
  socket.close();
  await once(socket, 'close');
  assert.equal(kubelet.seen[0]?.headers['sec-websocket-protocol'], 'v4.channel.k8s.io');
  assert.equal(kubelet.seen[0]?.url, '/attach/default/web/main?input=1&tty=1');
});

test('the response of a kubelet that refuses an upgrade is passed on, and exec without an upgrade is 400', async () => {
  await using kubelet = await startKubelet('');
  await using server = await startTestServer({ listen: true });
  await addNode(server, 'n1', kubelet.port);
  await addPod(server, 'refused', { nodeName: 'n1' });
  const { answer } = await upgrade(server, `${PODS}/refused/portforward?ports=80`, { upgrade: 'SPDY/3.1' });
  assert.equal(answer.statusCode, 403);
  const [text] = await once(answer, 'data');
  assert.equal(String(text), 'no');
  // As it came, without headers of this server.
  assert.deepEqual(answer.headers, { 'content-type': 'text/plain', 'content-length': '2' });
  assert.equal(kubelet.seen[0]?.url, '/portForward/default/refused?port=80');
  const plain = await server.request('POST', `${PODS}/refused/exec?command=ls`);
  assert.equal((plain.body as { message: string }).message, 'Upgrade request required');
});

test('draining ends open exec streams', async () => {
  await using kubelet = await startKubelet('');
  await using server = await startTestServer({ listen: true });
  await addNode(server, 'n1', kubelet.port);
  await addPod(server, 'web', { nodeName: 'n1' });
  const { socket } = await upgrade(server, `${PODS}/web/exec?command=sh&stdout=true`, { upgrade: 'SPDY/3.1' });
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  await server.drain();
  await closed;
});

const PAGE = '<a href="/login">';

/** Something that speaks HTTP behind a pod's address. */
async function startBackend() {
  const seen: { method: string; url: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += String(piece);
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body });
    if (url === '/zipped') {
      response.writeHead(200, { 'content-encoding': 'gzip', 'x-wide': 'x'.repeat(30_000) });
      response.end(gzipSync('hello'));
      return;
    }
    if (url === '/away') response.writeHead(302, { location: '/login?next=1' });
    else if (url === '/page') response.writeHead(200, { 'content-type': 'text/html', 'content-length': PAGE.length });
    else
      response.writeHead(200, {
        'x-of': 'backend',
        'access-control-allow-origin': '*',
        connection: 'x-secret',
        'x-secret': '1',
      });
    response.end(method === 'HEAD' ? undefined : url === '/page' ? PAGE : 'hello');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const dialled: string[] = [];
  return {
    seen,
    dialled,
    /** Takes every address for its own. */
    dial: ({ host, port: asked }: { host: string; port: number }) => {
      dialled.push(`${host}:${asked}`);
      return connect({ host: '127.0.0.1', port });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const ADDRESSED = { podIP: '10.1.2.3', podIPs: [{ ip: '10.1.2.3' }] };

test('a pod proxy passes on path, query, body and headers, except credentials', async () => {
  await using backend = await startBackend();
  await using server = await startTestServer({}, { dial: backend.dial });
  await addPod(server, 'web', {}, ADDRESSED);
  const init = { body: 'a body', headers: { 'x-mine': '1', cookie: 'a=b' } };
  const answer = await ask(server, 'POST', `${PODS}/web/proxy/a%20b/c?d=e`, init);
  assert.deepEqual([answer.status, answer.text, answer.headers.get('x-of')], [200, 'hello', 'backend']);
  assert.equal(answer.headers.get('access-control-allow-origin'), null);
  assert.equal(answer.headers.get('x-secret'), null);
  const [seen] = backend.seen;
  assert.deepEqual([seen?.method, seen?.url, seen?.body], ['POST', '/a%20b/c?d=e', 'a body']);
  assert.deepEqual(
    [seen?.headers['x-mine'], seen?.headers['cookie'], seen?.headers.authorization],
    ['1', 'a=b', undefined],
  );
  assert.equal(seen?.headers['x-forwarded-uri'], `${PODS}/web/proxy/a%20b/c`);
  assert.equal(seen?.headers['connection'], undefined);
  assert.deepEqual(backend.dialled, ['10.1.2.3:8080']);
});

test('the path behind a proxy is unescaped, cleaned and escaped again, as Go does', async () => {
  await using backend = await startBackend();
  await using server = await startTestServer({ listen: true }, { dial: backend.dial });
  await addPod(server, 'web', {}, ADDRESSED);
  const asked = [
    'a%2Fb',
    'a//',
    'a/../x',
    '%2e%2e/x',
    '..%2f..%2fx',
    '//x/',
    'a%2Bb',
    '%7Ea',
    'a*b',
    '%e4%b8%ad',
    '%80',
  ];
  const session = connectHttp2(server.url, { rejectUnauthorized: false });
  for (const each of asked) {
    const headers = { ':path': `${PODS}/web/proxy/${each}`, authorization: `Bearer ${server.token}`, te: 'trailers' };
    const stream = session.request(headers);
    stream.resume();
    await once(stream, 'end');
  }
  session.close();
  assert.deepEqual(
    backend.seen.map(({ url }) => url),
    ['/a/b', '/a/', '/x', '/x', '/x', '/x/', '/a+b', '/~a', '/a%2Ab', '/%E4%B8%AD', '/%80'],
  );
  assert.equal(backend.seen[0]?.headers['te'], 'trailers');
});

test('a body that a backend compresses unasked reaches the client of a proxy uncompressed', async () => {
  await using backend = await startBackend();
  await using server = await startTestServer({}, { dial: backend.dial });
  await addPod(server, 'web', {}, ADDRESSED);
  const encodingOf = async (headers: Record<string, string>) => {
    const answer = await ask(server, 'GET', `${PODS}/web/proxy/zipped`, { headers });
    assert.equal(answer.status, 200, answer.text);
    return [answer.headers.get('content-encoding'), answer.text === 'hello'];
  };
  assert.deepEqual(await encodingOf({}), [null, true]);
  assert.deepEqual(await encodingOf({ 'accept-encoding': '' }), [null, true]);
  assert.deepEqual(await encodingOf({ 'accept-encoding': 'gzip' }), ['gzip', false]);
  assert.deepEqual(await encodingOf({ range: 'bytes=0-3' }), ['gzip', false]);
});

test('links in a page from a pod proxy lead through the proxy, and its root gets a trailing slash', async () => {
  await using backend = await startBackend();
  await using server = await startTestServer({}, { dial: backend.dial });
  await addPod(server, 'web', {}, ADDRESSED);
  const away = await ask(server, 'GET', `${PODS}/web:9090/proxy/away`, { redirect: 'manual' });
  assert.deepEqual([away.status, away.headers.get('location')], [302, `${PODS}/web:9090/proxy/login?next=1`]);
  const page = await ask(server, 'GET', `${PODS}/web:9090/proxy/page`);
  assert.equal(page.text, `<a href="${PODS}/web:9090/proxy/login">`);
  assert.equal((await ask(server, 'HEAD', `${PODS}/web:9090/proxy/page`)).headers.get('content-length'), null);
  const root = await ask(server, 'GET', `${PODS}/web/proxy?x=y`);
  assert.deepEqual([root.status, root.headers.get('location')], [301, `${PODS}/web/proxy/?x=y`]);
  await ask(server, 'GET', `${PODS}/web/proxy/`);
  assert.equal((await ask(server, 'HEAD', `${PODS}/web/proxy/b/`)).text, '');
  assert.deepEqual(
    backend.seen.map(({ method, url }) => `${method} ${url}`),
    ['GET /away', 'GET /page', 'HEAD /page', 'GET /', 'HEAD /b/'],
  );
  assert.deepEqual(backend.dialled.slice(2, 4), ['10.1.2.3:9090', '10.1.2.3:8080']);
});

test('a service is proxied to an endpoint that is the address of a pod, and to no other', async () => {
  await using backend = await startBackend();
  await using server = await startTestServer({}, { dial: backend.dial });
  await addPod(server, 'web', {}, ADDRESSED);
  const namespace = '/api/v1/namespaces/default';
  const ports = [{ name: 'http', port: 80 }];
  await server.request('POST', `${namespace}/services`, {
    metadata: { name: 'web' },
    spec: { ports, clusterIP: 'None' },
  });
  const targetRef = { kind: 'Pod', namespace: 'default', name: 'web' };
  const addresses = [{ ip: '10.9.9.9' }, { ip: '10.9.9.8', targetRef }, { ip: '10.1.2.3', targetRef }];
  const subsets = [{ addresses, ports: [{ name: 'http', port: 8080 }] }];
  await server.request('POST', `${namespace}/endpoints`, { metadata: { name: 'web' }, subsets });
  for (const name of ['web:80', 'web:http', 'http:web:80']) {
    const { status, text } = await ask(server, 'GET', `${namespace}/services/${name}/proxy/x`);
    assert.deepEqual([status, text], [200, 'hello'], name);
  }
  assert.deepEqual([...new Set(backend.dialled)], ['10.1.2.3:8080']);
});

test('a pod proxy without a backend that responds is 503', async () => {
  const dial = () => connect({ host: '127.0.0.1', port: 1 });
  await using server = await startTestServer({}, { dial });
  await addPod(server, 'web', {}, ADDRESSED);
  const { status, body } = await server.request('GET', `${PODS}/web/proxy/`);
  assert.equal(status, 503);
  const message = 'error trying to reach service: dial tcp 10.1.2.3:8080: connect: connection refused';
  assert.equal((body as { message: string }).message, message);
});

/** Takes every address for this machine's own. */
const dialHere: Dial = ({ port }) => connect({ host: '127.0.0.1', port });

test('a node proxy reaches the kubelet by the name of the node, with bodies in both directions', async () => {
  await using kubelet = await startKubelet('');
  await using server = await startTestServer({}, { dial: dialHere });
  await addNode(server, 'n1', kubelet.port, '10.1.2.3');
  const { status, headers, text } = await ask(server, 'POST', '/api/v1/nodes/n1/proxy/run/x', { body: 'words' });
  assert.deepEqual([status, headers.get('x-of'), text], [201, 'kubelet', 'words']);
});

test('a node proxy for a node name that cannot be resolved is 400', async () => {
  await using server = await startTestServer();
  await addNode(server, 'n1', 1, 'nobody-has-this-name.invalid');
  const { status, body } = await server.request('GET', '/api/v1/nodes/n1/proxy/x');
  assert.equal((body as Refusal).message, 'lookup nobody-has-this-name.invalid: no such host');
  assert.equal(status, 400);
});

test('a node proxy rejects loopback, link-local and multicast addresses of a node', async () => {
  await using kubelet = await startKubelet('');
  await using server = await startTestServer();
  const addresses = { a: '127.0.0.1', b: '169.254.169.254', c: 'localhost', d: '::1', e: '0.0.0.0', f: '224.0.0.1' };
  for (const [name, address] of Object.entries(addresses)) {
    await addNode(server, name, kubelet.port, address);
    for (const asked of [name, `${name}:${kubelet.port}`, `https:${name}:6443`]) {
      for (const rest of ['proxy', 'proxy/', 'proxy/run/x']) {
        const { status, body } = await server.request('POST', `/api/v1/nodes/${asked}/${rest}`);
        assert.deepEqual([status, (body as Refusal).reason], [400, 'BadRequest'], address);
        assert.equal((body as Refusal).message, 'address not allowed', address);
      }
    }
  }
  assert.deepEqual(kubelet.seen, []);
});

interface Refusal {
  readonly reason: string;
  readonly message: string;
}

test('a long Connection header of a proxied request is parsed in linear time', async () => {
  await using backend = await startBackend();
  await using server = await startTestServer({}, { dial: backend.dial });
  await addPod(server, 'web', {}, ADDRESSED);
  // Blanks that no comma ends: a pattern would try each of them again for each.
  const blanks = `a${' \t'.repeat(400_000)}b`;
  const started = performance.now();
  await ask(server, 'GET', `${PODS}/web/proxy/x`, { headers: { connection: `${blanks}, x-mine`, 'x-mine': '1' } });
  assert.deepEqual([backend.seen.length, backend.seen[0]?.headers['x-mine']], [1, undefined]);
  assert.ok(performance.now() - started < 10_000);
});

test('a node proxy over HTTP/2 passes on a body without a length in both directions', async () => {
  await using kubelet = await startKubelet('');
  await using server = await startTestServer({ listen: true }, { dial: dialHere });
  await addNode(server, 'n1', kubelet.port, '10.1.2.3');
  const session = connectHttp2(server.url, { rejectUnauthorized: false });
  const stream = session.request({
    ':method': 'POST',
    ':path': '/api/v1/nodes/n1/proxy/run/x',
    authorization: `Bearer ${server.token}`,
  });
  for (let piece = 0; piece < 64; piece++) stream.write(Buffer.alloc(16 * 1024, piece));
  stream.end();
  const [head] = await once(stream, 'response');
  let bytes = 0;
  for await (const piece of stream) bytes += (piece as Buffer).length;
  session.close();
  assert.deepEqual([head[':status'], head['connection'], bytes], [201, undefined, 1024 * 1024]);
  assert.equal(kubelet.seen[0]?.headers['transfer-encoding'], 'chunked');
});

test('the ports of a port forward are numbers, in several parameters or separated by commas', async () => {
  await using server = await startTestServer();
  for (const [query, told] of [
    ['ports=x', 'parsing "x": invalid syntax'],
    ['ports=80,', 'parsing "": invalid syntax'],
    ['ports=65536', 'parsing "65536": value out of range'],
  ]) {
    const { status, text } = await ask(server, 'POST', `${PODS}/none/portforward?${query}`);
    assert.equal(status, 400);
    assert.equal(JSON.parse(text).message, `cannot convert to []int32: strconv.ParseUint: ${told}`);
  }
  assert.equal((await ask(server, 'POST', `${PODS}/none/portforward?ports=80,81&ports=82`)).status, 404);
});

test('exec, attach and portforward need the right to create them, whatever the method, from 1.35 on', async () => {
  const getBy = async (kubernetesVersion: string): Promise<Answer> => {
    await using server = await startTestServer({ controllers: '', kubernetesVersion });
    await addPod(server, 'p');
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const subject = { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'low' };
    await server.request('POST', `${rbac}/clusterroles`, {
      ...{ metadata: { name: 'exec' }, rules: [{ apiGroups: [''], resources: ['pods/exec'], verbs: ['get'] }] },
    });
    await server.request('POST', `${rbac}/clusterrolebindings`, {
      metadata: { name: 'exec' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'exec' },
      subjects: [subject],
    });
    return await ask(server, 'GET', `${PODS}/p/exec?command=ls`, { headers: { 'impersonate-user': 'low' } });
  };
  assert.equal((await getBy('1.34')).status, 400);
  const { status, text } = await getBy('1.35');
  assert.equal(status, 403);
  assert.equal((JSON.parse(text) as { message: string }).message, 'pods "p" is forbidden: ');
});
