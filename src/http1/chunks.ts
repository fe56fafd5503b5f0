// Decoder of chunked bodies (RFC 9112, 7.1), as strict as Go's: lines end in CRLF, and extensions and trailers, which are
// discarded, may not outweigh the data.

import type { Buffer } from 'node:buffer';
import { FieldError, FieldReader, trimmed } from './fields.ts';

/** A body whose framing is malformed. */
export class ChunkError extends Error {
  override name = 'ChunkError';
}

/** Go's limits: bytes of one line, of all trailers, and of what exceeds 16 bytes and twice the data of each chunk. */
const LINE_BYTES = 4096;
const TRAILER_BYTES = 4096;
const EXCESS_BYTES = 16 * 1024;
const MOST_DIGITS = 16;

const CR = 0x0d;
const LF = 0x0a;

type Stage = 'size' | 'data' | 'end of data' | 'trailer' | 'over';

export class ChunkDecoder {
  #stage: Stage = 'size';
  /** Bytes of the chunk that have not arrived. */
  #missing = 0;
  #excess = 0;

  get isOver(): boolean {
    return this.#stage === 'over';
  }

  /**
   * Decodes what has arrived, passing on the data, and returns the rest: an incomplete part, or once the body is over,
   * what follows it. @throws ChunkError
   */
  decode(bytes: Buffer, pass: (piece: Buffer) => void): Buffer {
    let rest = bytes;
    while (rest.length > 0 && this.#stage !== 'over') {
      const next = this.#step(rest, pass);
      if (next === undefined) break;
      rest = next;
    }
    return rest;
  }

  /** Undefined: more bytes are needed. */
  #step(bytes: Buffer, pass: (piece: Buffer) => void): Buffer | undefined {
    switch (this.#stage) {
      case 'size':
        return this.#size(bytes);
      case 'data': {
        const piece = bytes.subarray(0, this.#missing);
        this.#missing -= piece.length;
        if (this.#missing === 0) this.#stage = 'end of data';
        pass(piece);
        return bytes.subarray(piece.length);
      }
      case 'end of data':
        if (bytes.length < 2) return undefined;
        if (bytes[0] !== CR || bytes[1] !== LF) throw new ChunkError('malformed chunked encoding');
        this.#stage = 'size';
        return bytes.subarray(2);
      default:
        return this.#trailer(bytes);
    }
  }

  #size(bytes: Buffer): Buffer | undefined {
    const end = bytes.indexOf(LF);
    if (end > LINE_BYTES || (end < 0 && bytes.length > LINE_BYTES)) throw new ChunkError('header line too long');
    if (end < 0) return undefined;
    const return_ = bytes.indexOf(CR);
    if (return_ < 0 || return_ > end) throw new ChunkError('chunked line ends with bare LF');
    if (return_ !== end - 1) throw new ChunkError('invalid CR in chunked line');
    const line = bytes.toString('latin1', 0, return_);
    const size = sizeOf(withoutExtension(line));
    this.#excess = Math.max(this.#excess + line.length + 2 - 16 - 2 * size, 0);
    if (this.#excess > EXCESS_BYTES) throw new ChunkError('chunked encoding contains too much non-data');
    this.#missing = size;
    this.#stage = size === 0 ? 'trailer' : 'data';
    return bytes.subarray(end + 1);
  }

  #trailer(bytes: Buffer): Buffer | undefined {
    if (bytes.length < 2) return undefined;
    if (bytes[0] === CR && bytes[1] === LF) return this.#ends(bytes.subarray(2));
    const end = bytes.subarray(0, TRAILER_BYTES).indexOf('\r\n\r\n');
    if (end < 0 && bytes.length < TRAILER_BYTES) return undefined;
    if (end < 0) throw new ChunkError('http: suspiciously long trailer after chunked body');
    checkTrailers(bytes.toString('latin1', 0, end + 2));
    return this.#ends(bytes.subarray(end + 4));
  }

  #ends(rest: Buffer): Buffer {
    this.#stage = 'over';
    return rest;
  }
}

/** Blanks may end a line, but neither begin it nor precede an extension. */
function withoutExtension(line: string): string {
  // The leading mark keeps blanks at the beginning.
  return trimmed(`x${line}`).slice(1).split(';', 1)[0]!;
}

/** @throws ChunkError */
function checkTrailers(text: string): void {
  const reader = new FieldReader();
  try {
    for (const line of text.split('\n')) reader.line(line.endsWith('\r') ? line.slice(0, -1) : line);
  } catch (error) {
    throw error instanceof FieldError ? new ChunkError(error.message) : error;
  }
}

function sizeOf(digits: string): number {
  if (digits === '') throw new ChunkError('empty hex number for chunk length');
  if (!/^[0-9A-Fa-f]+$/.test(digits)) throw new ChunkError('invalid byte in chunk length');
  if (digits.length > MOST_DIGITS) throw new ChunkError('http chunk length too large');
  return Number.parseInt(digits, 16);
}
