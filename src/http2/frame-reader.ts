// Splits received data into frames, after the client's preface.

import { Buffer } from 'node:buffer';
import { ConnectionError, ERROR, FRAME_BYTES, FRAME_HEAD_BYTES, type FrameHead, PREFACE } from './protocol.ts';

const NOTHING = Buffer.alloc(0);

export interface FrameSink {
  /** `payload` may be retained. */
  frame(head: FrameHead, payload: Buffer): void;
}

export class FrameReader {
  readonly #sink: FrameSink;
  /** The incomplete frame. Its parts are copied into one buffer, because each would cost more memory than its content. */
  #pending: Buffer = NOTHING;
  #bytes = 0;
  /** The number of bytes that make another attempt worthwhile. */
  #neededBytes = 0;
  #prefaceSeen = false;

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  /** @throws ConnectionError for a wrong preface and for oversized frames, and errors of the sink */
  push(chunk: Buffer): void {
    let bytes = chunk;
    if (this.#bytes > 0) {
      this.#append(chunk);
      if (this.#bytes < this.#neededBytes) return;
      bytes = this.#pending.subarray(0, this.#bytes);
    }
    const rest = bytes.subarray(this.#readFrames(bytes));
    this.#pending = rest;
    this.#bytes = rest.length;
  }

  #append(chunk: Buffer): void {
    const bytes = this.#bytes + chunk.length;
    // The first part is a view of what was read, and frames may retain views of a complete buffer.
    if (this.#pending.length < bytes) {
      const larger = Buffer.allocUnsafeSlow(Math.max(bytes, this.#neededBytes));
      this.#pending.copy(larger, 0, 0, this.#bytes);
      this.#pending = larger;
    }
    chunk.copy(this.#pending, this.#bytes);
    this.#bytes = bytes;
  }

  /** The number of bytes read. */
  #readFrames(bytes: Buffer): number {
    let at = this.#prefaceSeen ? 0 : this.#readPreface(bytes);
    if (!this.#prefaceSeen) return 0;
    for (;;) {
      this.#neededBytes = FRAME_HEAD_BYTES;
      if (bytes.length - at < FRAME_HEAD_BYTES) return at;
      const length = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
      if (length > FRAME_BYTES) throw new ConnectionError(ERROR.frameSize, 'a frame larger than is taken');
      this.#neededBytes += length;
      if (bytes.length - at < this.#neededBytes) return at;
      const start = at + FRAME_HEAD_BYTES;
      at = start + length;
      const stream = bytes.readUInt32BE(start - 4) & 0x7fff_ffff;
      this.#sink.frame({ type: bytes[start - 6]!, flags: bytes[start - 5]!, stream }, bytes.subarray(start, at));
    }
  }

  #readPreface(bytes: Buffer): number {
    const seen = bytes.toString('latin1', 0, PREFACE.length);
    if (!PREFACE.startsWith(seen)) throw new ConnectionError(ERROR.protocol, 'a wrong preface');
    // A wrong preface is refused at its first wrong byte, however it arrives.
    this.#neededBytes = seen.length + 1;
    this.#prefaceSeen = seen.length === PREFACE.length;
    return this.#prefaceSeen ? PREFACE.length : 0;
  }
}
