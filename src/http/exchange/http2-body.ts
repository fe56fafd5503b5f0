// The body of a request over HTTP/2: complete, limited in bytes and time, or as a stream for forwarding.

import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import type { Clock, Timer } from '../../base/clock.ts';
import { SmallPieces } from '../../base/small-pieces.ts';
import type { BodyReader, ServerStream } from '../../http2/stream.ts';
import { cutShort, joined, tooLarge, tooSlow } from './request-body.ts';

interface WholeBody {
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/**
 * Resolves with the whole body. Rejects with BodyTooLargeError as soon as the body is known to exceed `maxBytes` (the
 * rest is not requested), and with BodyAbortedError if it ends early or takes too long.
 */
export function readWhole(stream: ServerStream, { maxBytes, clock, timeoutMs }: WholeBody): Promise<Buffer> {
  if ((stream.head.contentLength ?? 0) > maxBytes) return Promise.reject(tooLarge(maxBytes));
  return new Promise((resolve, reject) => {
    const pieces = new SmallPieces<Buffer>(Buffer.allocUnsafeSlow);
    let bytes = 0;
    let timer: Timer | undefined;
    let over = false;
    const finish = (error?: Error) => {
      if (over) return;
      over = true;
      timer?.cancel();
      if (error !== undefined) reject(error);
      else resolve(joined(pieces));
    };
    stream.read({
      piece(piece) {
        if (over) return;
        bytes += piece.length;
        if (bytes > maxBytes) {
          finish(tooLarge(maxBytes));
          return;
        }
        pieces.add(piece);
        stream.done(piece.length);
      },
      end: () => finish(),
      cut: () => finish(cutShort()),
    });
    if (!over) timer = clock.after(timeoutMs, () => finish(tooSlow(timeoutMs)));
  });
}

/**
 * The body as a stream; unread data is held back at the client by flow control. Until its reader asks for more, what
 * arrives is gathered: frames of one byte each would cost a hundred times their content.
 */
export class BodyStream extends Readable implements BodyReader {
  readonly #stream: ServerStream;
  readonly #arrived = new SmallPieces<Buffer>(Buffer.allocUnsafeSlow);
  #untakenBytes = 0;
  #isWanted = false;
  #hasEnded = false;

  constructor(stream: ServerStream) {
    // Its reader asks when it has taken everything.
    super({ highWaterMark: 1 });
    this.#stream = stream;
    stream.read(this);
  }

  piece(bytes: Buffer): void {
    this.#arrived.add(bytes);
    this.#pass();
  }

  end(): void {
    this.#hasEnded = true;
    this.#pass();
  }

  cut(): void {
    this.destroy(cutShort());
  }

  override _read(): void {
    const taken = this.#untakenBytes;
    this.#untakenBytes = 0;
    this.#isWanted = true;
    if (taken > 0) this.#stream.done(taken);
    this.#pass();
  }

  #pass(): void {
    if (!this.#isWanted) return;
    const { length } = this.#arrived;
    if (length > 0) {
      this.#isWanted = false;
      this.#untakenBytes += length;
      this.push(joined(this.#arrived));
    } else if (this.#hasEnded) {
      this.#isWanted = false;
      this.push(null);
    }
  }
}
