// HTTP/2 from clients that know it well and get it wrong: sequences of frames that are right but for one thing or another.
// The server goes on serving, logs no error, and no request and no connection is left open.

import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { SeededRandom } from '../../src/base/seeded-random.ts';
import type { HttpExchange } from '../../src/http/exchange/transport.ts';
import { HeaderEncoder } from '../../src/http2/header-encoder.ts';
import { FLAG, FRAME } from '../../src/http2/protocol.ts';
import { block, type Field, frame, frames, preface, requestFields, uploadFields } from '../http2-client.ts';
import { ask, Listening } from '../listening.ts';
import { until } from '../until.ts';
import { mutateBytes, noise } from './mutate.ts';
import { fuzzRun } from './run-options.ts';
import { ErrorLog } from './watched-environment.ts';

/** Requests that are open, and what each kind of request does. */
class Handler {
  open = 0;
  handled = 0;

  handle(exchange: HttpExchange): void {
    this.open++;
    this.handled++;
    exchange.signal.addEventListener('abort', () => this.open--);
    const way = Number(exchange.headers['x-way'] ?? 0) % 5;
    if (way === 0) exchange.respond(200, { 'content-type': 'text/plain' }, 'x'.repeat(100));
    else if (way === 1) this.#echo(exchange);
    else if (way === 2) exchange.respond(200, {}, Buffer.alloc(300_000));
    else if (way === 3) this.#stream(exchange).catch(() => {});
    else
      exchange
        .bodyStream()
        ?.on('error', () => {})
        .on('end', () => exchange.respond(204, {}, undefined))
        .resume();
  }

  #echo(exchange: HttpExchange): void {
    exchange.body(50_000).then(
      (body) => exchange.respond(200, {}, body),
      () => exchange.respond(400, {}, undefined),
    );
  }

  async #stream(exchange: HttpExchange): Promise<void> {
    const writer = exchange.stream(200, {});
    for (let piece = 0; piece < 20; piece++) {
      if (!writer.write(Buffer.alloc(10_000))) await writer.drained();
    }
    writer.end();
  }
}

test('no sequence of HTTP/2 frames harms the server', { timeout: 3_600_000 }, async (context) => {
  const { seed, rounds } = fuzzRun(320);
  context.diagnostic(`seed ${seed}, ${rounds} connections`);
  const log = new ErrorLog();
  const handler = new Handler();
  await using server = await Listening.start({ log, handler: (exchange) => handler.handle(exchange) });
  const random = new SeededRandom(seed);
  const proper = await server.http2();
  const together = 8;
  for (let round = 0; round < rounds; round += together) {
    const seeds = Array.from({ length: together }, () => random.below(2 ** 32));
    await Promise.all(seeds.map((each) => attack(server, new SeededRandom(each))));
    assert.equal((await ask(proper, {})).status, 200);
  }
  assert.deepEqual(log.errors, []);
  assert.ok(handler.handled > rounds, 'most of it is right');
  await until('every request is over', () => handler.open === 0);
  proper.close();
  await once(proper, 'close');
  // A listener that holds a connection is drained only when the time for it is over.
  await server.listener.drain(3_600_000);
});

async function attack(server: Listening, random: SeededRandom): Promise<void> {
  const socket = await server.tls({ ALPNProtocols: ['h2'] });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'data');
  if (random.chance(10)) socket.pause();
  const sent = conversation(random);
  const bytes = Buffer.concat([preface, frames.settings(), ...damaged(sent, random)]);
  for (let at = 0; at < bytes.length; ) {
    const size = random.chance(50) ? bytes.length : 1 + random.below(2000);
    socket.write(bytes.subarray(at, (at += size)));
  }
  leave(socket, random);
  await closed;
}

/** One of the ways in which clients go. */
function leave(socket: TLSSocket, random: SeededRandom): void {
  const way = random.below(3);
  if (way === 0) socket.destroy();
  else if (way === 1) socket.resume().end();
  else socket.resume().end(frame(FRAME.data, 0, 0, 'what ends a connection'));
}

