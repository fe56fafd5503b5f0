// The client's side of a SPDY/3.1 connection, as kubelets serve exec and attach: streams that the client opens, each with
// headers, and data in both directions. Kubelets ignore flow control, so reading stops the connection as a whole.
//
// Headers are compressed with a dictionary of the protocol. What is sent here is in stored blocks, which need none; the
// headers of replies carry nothing and are skipped.

import { Buffer } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import type { Clock, Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { SmallPieces } from '../base/small-pieces.ts';
import { drained } from './drained.ts';

/** A stream that this side has opened. */
export interface SpdyStream {
  /** Sends data. Returns whether more may be sent at once; otherwise after `drained`. */
  write(data: Buffer): boolean;
  /** Ends this side of the stream. */
  end(): void;
}

/** Receives a stream's data in pieces. The connection is not read until it has resolved. */
type Receive = (data: Buffer) => Promise<void> | void;

interface OpenStream {
  readonly receive: Receive;
  /** Called once, when the other side has ended the stream. */
  readonly ended: () => void;
  /** Called with the reply; with an error for a stream that is refused. */
  replied: ((error: Error | undefined) => void) | undefined;
}

interface Connected {
  readonly input: Readable;
  readonly output: Writable;
  readonly clock: Clock;
}

const SYN_STREAM = 1;
const SYN_REPLY = 2;
const RST_STREAM = 3;
const PING = 6;
const GOAWAY = 7;
/** Control frames begin with a bit, and the version. */
const CONTROL = 0x8003;
const FIN = 1;
const HEAD_BYTES = 8;
const REFUSED_STREAM = 3;
/** The length of a frame is the last three bytes of its head. */
const MAX_LENGTH = 0xff_ffff;

export class SpdyConnection {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #clock: Clock;
  readonly #streams = new Map<number, OpenStream>();
  #nextId = 1;
  #nextPing = 1;
  #sentHeaders = false;
  #pinging: Timer | undefined;
  #closed = false;

  constructor({ input, output, clock }: Connected) {
    this.#input = input;
    this.#output = output;
    this.#clock = clock;
    this.#ping();
  }

  /**
   * Opens a stream and waits for the reply. `ended` is called when the other side, or the connection, ends it.
   * @throws Error if the other side refuses it, or does not reply in time
   */
  async open(headers: Readonly<Record<string, string>>, receive: Receive, ended: () => void): Promise<SpdyStream> {
    const id = this.#nextId;
    this.#nextId += 2;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const replied = (error: Error | undefined) => (error === undefined ? resolve() : reject(error));
    this.#streams.set(id, { receive, ended, replied });
    const timer = this.#clock.after(limits.streamReplyMs, () => reject(new Error('Timeout occurred')));
    this.#send(SYN_STREAM, Buffer.concat([uint32(id), Buffer.alloc(6), this.#headerBlock(headers)]));
    try {
      if (this.#closed) throw new Error('Stream reset');
      await promise;
    } finally {
      timer.cancel();
    }
    return {
      write: (data) => this.#data(id, data, 0),
      end: () => void this.#data(id, Buffer.alloc(0), FIN),
    };
  }

  /** Resolves when more may be written, or the connection has ended. */
  drained(): Promise<void> {
    return this.#closed ? Promise.resolve() : drained(this.#output);
  }

  /** Reads until the connection ends; then all streams have ended. */
  async read(): Promise<void> {
    try {
      await this.#frames();
    } catch {
      // A connection that breaks ends its streams, as one that is closed does.
    } finally {
      this.#closed = true;
      this.#pinging?.cancel();
      for (const id of [...this.#streams.keys()]) this.#endOf(id);
      this.#input.destroy();
      this.#output.destroy();
    }
  }

  /** Says goodbye and closes the connection. */
  close(): void {
    this.#pinging?.cancel();
    if (!this.#closed) this.#send(GOAWAY, Buffer.alloc(8));
    this.#closed = true;
    const destroy = () => {
      timer.cancel();
      this.#output.destroy();
      this.#input.destroy();
    };
    const timer = this.#clock.after(limits.lingerMs, destroy);
    this.#output.end(destroy);
  }

  async #frames(): Promise<void> {
    let waiting: Buffer = Buffer.alloc(0);
    /** What has arrived behind it, and how much is worth looking at. */
    const arrived = new SmallPieces<Buffer>(Buffer.allocUnsafeSlow);
    let needed = 0;
    // Of the data frame that is being received.
    let left = 0;
    let streamId = 0;
    let isLast = false;
    for await (const piece of this.#input as AsyncIterable<Buffer>) {
      arrived.add(piece);
      if (waiting.length + arrived.length < needed) continue;
      waiting =
        waiting.length === 0 && arrived.length === piece.length ? piece : Buffer.concat([waiting, ...arrived.take()]);
      arrived.take();
      for (;;) {
        needed = 0;
        if (left > 0) {
          if (waiting.length === 0) break;
          const data = waiting.subarray(0, left);
          waiting = waiting.subarray(data.length);
          left -= data.length;
          await this.#streams.get(streamId)?.receive(data);
          if (left === 0 && isLast) this.#endOf(streamId);
          continue;
        }
        if (waiting.length < HEAD_BYTES) break;
        const flagsAndLength = waiting.readUInt32BE(4);
        const length = flagsAndLength & MAX_LENGTH;
        const isFin = ((flagsAndLength >>> 24) & FIN) !== 0;
        const first = waiting.readUInt32BE(0);
        if (first >>> 31 === 0) {
          waiting = waiting.subarray(HEAD_BYTES);
          [streamId, left, isLast] = [first, length, isFin];
          if (length === 0 && isFin) this.#endOf(first);
          continue;
        }
        if (length > limits.spdyControlBytes) throw new Error('a control frame is too long');
        needed = HEAD_BYTES + length;
        if (waiting.length < needed) break;
        const content = waiting.subarray(HEAD_BYTES, HEAD_BYTES + length);
        waiting = waiting.subarray(HEAD_BYTES + length);
        if (first >>> 16 !== CONTROL) throw new Error('not SPDY/3.1');
        this.#control(first & 0xffff, isFin, content);
      }
    }
  }

  #control(type: number, isFin: boolean, content: Buffer): void {
    if (type === GOAWAY || content.length < 4) return;
    const id = content.readUInt32BE(0) & 0x7fff_ffff;
    if (type === SYN_REPLY) {
      const stream = this.#streams.get(id);
      stream?.replied?.(undefined);
      if (stream !== undefined) stream.replied = undefined;
      if (isFin) this.#endOf(id);
    } else if (type === RST_STREAM) this.#endOf(id);
    else if (type === PING && id % 2 === 0) this.#send(PING, content);
    else if (type === SYN_STREAM) this.#send(RST_STREAM, Buffer.concat([uint32(id), uint32(REFUSED_STREAM)]));
  }

  #endOf(id: number): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    this.#streams.delete(id);
    stream.replied?.(new Error('Stream reset'));
    stream.ended();
  }

  #data(id: number, data: Buffer, flags: number): boolean {
    if (this.#closed || this.#output.destroyed) return true;
    this.#output.write(Buffer.concat([uint32(id), uint32((flags << 24) | data.length)]));
    return data.length === 0 || this.#output.write(data);
  }

  #send(type: number, content: Buffer): void {
    if (this.#output.destroyed || this.#output.writableEnded) return;
    this.#output.write(Buffer.concat([uint32(CONTROL * 0x1_0000 + type), uint32(content.length), content]));
  }

  /** Kubernetes' clients ping, so that the connection does not look idle. */
  #ping(): void {
    this.#pinging = this.#clock.after(limits.spdyPingMs, () => {
      this.#send(PING, uint32(this.#nextPing));
      this.#nextPing += 2;
      this.#ping();
    });
  }

  #headerBlock(headers: Readonly<Record<string, string>>): Buffer {
    const names = Object.keys(headers);
    const parts = [uint32(names.length)];
    for (const name of names) parts.push(prefixed(name.toLowerCase()), prefixed(headers[name]!));
    const block = Buffer.concat(parts);
    const stored = Buffer.alloc(5);
    stored.writeUInt16LE(block.length, 1);
    stored.writeUInt16LE(0xffff - block.length, 3);
    const start = this.#sentHeaders ? Buffer.alloc(0) : ZLIB_START;
    this.#sentHeaders = true;
    return Buffer.concat([start, stored, block, FLUSH]);
  }
}

/** The beginning of a zlib stream with a preset dictionary, and the checksum of SPDY's. */
const ZLIB_START = Buffer.from([0x78, 0xbb, 0xe3, 0xc6, 0xa7, 0xc2]);

/** An empty stored block, after which a decompressor hands out what it has. */
const FLUSH = Buffer.from([0, 0, 0, 0xff, 0xff]);

/** A number in four bytes, the highest first. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

function prefixed(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([uint32(bytes.length), bytes]);
}
