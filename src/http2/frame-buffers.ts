// Buffers that the connections of one listener share to write frames, and the end of the turn, at which all of them write
// what they have collected.

import { Buffer } from 'node:buffer';
import { SpareBuffers } from '../base/spare-buffers.ts';
import { FRAME_BYTES } from './protocol.ts';

/** Fits a frame of the maximum size after small ones, which suffices for most turns. */
const SMALL_BYTES = FRAME_BYTES + 1024;
/** Size at which frames are written before the end of the turn. */
const LARGE_BYTES = 4 * SMALL_BYTES;

/** A connection with frames that have not been written. */
interface Writer {
  /** The turn is over: it writes them. */
  turnEnds(): void;
}

export class FrameBuffers {
  readonly #small = new SpareBuffers<Buffer>(() => Buffer.allocUnsafeSlow(SMALL_BYTES));
  readonly #large = new SpareBuffers<Buffer>(() => Buffer.allocUnsafeSlow(LARGE_BYTES));
  #waiting: Writer[] = [];
  readonly #endTurn = () => {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const writer of waiting) writer.turnEnds();
  };

  small(): Buffer {
    return this.#small.take();
  }

  large(): Buffer {
    return this.#large.take();
  }

  isSmall(buffer: Buffer): boolean {
    return buffer.length === SMALL_BYTES;
  }

  putBack(buffer: Buffer): void {
    (this.isSmall(buffer) ? this.#small : this.#large).putBack(buffer);
  }

  /** Calls `turnEnds` of the writer once, when the turn of the event loop is over. */
  atEndOfTurn(writer: Writer): void {
    this.#waiting.push(writer);
    if (this.#waiting.length === 1) setImmediate(this.#endTurn);
  }
}
