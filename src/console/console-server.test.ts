import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { makeCertificates } from '../server/pki.ts';
import { systemClock } from '../server/system-clock.ts';
import { startConsole } from './console-server.ts';
import { readContexts } from './contexts.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A console of a cluster that answers by this function; `ask` sends what the page would. */
async function opened(context: TestContext, answer: Answer, readOnly = false) {
  // Over plain HTTP nobody is told who asks, as with kubectl.
  const made = makeCertificates({ clock: systemClock, hosts: ['127.0.0.1'] });
  const cluster = createServer({ cert: made.servingCertPem, key: made.servingKeyPem }, answer).listen(0, '127.0.0.1');
  context.after(() => {
    cluster.closeAllConnections();
    cluster.close();
  });
  await new Promise((resolve) => cluster.once('listening', resolve));
  const { port } = cluster.address() as AddressInfo;
  const ca = Buffer.from(made.caCertPem).toString('base64');
  const kubeconfig = `
current-context: c
clusters: [{name: c, cluster: {server: 'https://127.0.0.1:${port}/prefix', certificate-authority-data: ${ca}}}]
users: [{name: u, user: {token: secret}}]
contexts: [{name: c, context: {cluster: c, user: u}}]`;
  const contexts = await readContexts(['/c'], () => kubeconfig);
  const server = await startConsole({ contexts, context: 'c', readOnly, port: 0, clock: systemClock });
  context.after(() => server.close());
  const { origin } = new URL(server.link);
  const link = await fetch(server.link);
  const cookie = link.headers.get('set-cookie')!.split(';')[0]!;
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}${path}`, { ...init, headers: { cookie, origin, ...init.headers } });
  return { ask, origin, cookie, cluster, link: server.link };
}

const echo: Answer = (request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers }));
};

test('a request of the console page reaches the cluster with credentials of the kubeconfig only', async (t) => {
  const { ask } = await opened(t, echo);
  const headers = { authorization: 'Bearer mine', 'impersonate-user': 'root', accept: 'application/json' };
  const answer = (await (await ask('/k8s/api/v1/pods?limit=1', { headers })).json()) as {
    url: string;
    headers: Record<string, string>;
  };
  assert.equal(answer.url, '/prefix/api/v1/pods?limit=1');
  assert.equal(answer.headers['authorization'], 'Bearer secret');
  assert.equal(answer.headers['impersonate-user'], undefined);
  assert.equal(answer.headers['cookie'], undefined);
});

test('the console requires its cookie, and its link works once', async (t) => {
  const { origin, link } = await opened(t, echo);
  for (const path of ['/', '/k8s/api', '/console/session', '/assets/page.js']) {
    assert.equal((await fetch(`${origin}${path}`)).status, 401, path);
  }
  assert.equal((await fetch(link)).status, 401);
});

test('the console page has a content security policy that allows its own scripts only', async (t) => {
  const { ask } = await opened(t, echo);
  const page = await ask('/');
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(page.headers.get('content-security-policy')!, /script-src 'self'.*frame-ancestors 'none'/);
  assert.doesNotMatch(await page.text(), /<script(?![^>]*src=)|style=|onload=/);
});

test('HTML from the cluster is never rendered by the console', async (t) => {
  const { ask, origin, cookie } = await opened(t, (_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<script>alert(1)</script>');
  });
  const answer = await ask('/k8s/api/v1/namespaces/a/pods/b/proxy/');
  assert.equal(answer.headers.get('content-type'), 'application/octet-stream');
  assert.match(answer.headers.get('content-security-policy')!, /sandbox/);
  // fetch() says of itself that it is not a navigation.
  const headers = { cookie, 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' };
  const page = await new Promise<IncomingMessage>((resolve) => get(`${origin}/k8s/api`, { headers }, resolve));
  page.resume();
  assert.equal(page.statusCode, 403);
});

test('a read-only console rejects writes before they reach the cluster', async (t) => {
  let asked = 0;
  const { ask } = await opened(
    t,
    (request, response) => {
      asked++;
      echo(request, response);
    },
    true,
  );
  const refused = await ask('/k8s/api/v1/namespaces', { method: 'POST', body: '{}' });
  assert.equal(refused.status, 403);
  assert.equal(((await refused.json()) as { message: string }).message, 'this console is read-only');
  assert.equal(asked, 0);
  assert.equal((await ask('/k8s/api/v1/namespaces?dryRun=All', { method: 'POST', body: '{}' })).status, 200);
});

test('a request smuggled in the body of another one is not sent by the console', async (t) => {
  const seen: string[] = [];
  const { origin, cookie } = await opened(
    t,
    (request, response) => {
      seen.push(`${request.method} ${request.url}`);
      request.resume().once('end', () => response.end('{}'));
    },
    true,
  );
  const hidden = 'DELETE /prefix/api/v1/namespaces/a HTTP/1.1\r\nHost: x\r\n\r\n';
  for (const method of ['OPTIONS', 'SEARCH', 'POST']) {
    const { port } = new URL(origin);
    const socket = connect(Number(port), '127.0.0.1');
    const head = [
      `${method} /k8s/version?dryRun=All HTTP/1.1`,
      ...[`Host: 127.0.0.1:${port}`, `Origin: ${origin}`, `Cookie: ${cookie}`, 'Transfer-Encoding: chunked'],
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`);
    await once(socket, 'data');
    socket.destroy();
  }
  assert.deepEqual(
    seen,
    ['OPTIONS', 'SEARCH', 'POST'].map((method) => `${method} /prefix/version?dryRun=All`),
  );
});

