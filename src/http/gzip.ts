// Compression of large answers, reads' and writes', for clients that accept gzip by its bare name.

import { Buffer } from 'node:buffer';
import { promisify } from 'node:util';
import type { ZlibOptions } from 'node:zlib';
import { limits } from '../base/limits.ts';
import { nodeZlib } from './node-modules.ts';
import type { RequestContext } from './request-context.ts';
import { BodyAbortedError, type BodyWriter } from './transport.ts';

/** Level 1 costs half of the default for nearly the same size of Kubernetes objects. */
const LEVEL = 1;

/** Whether the client takes gzip: a bare `gzip` among what it accepts, without a quality. */
export function wantsGzip(context: RequestContext): boolean {
  if (!context.services.settings.gzip) return false;
  const accepted = context.exchange.headers['accept-encoding'];
  return accepted?.split(',').some((each) => each.trim() === 'gzip') ?? false;
}

interface WholeResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/** Answers with a whole body, compressed when it is large and the client takes it. */
export async function respondWhole(
  context: RequestContext,
  { status, contentType, body }: WholeResponse,
): Promise<void> {
  const headers = context.headers(contentType);
  if (body.length < limits.gzipFromBytes || !wantsGzip(context)) return context.respond(status, headers, body);
  const packed = await gzipWhole(body, { level: LEVEL });
  context.respond(status, { ...headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' }, packed);
}

/** Some bytes compressed, on another thread. */
export function gzipWhole(bytes: Buffer, options: ZlibOptions = {}): Promise<Buffer> {
  return promisify<Buffer, ZlibOptions, Buffer>(nodeZlib().gzip)(bytes, options);
}

/**
 * A writer that compresses what passes through it, no faster than the client takes it.
 *
 * @param onSent is told of the bytes that leave
 */
export function gzipPieces(target: BodyWriter, onSent: (bytes: number) => void = () => {}): BodyWriter {
  const packer = nodeZlib().createGzip({ level: LEVEL, chunkSize: limits.responsePieceBytes });
  packer.on('data', (piece: Buffer) => {
    onSent(piece.length);
    if (target.write(piece)) return;
    packer.pause();
    target.drained().then(
      () => packer.resume(),
      () => packer.destroy(),
    );
  });
  packer.on('end', () => target.end());
  packer.on('error', () => target.destroy());
  return {
    write: (piece) => packer.write(piece),
    drained: () =>
      new Promise((resolve, reject) => {
        if (packer.destroyed) reject(new BodyAbortedError('the client has gone'));
        packer.once('drain', resolve);
        packer.once('close', () => reject(new BodyAbortedError('the client has gone')));
      }),
    onDrain: (callback) => packer.once('drain', callback),
    get bufferedBytes() {
      return packer.writableLength + target.bufferedBytes;
    },
    end: (piece) => {
      packer.end(piece ?? Buffer.alloc(0));
    },
    destroy: () => {
      packer.destroy();
      target.destroy();
    },
    get closed() {
      return packer.destroyed || target.closed;
    },
  };
}