/** What a client may say, in an order in which it may. */
function conversation(random: SeededRandom): Buffer[] {
  const encoder = new HeaderEncoder(new Set(['accept', 'x-way']));
  const uploads: number[] = [];
  const sent = request(1, false, { encoder, random });
  let next = 3;
  for (let count = 3 + random.below(30); count > 0; count--) {
    const choice = random.below(12);
    if (choice < 4) {
      const isUpload = choice < 2;
      sent.push(...request(next, isUpload, { encoder, random }));
      if (isUpload) uploads.push(next);
      next += 2;
    } else if (choice < 7 && uploads.length > 0) sent.push(uploaded(uploads, random));
    else sent.push(other(next - 2 * (1 + random.below((next - 1) / 2)), random));
  }
  return sent;
}

function request(id: number, isUpload: boolean, by: { encoder: HeaderEncoder; random: SeededRandom }): Buffer[] {
  const { encoder, random } = by;
  const way: Field = ['x-way', String(random.below(5))];
  const usual = [...(isUpload ? uploadFields : requestFields), way, ['accept', 'a'.repeat(random.below(50))] as const];
  // A block with a table of its own begins with a status, which no request has.
  encoder.begin(200);
  for (const [name, value] of usual.slice(4)) encoder.field(name, value);
  const coded = Buffer.from(encoder.end().subarray(1));
  const bytes = random.chance(3)
    ? noise(random, random.below(100))
    : Buffer.concat([block(usual.slice(0, 4)), random.chance(5) ? mutateBytes(coded, random) : coded]);
  const flags = isUpload ? 0 : FLAG.endStream;
  if (random.chance(80)) return [frame(FRAME.headers, flags | FLAG.endHeaders, id, bytes)];
  const cut = random.below(bytes.length + 1);
  return [
    frame(FRAME.headers, flags, id, bytes.subarray(0, cut)),
    frame(FRAME.continuation, FLAG.endHeaders, id, bytes.subarray(cut)),
  ];
}

function uploaded(uploads: number[], random: SeededRandom): Buffer {
  const at = random.below(uploads.length);
  const id = uploads[at]!;
  const isLast = random.chance(30);
  if (isLast) uploads.splice(at, 1);
  if (isLast && random.chance(20)) return frame(FRAME.headers, 5, id, block([['x-trailer', 'x']]));
  return frame(
    FRAME.data,
    isLast ? FLAG.endStream : 0,
    id,
    Buffer.alloc(random.below(random.chance(20) ? 16_384 : 100)),
  );
}

function other(id: number, random: SeededRandom): Buffer {
  const choice = random.below(7);
  if (choice === 0) return frames.ping();
  if (choice === 1) return frames.settings([1, random.below(5000)], [4, random.below(100_000)]);
  if (choice === 2) return frames.reset(id, random.below(14));
  if (choice === 3) return frame(FRAME.priority, 0, id, Buffer.from([0, 0, 0, 0, random.below(256)]));
  if (choice === 4) return frames.window(0, 1 + random.below(100_000));
  if (choice === 5) return frames.window(id, 1 + random.below(100_000));
  return frame(10 + random.below(200), random.below(256), random.below(10), noise(random, random.below(50)));
}

/** A few frames left out, doubled, swapped, sent on another stream or with some bytes changed. */
function damaged(sent: readonly Buffer[], random: SeededRandom): Buffer[] {
  const changed = [...sent];
  for (let count = random.below(3); count > 0 && changed.length > 1; count--) {
    const at = random.below(changed.length);
    const one = Buffer.from(changed[at]!);
    const choice = random.below(6);
    if (choice === 0) changed.splice(at, 1);
    else if (choice === 1) changed.splice(at, 0, one);
    else if (choice === 2) changed.push(...changed.splice(at, 1));
    else {
      if (choice === 3) one.writeUInt32BE(random.below(12), 5);
      else if (choice === 4) one[4] = random.below(256);
      else one[random.below(one.length)] = random.below(256);
      changed[at] = one;
    }
  }
  return changed;
}
