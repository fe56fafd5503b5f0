import assert from 'node:assert/strict';
import type { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { test } from 'node:test';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { until } from '../../../test/until.ts';
import { ManualClock } from '../../base/clock.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

/** A server on a clock that stands still, and an HTTP/2 session that takes nothing of any answer's body. */
async function start(context: { after(work: () => void): void }) {
  const clock = new ManualClock(Date.now());
  const server = await startTestServer({ listen: true }, { clock });
  const session = connectHttp2(server.url, { rejectUnauthorized: false, settings: { initialWindowSize: 0 } });
  session.on('error', () => {});
  context.after(() => {
    session.destroy();
    return server.close();
  });
  const ask = (path: string, { method = 'GET', whole = true } = {}) => {
    const stream = session.request(
      { ':path': path, ':method': method, authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      { endStream: whole },
    );
    stream.on('error', () => {});
    return stream;
  };
  return { clock, server, ask };
}

async function http1(server: TestServer, head: string): Promise<TLSSocket> {
  const socket = connectTls({ port: Number(new URL(server.url).port), rejectUnauthorized: false });
  socket.on('error', () => {});
  socket.write(`${head} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n`);
  return socket;
}

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const piece of stream) text += String(piece);
  return text;
}

test('a response that its client does not read is aborted at the deadline, and frees its slot', async (context) => {
  const { clock, server, ask } = await start(context);
  for (let index = 0; index < 4; index++) {
    await server.request('POST', MAPS, { metadata: { name: `m${index}` }, data: { x: 'x'.repeat(200_000) } });
  }
  const list = ask(MAPS);
  await once(list, 'response');
  assert.match(await inFlight(server), /\} 2\n/);
  clock.advance(59_000);
  assert.equal(list.closed, false);
  clock.advance(2_000);
  await until('the list is broken off', () => list.closed);
  assert.equal(list.rstCode, 2);
  await until('the slot is free', async () => /\} 1\n/.test(await inFlight(server)));
});

async function inFlight(server: TestServer): Promise<string> {
  const headers = { authorization: `Bearer ${server.token}` };
  const text = await (await server.fetch(new Request('https://x/metrics', { headers }))).text();
  return /apiserver_flowcontrol_current_executing_requests\{flow_schema="exempt".*\n/.exec(text)?.[0] ?? '';
}

test('a complete response that waits for its client is aborted at the deadline, too', async (context) => {
  const { clock, ask } = await start(context);
  const version = ask('/version');
  await once(version, 'response');
  clock.advance(61_000);
  await until('the answer is broken off', () => version.closed);
  assert.equal(version.rstCode, 2);
});

test('a watch has no deadline other than its own', async (context) => {
  const { clock, ask } = await start(context);
  const watch = ask(`${MAPS}?watch=1&timeout=1s`);
  await once(watch, 'response');
  clock.advance(600_000);
  const version = ask('/version');
  await once(version, 'response');
  assert.equal(watch.closed, false);
});

test('a body that never arrives ends with 504, over HTTP/2 and HTTP/1.1', async (context) => {
  const { clock, server, ask } = await start(context);
  const post = ask(MAPS, { method: 'POST', whole: false });
  const socket = await http1(server, `POST ${MAPS}`);
  socket.write('Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
  const answered = once(post, 'response');
  await until('both wait for their bodies', async () => {
    const headers = { authorization: `Bearer ${server.token}` };
    const text = await (await server.fetch(new Request('https://x/metrics', { headers }))).text();
    // And the one that asks.
    return /current_executing_requests\{flow_schema="exempt".*\} 3\n/.test(text);
  });
  clock.advance(62_000);
  const [head] = await answered;
  assert.equal(head[':status'], 504);
  // What is left of the body is read for a while only.
  clock.advance(6_000);
  const text = await textOf(socket);
  assert.match(text, /^HTTP\/1\.1 504 /);
  assert.match(text, /Content-Type: text\/plain; charset=utf-8/);
  assert.ok(
    text.endsWith(
      '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout",' +
        '"reason":"Timeout","details":{},"code":504}\n',
    ),
  );
});

test('the timeout parameter may shorten the deadline of a request, not extend it', async (context) => {
  const { clock, ask } = await start(context);
  const short = ask(`${MAPS}?timeout=2s`, { method: 'POST', whole: false });
  const long = ask(`${MAPS}?timeout=2h`, { method: 'POST', whole: false });
  const version = ask('/version');
  await once(version, 'response');
  const answered = once(short, 'response');
  clock.advance(2_000);
  assert.equal((await answered)[0][':status'], 504);
  assert.equal(long.closed, false);
  const late = once(long, 'response');
  clock.advance(60_000);
  assert.equal((await late)[0][':status'], 504);
});

test('an invalid timeout parameter is 400, even for an unauthenticated client', async () => {
  await using server = await startTestServer();
  const messages: Record<string, string> = {
    abc: 'time: invalid duration "abc"',
    '5': 'time: missing unit in duration "5"',
    '1d': 'time: unknown unit "d" in duration "1d"',
  };
  for (const [value, why] of Object.entries(messages)) {
    const response = await server.fetch(new Request(`https://x/version?timeout=${value}`));
    const body = (await response.json()) as { message: string; reason: string };
    assert.equal(response.status, 400);
    assert.equal(body.reason, 'BadRequest');
    assert.equal(body.message, `invalid timeout specified in the request URL - ${why}`);
  }
  for (const value of ['0', '-1s', '', '1m']) {
    assert.equal((await server.fetch(new Request(`https://x/version?timeout=${value}`))).status, 200);
  }
});

test('a keep-alive connection outlives the deadlines of finished requests', async (context) => {
  const { clock, server } = await start(context);
  const socket = await http1(server, 'GET /version');
  socket.write('\r\n');
  let text = '';
  socket.on('data', (piece: Buffer) => (text += piece));
  await until('the first answer', () => text.includes('gitVersion'));
  for (let index = 0; index < 5; index++) clock.advance(16_000);
  socket.write('GET /version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await once(socket, 'end');
  assert.equal(text.match(/HTTP\/1\.1 200/g)?.length, 2);
});
