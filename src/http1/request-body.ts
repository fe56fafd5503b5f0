// The body of a request as a stream. A slow reader holds the client back.

import type { Buffer } from 'node:buffer';
import { type Duplex, Readable } from 'node:stream';
import type { RequestHead } from './request-head.ts';

/** The client ended the connection before the body was complete. */
class CutBodyError extends Error {
  override name = 'CutBodyError';
}

export class RequestBody extends Readable {
  readonly #socket: Duplex;
  /** Bytes that have not arrived; undefined for chunks. */
  missingBytes: number | undefined;
  isComplete = false;
  /** Its framing is malformed: nothing that follows can be read. */
  isMalformed = false;
  /** The client waits for `100 Continue`. */
  awaitsContinue: boolean;

  constructor(socket: Duplex, { body, headers, isModern }: RequestHead) {
    super();
    this.#socket = socket;
    this.missingBytes = body === 'chunked' ? undefined : body;
    this.awaitsContinue = isModern && (headers['expect'] ?? '') !== '';
    // Without a reader, nobody is told.
    this.on('error', () => {});
  }

  arrives(piece: Buffer): void {
    if (this.missingBytes !== undefined) this.missingBytes -= piece.length;
    if (!this.destroyed && !this.push(piece)) this.#socket.pause();
  }

  completes(): void {
    this.isComplete = true;
    if (!this.destroyed) this.push(null);
  }

  /** The rest will not arrive. */
  cut(): void {
    if (!this.isComplete) this.destroy(new CutBodyError('unexpected EOF'));
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.resume();
    done(error);
  }
}
