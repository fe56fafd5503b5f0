// Node's own clients: many requests on one connection, over HTTP/2 and over HTTP/1.1.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { Agent, request } from 'node:https';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { authorityIn } from '../conformance/server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

function configMap(name: string): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
}

async function ask(session: ClientHttp2Session, server: TestServer, options: { path: string; body?: string }) {
  const method = options.body === undefined ? 'GET' : 'POST';
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const stream = session.request({ ':method': method, ':path': options.path, ...headers });
  stream.end(options.body);
  const [head] = await once(stream, 'response');
  let text = '';
  for await (const piece of stream.setEncoding('utf8')) text += piece;
  return { status: head[':status'], body: JSON.parse(text) };
}

test('concurrent HTTP/2 requests share one connection, with a watch among them', async () => {
  await using server = await startTestServer({ listen: true });
  const session = connect(server.url, { ca: authorityIn(server.kubeconfigText) });
  try {
    const watch = session.request({ ':path': `${configMaps}?watch=1`, authorization: `Bearer ${server.token}` });
    await once(watch, 'response');
    let events = '';
    watch.setEncoding('utf8').on('data', (piece) => {
      events += piece;
    });
    const names = Array.from({ length: 50 }, (_, index) => `side-${index}`);
    const made = await Promise.all(
      names.map((name) => ask(session, server, { path: configMaps, body: configMap(name) })),
    );
    assert.deepEqual(new Set(made.map(({ status }) => status)), new Set([201]));
    const read = await Promise.all(names.map((name) => ask(session, server, { path: `${configMaps}/${name}` })));
    assert.deepEqual(
      read.map(({ body }) => body.metadata.name),
      names,
    );
    while (names.some((name) => !events.includes(`"name":"${name}"`))) await once(watch, 'data');
    watch.close();
  } finally {
    session.destroy();
  }
});

test('HTTP/1.1 requests follow one another on one keep-alive connection', async () => {
  await using server = await startTestServer({ listen: true });
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: authorityIn(server.kubeconfigText) });
  const sockets = new Set<Socket>();
  const send = async (path: string, body?: string) => {
    const sent = request(server.url + path, {
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    });
    sent.on('socket', (socket) => sockets.add(socket)).end(body);
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const piece of response.setEncoding('utf8')) text += piece;
    return { status: response.statusCode, text };
  };
  try {
    const names = Array.from({ length: 20 }, (_, index) => `kept-${index}`);
    for (const name of names) assert.equal((await send(configMaps, configMap(name))).status, 201);
    assert.equal((await send(configMaps, '{broken')).status, 400);
    assert.equal((await send(`${configMaps}/none`)).status, 404);
    const list = JSON.parse((await send(configMaps)).text);
    assert.equal(
      list.items.filter(({ metadata }: { metadata: { name: string } }) => names.includes(metadata.name)).length,
      20,
    );
    assert.equal(sockets.size, 1, 'an answer that is an error does not end the connection');
  } finally {
    agent.destroy();
  }
});
