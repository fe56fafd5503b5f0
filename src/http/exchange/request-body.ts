// The body of a request, read from a Node stream, limited in bytes and time. A truncated body is never mistaken for a
// complete one.

import { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { SmallPieces } from '../../base/small-pieces.ts';
import { BodyAbortedError, BodyTooLargeError, BodyTooSlowError } from './transport.ts';

interface BodySource {
  /** Undefined if there is no body. */
  readonly stream: Readable | undefined;
  /** The announced length. */
  readonly length: number | undefined;
  /** Whether the client has gone, where the stream does not say so. */
  readonly isCut?: () => boolean;
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/**
 * Resolves with the whole body. Rejects with BodyTooLargeError as soon as the body is known to exceed `maxBytes` (the
 * rest is left unread and the stream paused), and with BodyAbortedError if it ends early or takes too long.
 */
export async function readBody(source: BodySource): Promise<Buffer> {
  const { stream, length, maxBytes, clock, timeoutMs } = source;
  if (stream === undefined) return Buffer.alloc(0);
  if (length !== undefined && length > maxBytes) throw tooLarge(maxBytes);
  if (stream.destroyed) throw cutShort();
  return new Promise((resolve, reject) => {
    const pieces = new SmallPieces<Buffer>(Buffer.allocUnsafeSlow);
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
      else pieces.add(chunk);
    };
    const onEnd = () => {
      stop();
      if (source.isCut?.() === true || (length !== undefined && bytes !== length)) reject(cutShort());
      else resolve(joined(pieces));
    };
    const onClose = () => fail(cutShort());
    const timer = clock.after(timeoutMs, () => fail(tooSlow(timeoutMs)));
    stream.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** What has been gathered, in one buffer. */
export function joined(pieces: SmallPieces<Buffer>): Buffer {
  const { length } = pieces;
  const taken = pieces.take();
  return taken.length === 1 ? (taken[0] as Buffer) : Buffer.concat(taken, length);
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