test('a cluster that cannot be reached is 502 with a reason', async (t) => {
  const { ask } = await opened(t, (request) => request.socket.destroy());
  const answer = await ask('/k8s/api');
  assert.equal(answer.status, 502);
  assert.match(
    ((await answer.json()) as { message: string }).message,
    /^https:.* does not answer: .*(?:socket hang up|ECONNRESET)/,
  );
});

test('watches of the console share one socket, each with its number', async (t) => {
  const { origin, cookie } = await opened(t, (request, response) => {
    if (request.url!.includes('secrets')) {
      response.statusCode = 403;
      response.end(JSON.stringify({ message: 'secrets is forbidden' }));
      return;
    }
    response.write('{"type":"ADDED",');
    response.end('"object":{}}\n{"type":"DELETED","object":{}}\n');
  });
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/console/watches`, { headers: { cookie, origin } });
  t.after(() => socket.terminate());
  const heard: { id: number; end?: string }[] = [];
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify({ start: 1, path: '/api/v1/pods?watch=1' }));
  socket.send(JSON.stringify({ start: 2, path: '/api/v1/secrets?watch=1' }));
  await new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      heard.push(JSON.parse(String(data)));
      if (heard.length === 4) resolve();
    });
  });
  assert.deepEqual(
    heard.filter(({ id }) => id === 1),
    [
      { id: 1, status: 200 },
      { id: 1, lines: '{"type":"ADDED","object":{}}\n{"type":"DELETED","object":{}}\n' },
      { id: 1, end: '' },
    ],
  );
  assert.deepEqual(
    heard.filter(({ id }) => id === 2),
    [{ id: 2, status: 403, message: 'secrets is forbidden' }],
  );
});

test('pod logs are sent over the console socket to the last line, and proxied responses are not', async (t) => {
  const { origin, cookie } = await opened(t, (_, response) => response.end('one\ntwo'));
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/console/watches`, { headers: { cookie, origin } });
  t.after(() => socket.terminate());
  await new Promise((resolve) => socket.once('open', resolve));
  const heard: { lines?: string }[] = [];
  socket.on('message', (data) => heard.push(JSON.parse(String(data))));
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  socket.send(JSON.stringify({ start: 1, path: '/api/v1/namespaces/shop/pods/web/log?follow=true' }));
  while (heard.length < 4) await new Promise((resolve) => socket.once('message', resolve));
  assert.equal(heard.map(({ lines = '' }) => lines).join(''), 'one\ntwo');
  socket.send(JSON.stringify({ start: 2, path: '/api/v1/namespaces/shop/services/web/proxy/log?watch=1' }));
  assert.equal(await closed, 1008);
});

test('exec in the console has its own connection to the cluster, with credentials', async (t) => {
  const { origin, cookie, cluster } = await opened(t, echo);
  const sockets = new WebSocketServer({ server: cluster });
  let asked: IncomingMessage | undefined;
  sockets.on('connection', (socket, request) => {
    asked = request;
    socket.on('message', (data) => socket.send(`heard ${String(data)}`, () => socket.close()));
  });
  const path = '/api/v1/namespaces/shop/pods/web/exec?command=ls';
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/k8s${path}`, ['v5.channel.k8s.io'], {
    headers: { cookie, origin },
  });
  await once(socket, 'open');
  assert.equal(socket.protocol, 'v5.channel.k8s.io');
  socket.send('hello');
  assert.equal(String((await once(socket, 'message'))[0]), 'heard hello');
  await once(socket, 'close');
  assert.equal(asked?.url, `/prefix${path}`);
  assert.equal(asked?.headers.authorization, 'Bearer secret');
  assert.equal(asked?.headers.cookie, undefined);
});

test('exec that the cluster refuses is refused, like any in a read-only console', async (t) => {
  for (const [readOnly, refusal] of [
    [false, /Unexpected server response: 403/],
    [true, /socket hang up|ECONNRESET/],
  ] as const) {
    const { origin, cookie } = await opened(t, (_, response) => response.writeHead(403).end(), readOnly);
    const url = `${origin.replace('http', 'ws')}/k8s/api/v1/namespaces/shop/pods/web/exec?command=ls`;
    const socket = new WebSocket(url, ['v5.channel.k8s.io'], { headers: { cookie, origin } });
    await assert.rejects(once(socket, 'open'), refusal);
  }
});

test('a console socket from another origin is refused', async (t) => {
  const { origin, cookie } = await opened(t, echo);
  const headers = { cookie, origin: 'http://evil.example' };
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/console/watches`, { headers });
  await assert.rejects(
    new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject)),
    /socket hang up|ECONNRESET/,
  );
});
