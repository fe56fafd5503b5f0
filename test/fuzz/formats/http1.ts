// HTTP/1.1: a connection answers the same however its bytes are cut into pieces, and nothing a client sends is an
// exception in a handler of its socket.

import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { duplexPair } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { ManualClock } from '../../../src/base/clock.ts';
import { Http1Connection, type ServerRequest } from '../../../src/http1/connection.ts';
import { responseBuffers } from '../../../src/http1/response.ts';
import { type Format, inPieces, randomOf } from './format.ts';
import { mutateParts, mutateText } from './mutations.ts';

const limits = { headerBytes: 4_000, headerFields: 20, headTimeoutMs: 1_000, lingerMs: 1_000, aheadBytes: 10_000 };

const words = [
  '\r\n',
  '\n',
  '\r',
  ' ',
  '\t',
  ':',
  '0\r\n\r\n',
  '1\r\nx\r\n',
  'ffffffffffffffff\r\n',
  '1;a="b"\r\nx\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc',
  'Content-Length: 1\r\n',
  'Content-Length: +1\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: identity\r\n',
  'Connection: close\r\n',
  'Connection: keep-alive\r\n',
  'Connection: upgrade\r\nUpgrade: x\r\n',
  'Expect: 100-continue\r\n',
  'Trailer: a\r\n',
  'Host: b\r\n',
  ' folded\r\n',
  'HTTP/1.0',
  'HTTP/2.0',
  'OPTIONS * ',
  'CONNECT a:1 ',
  'http://a/b?c',
  '%zz',
  '\x00',
  '\x80',
];

export const http1: Format = {
  name: 'http1',
  words,
  mutate(input, other, random) {
    if (random.chance(50)) return mutateText(input, other, { random, words });
    return Buffer.concat(
      mutateParts(linesOf(input), linesOf(other), random, (line) => mutateText(line, other, { random, words })),
    );
  },
  judge: judgeConnection,
};

async function judgeConnection(input: Buffer): Promise<void> {
  const whole = await answerTo([input]);
  assert.equal(await answerTo(inPieces(input, randomOf(input))), whole, 'the same answers in pieces as at once');
}

function linesOf(input: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < input.length; ) {
    const end = input.indexOf('\n', at);
    const next = end < 0 ? input.length : end + 1;
    lines.push(input.subarray(at, next));
    at = next;
  }
  return lines;
}

/** Everything that a connection answers to these pieces and their end. */
async function answerTo(pieces: readonly Buffer[]): Promise<string> {
  const [client, socket] = duplexPair();
  const failures: unknown[] = [];
  const guard = (work: () => void) => {
    try {
      work();
    } catch (error) {
      failures.push(error);
      socket.destroy();
    }
  };
  let answers = '';
  client.on('data', (bytes: Buffer) => (answers += bytes.toString('latin1'))).on('error', () => {});
  const onRequest = (request: ServerRequest) => void echo(request);
  new Http1Connection({
    ...{ socket, limits, clock: new ManualClock(), onRequest, guard },
    date: () => '',
    spares: responseBuffers(),
    isRetiring: () => false,
  });
  for (const piece of pieces) if (client.writable) client.write(piece);
  await quiet(() => answers.length);
  client.end();
  await quiet(() => answers.length);
  client.destroy();
  socket.destroy();
  if (failures.length > 0) throw failures[0];
  return answers;
}

/** Waits until nothing has been answered for some rounds of the event loop. */
async function quiet(progress: () => number): Promise<void> {
  for (let idle = 0, before = -1; idle < 6; idle++, before = progress()) {
    await turn();
    if (progress() !== before) idle = 0;
  }
}

/** Answers with what has been read of a request. */
async function echo({ head, body, response }: ServerRequest): Promise<void> {
  const { method, path, version, keepsAlive } = head;
  const read = await textOf(body);
  const text = JSON.stringify({ method, path, version, keepsAlive, fields: head.fields, read });
  response.respond(200, { 'content-type': 'application/json' }, text);
}

async function textOf(body: ServerRequest['body']): Promise<string> {
  if (body === undefined) return 'no body';
  let text = '';
  try {
    for await (const piece of body) text += (piece as Buffer).toString('latin1');
  } catch (error) {
    return `a fault: ${(error as Error).message}`;
  }
  return text;
}
