// The body of a request over HTTP/2: complete, limited in bytes and time, or as a stream for forwarding.

import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import type { Clock, Timer } from '../../base/clock.ts';
import { BodyPieces } from '../../http2/body-pieces.ts';
import type { BodyReader, ServerStream } from '../../http2/stream.ts';
import { cutShort, tooLarge, tooSlow } from './request-body.ts';

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
    const pieces = new BodyPieces();
    let bytes = 0;
    let timer: Timer | undefined;
    let over = false;
    const finish = (error?: Error) => {
      if (over) return;
      over = true;
      timer?.cancel();
      const came = pieces.take();
      if (error !== undefined) reject(error);
      else resolve(came.length === 1 ? came[0]! : Buffer.concat(came, bytes));
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

/** The body as a stream; unread data is held back at the client by flow control. */
export class BodyStream extends Readable implements BodyReader {
  readonly #stream: ServerStream;
  #untakenBytes = 0;

  constructor(stream: ServerStream) {
    super();
    this.#stream = stream;
    stream.read(this);
  }

  piece(bytes: Buffer): void {
    this.#untakenBytes += bytes.length;
    this.push(bytes);
  }

  end(): void {
    this.push(null);
  }

  cut(): void {
    this.destroy(cutShort());
  }

  override _read(): void {
    const taken = this.#untakenBytes;
    this.#untakenBytes = 0;
    if (taken > 0) this.#stream.done(taken);
  }
}
