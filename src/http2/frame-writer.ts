// Gathers the frames that one connection gets in one turn of the event loop, and writes them together: a write to a TLS
// socket costs more than the frames in it.

import { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';
import { FLAG, FRAME, FRAME_BYTES, FRAME_HEAD_BYTES, type FrameHead } from './protocol.ts';

/** Holds a frame of the largest size and small ones before it, which is enough for most turns. */
const SMALL_BYTES = FRAME_BYTES + 1024;
/** What is gathered before it is written without waiting for the end of the turn. */
const LARGE_BYTES = 4 * SMALL_BYTES;
/** Less room than this is not worth a DATA frame. */
const MIN_DATA_BYTES = 1024;
/** Bytes of buffers of each size that are kept for all connections while none needs them. */
const SPARE_BYTES = 4 * 1024 * 1024;

/** Buffers of one size that no connection needs at the moment. */
class SpareBuffers {
  readonly #bytes: number;
  readonly #buffers: Buffer[] = [];

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  take(): Buffer {
    return this.#buffers.pop() ?? Buffer.allocUnsafeSlow(this.#bytes);
  }

  putBack(buffer: Buffer): void {
    if (this.#buffers.length * this.#bytes < SPARE_BYTES) this.#buffers.push(buffer);
  }
}

const small = new SpareBuffers(SMALL_BYTES);
const large = new SpareBuffers(LARGE_BYTES);

export class FrameWriter {
  static #waiting: FrameWriter[] = [];
  readonly #socket: Duplex;
  /** What is gathered is one buffer: a TLS socket would copy several into one. */
  #buffer: Buffer | undefined;
  #used = 0;
  #isWaiting = false;

  constructor(socket: Duplex) {
    this.#socket = socket;
  }

  /** Whether the socket has as much as it should; it emits 'drain' when that is over. */
  get blocked(): boolean {
    return this.#socket.writableNeedDrain;
  }

  /** Bytes that have not left yet. */
  get backlogBytes(): number {
    return this.#socket.writableLength + this.#used;
  }

  /** Adds a frame whose payload is one number of four bytes. */
  number(type: number, stream: number, value: number): void {
    const at = this.#head({ type, flags: 0, stream }, 4);
    this.#buffer!.writeUInt32BE(value >>> 0, at);
  }

  /** Adds the frame that ends a connection, behind the last stream that was served. */
  goAway(lastStream: number, code: number): void {
    const payload = Buffer.alloc(8);
    payload.writeUInt32BE(lastStream, 0);
    payload.writeUInt32BE(code, 4);
    this.frame({ type: FRAME.goAway, flags: 0, stream: 0 }, payload);
  }

  frame(head: FrameHead, payload: Buffer): void {
    const at = this.#head(head, payload.length);
    payload.copy(this.#buffer!, at);
  }

  /** Adds a header block, in as many frames as it takes. */
  headers(stream: number, block: Buffer, endStream: boolean): void {
    let type: number = FRAME.headers;
    let flags = endStream ? FLAG.endStream : 0;
    for (let at = 0; ; at += FRAME_BYTES) {
      const isLast = at + FRAME_BYTES >= block.length;
      if (isLast) flags |= FLAG.endHeaders;
      this.frame({ type, flags, stream }, block.subarray(at, at + FRAME_BYTES));
      if (isLast) return;
      type = FRAME.continuation;
      flags = 0;
    }
  }

  /** How many of so many bytes the next DATA frame can take. */
  dataRoom(bytes: number): number {
    this.#open(FRAME_HEAD_BYTES + Math.min(bytes, MIN_DATA_BYTES));
    return Math.min(bytes, FRAME_BYTES, this.#buffer!.length - this.#used - FRAME_HEAD_BYTES);
  }

  /** Writes what is gathered, without waiting for the end of the turn. */
  flush(): void {
    const buffer = this.#buffer;
    if (buffer === undefined) return;
    const bytes = buffer.subarray(0, this.#used);
    this.#buffer = undefined;
    this.#used = 0;
    this.#socket.write(bytes, () => spareOf(buffer).putBack(buffer));
  }

  /** Where the payload goes; the caller writes it there at once. */
  #head({ type, flags, stream }: FrameHead, payloadBytes: number): number {
    this.#open(FRAME_HEAD_BYTES + payloadBytes);
    const buffer = this.#buffer!;
    const at = this.#used;
    buffer[at] = payloadBytes >>> 16;
    buffer[at + 1] = payloadBytes >>> 8;
    buffer[at + 2] = payloadBytes;
    buffer[at + 3] = type;
    buffer[at + 4] = flags;
    buffer.writeUInt32BE(stream, at + 5);
    this.#used = at + FRAME_HEAD_BYTES + payloadBytes;
    return at + FRAME_HEAD_BYTES;
  }

  /** Sees to it that the buffer has room. */
  #open(bytes: number): void {
    const buffer = this.#buffer;
    if (buffer !== undefined && this.#used + bytes <= buffer.length) return;
    if (buffer === undefined) this.#buffer = small.take();
    else if (buffer.length === SMALL_BYTES) this.#enlarge(buffer);
    else {
      this.flush();
      this.#buffer = large.take();
    }
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    FrameWriter.#waiting.push(this);
    if (FrameWriter.#waiting.length === 1) setImmediate(FrameWriter.#flushAll);
  }

  #enlarge(buffer: Buffer): void {
    this.#buffer = large.take();
    buffer.copy(this.#buffer, 0, 0, this.#used);
    small.putBack(buffer);
  }

  /** Writes what all connections have gathered in this turn. */
  static #flushAll(): void {
    const flushing = FrameWriter.#waiting;
    FrameWriter.#waiting = [];
    for (const writer of flushing) {
      writer.#isWaiting = false;
      writer.flush();
    }
  }
}

function spareOf(buffer: Buffer): SpareBuffers {
  return buffer.length === SMALL_BYTES ? small : large;
}
