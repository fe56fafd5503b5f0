// Collects the frames for one connection in one turn of the event loop, and writes them together: a write to a TLS
// socket costs more than its frames.

import { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';
import type { FrameBuffers } from './frame-buffers.ts';
import { FLAG, FRAME, FRAME_BYTES, FRAME_HEAD_BYTES, type FrameHead } from './protocol.ts';

/** Less space than this is not worth a DATA frame. */
const MIN_DATA_BYTES = 1024;

export class FrameWriter {
  readonly #socket: Duplex;
  readonly #buffers: FrameBuffers;
  /** Everything is in one buffer, because a TLS socket would copy several into one. */
  #buffer: Buffer | undefined;
  #used = 0;
  #isWaiting = false;

  /** @param buffers those of the listener */
  constructor(socket: Duplex, buffers: FrameBuffers) {
    this.#socket = socket;
    this.#buffers = buffers;
  }

  /** Whether the socket is full; it emits 'drain' when it no longer is. */
  get blocked(): boolean {
    return this.#socket.writableNeedDrain;
  }

  /** Bytes that have not been sent. */
  get backlogBytes(): number {
    return this.#socket.writableLength + this.#used;
  }

  /** Adds a frame whose payload is a four-byte number. */
  number(type: number, stream: number, value: number): void {
    const at = this.#head({ type, flags: 0, stream }, 4);
    this.#buffer!.writeUInt32BE(value >>> 0, at);
  }

  /** Adds a GOAWAY frame with the last stream that was processed. */
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

  /** Adds a header block, in as many frames as needed. */
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

  /** How many of these bytes the next DATA frame can carry. */
  dataRoom(bytes: number): number {
    this.#open(FRAME_HEAD_BYTES + Math.min(bytes, MIN_DATA_BYTES));
    return Math.min(bytes, FRAME_BYTES, this.#buffer!.length - this.#used - FRAME_HEAD_BYTES);
  }

  /** Writes collected frames without waiting for the end of the turn. */
  flush(): void {
    const buffer = this.#buffer;
    if (buffer === undefined) return;
    const bytes = buffer.subarray(0, this.#used);
    this.#buffer = undefined;
    this.#used = 0;
    this.#socket.write(bytes, () => this.#buffers.putBack(buffer));
  }

  /** Space for a payload, which the caller writes immediately. */
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

  /** Reserves space in the buffer. */
  #open(bytes: number): void {
    const buffer = this.#buffer;
    if (buffer !== undefined && this.#used + bytes <= buffer.length) return;
    if (buffer === undefined) this.#buffer = this.#buffers.small();
    else if (this.#buffers.isSmall(buffer)) this.#enlarge(buffer);
    else {
      this.flush();
      this.#buffer = this.#buffers.large();
    }
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#buffers.atEndOfTurn(this);
  }

  #enlarge(buffer: Buffer): void {
    this.#buffer = this.#buffers.large();
    buffer.copy(this.#buffer, 0, 0, this.#used);
    this.#buffers.putBack(buffer);
  }

  turnEnds(): void {
    this.#isWaiting = false;
    this.flush();
  }
}
