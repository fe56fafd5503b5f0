import assert from 'node:assert/strict';
import { type Duplex, duplexPair } from 'node:stream';
import { test } from 'node:test';
import { createInflate } from 'node:zlib';
import { ManualClock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { SpdyConnection } from './spdy-connection.ts';

const SYN_STREAM = 1;
const SYN_REPLY = 2;
const RST_STREAM = 3;
const PING = 6;
const GOAWAY = 7;
const FIN = 1;

interface Frame {
  /** Undefined for data. */
  readonly type: number | undefined;
  readonly id: number;
  readonly flags: number;
  readonly content: Buffer;
}

/** The other side of a connection, on which frames are read and written one by one. */
class Peer {
  readonly #socket: Duplex;
  #bytes = Buffer.alloc(0);

  constructor(socket: Duplex) {
    this.#socket = socket;
    socket.on('data', (piece: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, piece]);
    });
  }

  async next(): Promise<Frame> {
    for (;;) {
      const length = this.#bytes.length < 8 ? Number.POSITIVE_INFINITY : this.#bytes.readUIntBE(5, 3);
      if (this.#bytes.length >= 8 + length) {
        const [first, flags] = [this.#bytes.readUInt32BE(0), this.#bytes[4]!];
        const content = this.#bytes.subarray(8, 8 + length);
        this.#bytes = this.#bytes.subarray(8 + length);
        const isControl = first >>> 31 === 1;
        if (isControl) assert.equal(first >>> 16, 0x8003);
        return {
          type: isControl ? first & 0xffff : undefined,
          id: isControl ? content.readUInt32BE(0) : first,
          flags,
          content,
        };
      }
      await new Promise(setImmediate);
    }
  }

  control(type: number, content: number[], flags = 0): void {
    this.#socket.write(Buffer.from([0x80, 3, 0, type, flags, 0, 0, content.length, ...content]));
  }

  data(id: number, text: string, flags = 0): void {
    this.#socket.write(Buffer.concat([Buffer.from([0, 0, 0, id, flags, 0, 0, text.length]), Buffer.from(text)]));
  }

  reply(id: number): void {
    this.control(SYN_REPLY, [0, 0, 0, id]);
  }

  end(): void {
    this.#socket.destroy();
  }
}

function connect() {
  const [ours, theirs] = duplexPair();
  const clock = new ManualClock();
  const connection = new SpdyConnection({ input: ours, output: ours, clock });
  return { connection, peer: new Peer(theirs), clock, reading: connection.read() };
}

const ignore = () => {};

test('SPDY streams have odd numbers, and headers compressed with the SPDY/3 dictionary', async () => {
  const { connection, peer } = connect();
  for (const [id, streamType] of [
    [1, 'error'],
    [3, 'stdin'],
  ] as const) {
    const opening = connection.open({ streamType }, ignore, ignore);
    const frame = await peer.next();
    assert.deepEqual([frame.type, frame.id], [SYN_STREAM, id]);
    // Ten bytes: the stream, the one that it belongs to, its priority and its slot. Only the first block names the dictionary.
    const block = frame.content.subarray(10);
    if (id === 1) assert.equal(block.subarray(0, 6).toString('hex'), '78bbe3c6a7c2');
    const stored = id === 1 ? block.subarray(6) : block;
    const text = await inflated(stored);
    assert.equal(text, `\0\0\0\x01\0\0\0\x0astreamtype\0\0\0\x05${streamType}`);
    peer.reply(id);
    await opening;
  }
});

/** What stored blocks contain. */
async function inflated(blocks: Buffer): Promise<string> {
  const inflate = createInflate();
  inflate.write(Buffer.concat([Buffer.from([0x78, 0x9c]), blocks]));
  for await (const piece of inflate) return String(piece);
  return '';
}

test('a SPDY stream carries data in both directions, and each side ends on its own', async () => {
  const { connection, peer } = connect();
  const received: string[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const opening = connection.open({}, (data) => void received.push(String(data)), resolve);
  await peer.next();
  peer.reply(1);
  const stream = await opening;
  stream.write(Buffer.from('in'));
  stream.end();
  assert.deepEqual(await peer.next(), { type: undefined, id: 1, flags: 0, content: Buffer.from('in') });
  assert.deepEqual(await peer.next(), { type: undefined, id: 1, flags: FIN, content: Buffer.alloc(0) });
  peer.data(1, 'one');
  peer.data(7, 'a stream that does not exist');
  peer.data(1, 'two', FIN);
  await ended;
  assert.deepEqual(received, ['one', 'two']);
});

test('a SPDY stream that is refused, or gets no reply in time, is an error', async () => {
  const { connection, peer, clock } = connect();
  const refused = connection.open({}, ignore, ignore);
  peer.control(RST_STREAM, [0, 0, 0, 1, 0, 0, 0, 3]);
  await assert.rejects(refused, { message: 'Stream reset' });
  const waiting = connection.open({}, ignore, ignore);
  clock.advance(limits.streamReplyMs);
  await assert.rejects(waiting, { message: 'Timeout occurred' });
});

test('the end of a SPDY connection ends its streams, and no more can be opened', async () => {
  const { connection, peer, reading } = connect();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const opening = connection.open({}, ignore, resolve);
  peer.reply(1);
  await opening;
  peer.end();
  await Promise.all([ended, reading]);
  await assert.rejects(connection.open({}, ignore, ignore), { message: 'Stream reset' });
});

test('a SPDY control frame beyond the limit, or of another protocol, ends the connection', async () => {
  for (const head of [
    [0x80, 3, 0, SYN_REPLY, 0, 0xff, 0xff, 0xff],
    [0x80, 2, 0, SYN_REPLY, 0, 0, 0, 0],
  ]) {
    const [ours, theirs] = duplexPair();
    const reading = new SpdyConnection({ input: ours, output: ours, clock: new ManualClock() }).read();
    theirs.write(Buffer.from(head));
    await reading;
  }
});

test('a SPDY connection exchanges pings, refuses streams of the peer, and sends GOAWAY when it closes', async () => {
  const { connection, peer, clock } = connect();
  peer.control(PING, [0, 0, 0, 2]);
  const answer = await peer.next();
  assert.deepEqual([answer.type, answer.id], [PING, 2]);
  peer.control(SYN_STREAM, [0, 0, 0, 2, 0, 0, 0, 0, 0, 0]);
  const refusal = await peer.next();
  assert.deepEqual([refusal.type, refusal.id], [RST_STREAM, 2]);
  for (const id of [1, 3]) {
    clock.advance(limits.spdyPingMs);
    const ping = await peer.next();
    assert.deepEqual([ping.type, ping.id], [PING, id]);
  }
  connection.close();
  assert.equal((await peer.next()).type, GOAWAY);
});
