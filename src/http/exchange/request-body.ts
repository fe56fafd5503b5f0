// The body of a request, read from a Node stream, limited in bytes and time. A truncated body is never mistaken for a
// complete one.

import { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { BodyAbortedError, BodyTooLargeError, BodyTooSlowError } from './transport.ts';

interface BodySource {
  readonly stream: Readable;
  /** The Content-Length header. */
  readonly contentLength: string | undefined;
  /** Whether the client aborted the request. */
  aborted(): boolean;
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/**
 * Resolves with the whole body. Rejects with BodyTooLargeError as soon as the body is known to exceed `maxBytes` (the
 * rest is left unread and the stream paused), and with BodyAbortedError if it ends early or takes too long.
 */
export function readBody(source: BodySource): Promise<Buffer> {
  const { stream, maxBytes } = source;
  const declaredBytes = source.contentLength === undefined ? undefined : Number(source.contentLength);
  if (declaredBytes !== undefined && declaredBytes > maxBytes) return Promise.reject(tooLarge(maxBytes));
  if (stream.destroyed) return Promise.reject(cutShort());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stop = () => {
      stream.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      timer.cancel();
    };
    const fail = (error: Error) => {
      stop();
      stream.pause();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) fail(tooLarge(maxBytes));
      else chunks.push(chunk);
    };
    const onEnd = () => {
      stop();
      if (source.aborted() || (declaredBytes !== undefined && bytes !== declaredBytes)) reject(cutShort());
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes));
    };
    const onClose = () => fail(cutShort());
    const timer = source.clock.after(source.timeoutMs, () => fail(tooSlow(source.timeoutMs)));
    stream.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

export function tooLarge(maxBytes: number): BodyTooLargeError {
  return new BodyTooLargeError(`the request body is larger than ${maxBytes} bytes`);
}

export function cutShort(): BodyAbortedError {
  return new BodyAbortedError('the request body was cut short');
}

export function tooSlow(timeoutMs: number): BodyTooSlowError {
  return new BodyTooSlowError(`the request body did not arrive within ${timeoutMs} ms`);
}
