import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { duplexPair } from 'node:stream';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { Http1Connection, type ServerRequest } from './connection.ts';
import { Input } from './input.ts';
import { responseBuffers } from './response.ts';

const limits = { headerBytes: 10_000, headerFields: 10, headTimeoutMs: 1_000, lingerMs: 1_000, aheadBytes: 1_000 };
const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

function connect(onRequest: (request: ServerRequest) => void, guard = (work: () => void) => work()) {
  const [client, socket] = duplexPair();
  new Http1Connection({
    ...{ socket, limits, clock: new ManualClock(), onRequest, guard },
    date: () => '',
    spares: responseBuffers(),
    isRetiring: () => false,
  });
  return client;
}

async function textOf(client: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const piece of client) text += piece.toString('latin1');
  return text;
}

test('an HTTP/1.1 request may arrive byte by byte', async () => {
  const client = connect(({ head, response }) => response.respond(200, {}, head.path));
  for (const byte of Buffer.from(REQUEST)) client.write(Buffer.of(byte));
  assert.match(await textOf(client), /\r\n\r\n\/$/);
});

test('received bytes are joined once, when they are read', () => {
  const input = new Input();
  input.add(Buffer.from('one '));
  input.add(Buffer.from('two'));
  assert.equal(input.length, 7);
  const joined = input.bytes;
  assert.equal(joined.toString(), 'one two');
  assert.equal(input.bytes, joined);
  input.skip(4);
  assert.equal(input.bytes.toString(), 'two');
});

test('a header value with a line feed cannot begin another field', async () => {
  const injected = 'a\r\nX-Other: 1';
  // U+010A ends in the byte of a line feed.
  const client = connect(({ response }) => response.respond(200, { 'x-a': injected, 'x-b': 'Ċü', 'x-c': 'ü' }, ''));
  client.write(REQUEST);
  const lines = (await textOf(client)).split('\r\n').filter((line) => line.startsWith('X-'));
  const utf8 = Buffer.from('Ċü').toString('latin1');
  assert.deepEqual(lines, ['X-A: a  X-Other: 1', `X-B: ${utf8}`, 'X-C: ü']);
});

test('an exception in a socket event handler reaches the guard', async () => {
  const failed = Promise.withResolvers<unknown>();
  const guard = (work: () => void) => {
    try {
      work();
    } catch (error) {
      failed.resolve(error);
    }
  };
  const client = connect(() => {
    throw new Error('the handler failed');
  }, guard);
  client.write(REQUEST);
  assert.match(String(await failed.promise), /the handler failed/);
});
