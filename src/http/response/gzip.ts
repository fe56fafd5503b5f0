// Gzip compression of large responses, for clients that accept gzip by its bare name.

import { Buffer } from 'node:buffer';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { ZlibOptions } from 'node:zlib';
import { limits } from '../../base/limits.ts';
import { nodeZlib } from '../exchange/node-modules.ts';
import { type BodyWriter, clientGone } from '../exchange/transport.ts';
import type { RequestContext } from '../request-context.ts';
import { BytePieces } from './byte-pieces.ts';

/** Level 1 costs half of the default for nearly the same size of Kubernetes objects. */
const LEVEL = 1;

/**
 * Whether the client accepts gzip: a bare `gzip` in Accept-Encoding, without a quality value.
 * @param isOn whether the gate of the kind of response is on
 */
export function wantsGzip(context: RequestContext, isOn = context.services.settings.gzip): boolean {
  if (!isOn) return false;
  const accepted = context.exchange.headers['accept-encoding'];
  return accepted?.split(',').some((each) => each.trim() === 'gzip') ?? false;
}

/** Whether the client accepts gzip with any quality but 0, as the handler of the OpenAPI v2 document asks. */
export function acceptsGzip(context: RequestContext): boolean {
  const clauses = (context.exchange.headers['accept-encoding'] ?? '').split(',').map((clause) => clause.split(';'));
  return clauses.some(([name = '', ...parameters]) => {
    const quality = parameters.map((each) => each.trim()).find((each) => each.startsWith('q='));
    return name.trim().toLowerCase() === 'gzip' && (quality === undefined || Number(quality.slice(2)) > 0);
  });
}

interface WholeResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/** Sends a complete body, compressed if it is large and the client accepts gzip. */
export async function respondWhole(
  context: RequestContext,
  { status, contentType, body }: WholeResponse,
): Promise<void> {
  const headers = context.headers(contentType);
  if (body.length < limits.gzipFromBytes || !wantsGzip(context)) return context.respond(status, headers, body);
  const packed = await gzipWhole(body, { level: LEVEL });
  context.respond(status, { ...headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' }, packed);
}

/** Compresses bytes, on another thread. */
export function gzipWhole(bytes: Buffer, options: ZlibOptions = {}): Promise<Buffer> {
  return promisify<Buffer, ZlibOptions, Buffer>(nodeZlib().gzip)(bytes, options);
}

/** Compresses long content at the default level, on another thread, piece by piece. */
export async function gzipBytes(bytes: BytePieces): Promise<BytePieces> {
  const packer = nodeZlib().createGzip({ chunkSize: limits.responsePieceBytes });
  return pipeline(bytes.range(), packer, async (packed) => new BytePieces(await Array.fromAsync(packed)));
}

/**
 * A writer that compresses what is written, no faster than the client reads.
 *
 * @param onSent receives the number of bytes sent
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
  let unpacked = 0;
  const waiting: { readonly resume: () => void; readonly giveUp?: (error: Error) => void }[] = [];
  const packed = () => {
    unpacked--;
    if (unpacked === 0) for (const { resume } of waiting.splice(0)) resume();
  };
  packer.on('close', () => {
    for (const { giveUp } of waiting.splice(0)) giveUp?.(clientGone());
  });
  return {
    freesPieces: true,
    write: (piece) => {
      unpacked++;
      packer.write(piece, packed);
      return false;
    },
    drained: () => {
      if (packer.destroyed) return Promise.reject(clientGone());
      if (unpacked === 0) return Promise.resolve();
      return new Promise((resume, giveUp) => waiting.push({ resume, giveUp }));
    },
    onDrain: (resume) => waiting.push({ resume }),
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

/**
 * Compresses bytes as a member of a gzip body, on another thread. A flush stands between the content and the member's end,
 * as in kube-apiserver's: Go's reader gives out what precedes it, while together with a member's end it gives out nothing
 * before the next member begins.
 */
async function gzipMember(bytes: Buffer): Promise<Buffer> {
  const { createGzip, constants } = nodeZlib();
  const packer = createGzip({ level: LEVEL, flush: constants.Z_SYNC_FLUSH });
  packer.write(bytes, () => packer.end());
  return Buffer.concat(await Array.fromAsync<Buffer>(packer));
}

/**
 * A writer that compresses each piece by itself: the client can read a piece as soon as it arrives. Together they are one
 * gzip body, of several members.
 */
export function gzipMembers(target: BodyWriter): BodyWriter {
  let unpackedBytes = 0;
  let last = Promise.resolve();
  let waiting: (() => void)[] = [];
  const send = async (piece: Buffer) => {
    const packed = await gzipMember(piece);
    unpackedBytes -= piece.length;
    if (target.closed) throw clientGone();
    if (!target.write(packed)) await target.drained();
    if (unpackedBytes > 0) return;
    const resumed = waiting;
    waiting = [];
    for (const resume of resumed) resume();
  };
  const afterLast = (step: () => Promise<void> | void) => {
    last = last.then(step);
    // Whoever waits learns of a client that has gone.
    last.catch(() => {});
  };
  return {
    write: (piece) => {
      unpackedBytes += piece.length;
      afterLast(() => send(piece));
      return false;
    },
    drained: () => last,
    onDrain: (resume) => waiting.push(resume),
    get bufferedBytes() {
      return unpackedBytes + target.bufferedBytes;
    },
    get crowded() {
      return target.crowded ?? false;
    },
    end: (piece) => {
      if (piece !== undefined) {
        unpackedBytes += piece.length;
        afterLast(() => send(piece));
      }
      afterLast(() => target.end());
    },
    destroy: () => target.destroy(),
    get closed() {
      return target.closed;
    },
  };
}
