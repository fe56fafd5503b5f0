// The body of a request as a stream. A slow reader holds the client back.

import { Buffer } from 'node:buffer';
import { type Duplex, Readable } from 'node:stream';
import { SmallPieces } from '../base/small-pieces.ts';
import type { RequestHead } from './request-head.ts';

/** The client ended the connection before the body was complete. */
class CutBodyError extends Error {
  override name = 'CutBodyError';
}

/** Bytes that are gathered before the client is held back. */
const GATHERED_BYTES = 64 * 1024;

export class RequestBody extends Readable {
  readonly #socket: Duplex;
  /** What has arrived since its reader asked last: many small pieces are passed on as one. */
  readonly #arrived = new SmallPieces<Buffer>(Buffer.allocUnsafeSlow);
  #isWanted = false;
  /** Bytes that have not arrived; undefined for chunks. */
  missingBytes: number | undefined;
  isComplete = false;
  /** Its framing is malformed: nothing that follows can be read. */
  isMalformed = false;
  /** The client waits for `100 Continue`. */
  awaitsContinue: boolean;

  constructor(socket: Duplex, { body, headers, isModern }: RequestHead) {
    // Its reader asks when it has taken everything.
    super({ highWaterMark: 1 });
    this.#socket = socket;
    this.missingBytes = body === 'chunked' ? undefined : body;
    this.awaitsContinue = isModern && (headers['expect'] ?? '') !== '';
    // Without a listener, an error of a body that nobody reads would end the process.
    this.on('error', () => {});
  }

  arrives(piece: Buffer): void {
    if (this.missingBytes !== undefined) this.missingBytes -= piece.length;
    if (this.destroyed) return;
    this.#arrived.add(piece);
    this.#pass();
    if (this.#arrived.length >= GATHERED_BYTES) this.#socket.pause();
  }

  completes(): void {
    this.isComplete = true;
    if (!this.destroyed) this.#pass();
  }

  /** The rest will not arrive. */
  cut(): void {
    if (!this.isComplete) this.destroy(new CutBodyError('unexpected EOF'));
  }

  override _read(): void {
    this.#isWanted = true;
    this.#pass();
    this.#socket.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#arrived.take();
    this.#socket.resume();
    done(error);
  }

  #pass(): void {
    if (!this.#isWanted) return;
    const { length } = this.#arrived;
    if (length > 0) {
      this.#isWanted = false;
      const pieces = this.#arrived.take();
      this.push(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, length));
    } else if (this.isComplete) {
      this.#isWanted = false;
      this.push(null);
    }
  }
}
