// Bodies of random sizes in both directions, many at once, over windows from one byte on, some of them broken off:
// what arrives is what was sent, and nothing hangs.

import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { test } from 'node:test';
import { SeededRandom } from '../../src/base/seeded-random.ts';
import type { HttpExchange } from '../../src/http/exchange/transport.ts';
import { certificates, Listening } from '../listening.ts';
import { until } from '../until.ts';
import { fuzzRun } from './run-options.ts';
import { ErrorLog } from './watched-environment.ts';

/** Bytes that differ by where they stand and by what they are for. */
function content(bytes: number, seed: number): Buffer {
  const body = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at++) body[at] = (at * 31 + (at >> 8) * 7 + seed) & 255;
  return body;
}

function hash(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

/** Answers with the hash of what came, and as many bytes as are asked for, at once or in pieces. */
async function serve(exchange: HttpExchange): Promise<void> {
  const { searchParams: query } = new URL(exchange.target, 'https://x');
  const answer = content(Number(query.get('bytes')), Number(query.get('seed')));
  const pieceBytes = Number(query.get('piece'));
  const isStreamed = query.get('up') === 'streamed';
  const body = isStreamed ? await streamed(exchange) : await exchange.body(10_000_000);
  const headers = { 'x-hash': hash(body) };
  if (pieceBytes === 0) {
    exchange.respond(200, headers, answer);
    return;
  }
  const writer = exchange.stream(200, headers);
  // The same memory for every piece: one that has not gone when it is filled again arrives wrong.
  const piece = Buffer.alloc(pieceBytes);
  for (let at = 0; at < answer.length; at += pieceBytes) {
    const bytes = answer.copy(piece, 0, at, at + pieceBytes);
    if (!writer.write(piece.subarray(0, bytes))) await writer.drained();
  }
  writer.end();
}

async function streamed(exchange: HttpExchange): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of exchange.bodyStream() ?? []) pieces.push(piece);
  return Buffer.concat(pieces);
}

interface Load {
  /** What the client takes of each answer before it says that it takes more. */
  readonly windowBytes: number;
  readonly largestBytes: number;
  readonly requests: number;
}

const loads: readonly Load[] = [
  { windowBytes: 1, largestBytes: 300, requests: 50 },
  { windowBytes: 100, largestBytes: 5_000, requests: 150 },
  { windowBytes: 10_000, largestBytes: 100_000, requests: 100 },
  { windowBytes: 65_535, largestBytes: 200_000, requests: 100 },
  { windowBytes: 10_000_000, largestBytes: 600_000, requests: 50 },
];

test('HTTP/2 bodies arrive unchanged, whatever the windows', { timeout: 600_000 }, async (context) => {
  const { seed } = fuzzRun(1);
  const log = new ErrorLog();
  let open = 0;
  await using server = await Listening.start({
    log,
    handler: (exchange) => {
      open++;
      exchange.signal.addEventListener('abort', () => open--);
      serve(exchange).catch(() => {});
    },
  });
  for (const load of loads) {
    await context.test(`windows of ${load.windowBytes} bytes`, async () => {
      const random = new SeededRandom(seed);
      const session = connect(`https://127.0.0.1:${server.port}`, {
        ca: certificates.caCertPem,
        settings: { initialWindowSize: load.windowBytes },
        // Node's own client refuses more by resetting streams.
        maxSessionMemory: 1_000,
      });
      for (let left = load.requests; left > 0; left -= 50) {
        await Promise.all(
          Array.from({ length: 50 }, () => transfer(session, load, new SeededRandom(random.below(2 ** 32)))),
        );
      }
      session.close();
      await once(session, 'close');
      await until('every request is over', () => open === 0);
    });
  }
  assert.deepEqual(log.errors, []);
});

async function transfer(session: ClientHttp2Session, { largestBytes }: Load, random: SeededRandom): Promise<void> {
  const [upBytes, downBytes, seed] = [random.below(largestBytes), random.below(largestBytes), random.below(256)];
  const piece = random.chance(50) ? 0 : 1 + random.below(20_000);
  const up = random.pick(['streamed', 'whole']);
  const path = `/?bytes=${downBytes}&seed=${seed}&piece=${piece}&up=${up}`;
  const body = content(upBytes, seed + 1);
  const stream = session.request({ ':method': 'POST', ':path': path });
  if (random.chance(15)) {
    await breakOff(stream, body, random);
    return;
  }
  stream.write(body.subarray(0, upBytes >> 1));
  stream.end(body.subarray(upBytes >> 1));
  const [head] = await once(stream, 'response');
  const pieces: Buffer[] = [];
  for await (const each of stream) pieces.push(each);
  assert.equal(head['x-hash'], hash(body));
  assert.equal(hash(Buffer.concat(pieces)), hash(content(downBytes, seed)));
}

/** Goes at one time or another. */
async function breakOff(stream: ClientHttp2Stream, body: Buffer, random: SeededRandom): Promise<void> {
  stream.on('error', () => {});
  const closed = new Promise((resolve) => stream.once('close', resolve));
  const when = random.below(3);
  if (when === 0) stream.write(body);
  else stream.end(body);
  if (when === 2) stream.once('data', () => stream.close(8)).once('end', () => stream.close(8));
  else setImmediate(() => stream.close(8));
  // One that has something that nobody has read does not say that it is closed.
  stream.resume();
  await closed;
}
