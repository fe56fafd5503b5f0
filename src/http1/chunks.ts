// Decoder of chunked bodies (RFC 9112, 7.1), as strict as Go's: lines end in CRLF, and extensions and trailers, which are
// discarded, may not outweigh the data.

import { Buffer } from 'node:buffer';
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
   * what follows it. The data of small chunks is passed on together. @throws ChunkError
   */
  decode(bytes: Buffer, pass: (piece: Buffer) => void): Buffer {
    const data = new Gathering(bytes.length, pass);
    let at = 0;
    try {
      while (at < bytes.length && this.#stage !== 'over') {
        const next = this.#step(bytes, at, data);
        if (next === undefined) break;
        at = next;
      }
    } finally {
      data.flush();
    }
    return bytes.subarray(at);
  }

  /** Decodes one part and returns where it ends. Undefined: more bytes are needed. */
  #step(bytes: Buffer, at: number, data: Gathering): number | undefined {
    switch (this.#stage) {
      case 'size':
        return this.#size(bytes, at);
      case 'data': {
        const end = Math.min(at + this.#missing, bytes.length);
        this.#missing -= end - at;
        if (this.#missing === 0) this.#stage = 'end of data';
        data.add(bytes, at, end);
        return end;
      }
      case 'end of data':
        if (bytes.length < at + 2) return undefined;
        if (bytes[at] !== CR || bytes[at + 1] !== LF) throw new ChunkError('malformed chunked encoding');
        this.#stage = 'size';
        return at + 2;
      default:
        return this.#trailer(bytes, at);
    }
  }

  #size(bytes: Buffer, at: number): number | undefined {
    const end = bytes.indexOf(LF, at);
    if (end - at > LINE_BYTES || (end < 0 && bytes.length - at > LINE_BYTES)) {
      throw new ChunkError('header line too long');
    }
    if (end < 0) return undefined;
    const return_ = bytes.indexOf(CR, at);
    if (return_ < 0 || return_ > end) throw new ChunkError('chunked line ends with bare LF');
    if (return_ !== end - 1) throw new ChunkError('invalid CR in chunked line');
    const line = bytes.toString('latin1', at, return_);
    const size = sizeOf(withoutExtension(line));
    this.#excess = Math.max(this.#excess + line.length + 2 - 16 - 2 * size, 0);
    if (this.#excess > EXCESS_BYTES) throw new ChunkError('chunked encoding contains too much non-data');
    this.#missing = size;
    this.#stage = size === 0 ? 'trailer' : 'data';
    return end + 1;
  }

  #trailer(bytes: Buffer, at: number): number | undefined {
    const rest = bytes.length - at;
    if (rest < 2) return undefined;
    if (bytes[at] === CR && bytes[at + 1] === LF) return this.#ends(at + 2);
    const end = bytes.subarray(at, at + TRAILER_BYTES).indexOf('\r\n\r\n');
    if (end < 0 && rest < TRAILER_BYTES) return undefined;
    if (end < 0) throw new ChunkError('http: suspiciously long trailer after chunked body');
    checkTrailers(bytes.toString('latin1', at, at + end + 2));
    return this.#ends(at + end + 4);
  }

  #ends(at: number): number {
    this.#stage = 'over';
    return at;
  }
}

/** Larger data is passed on as it is. */
const SMALL_BYTES = 1_024;
const BLOCK_BYTES = 16 * 1024;

/** Gathers the data of small chunks of one read. */
class Gathering {
  readonly #mostBytes: number;
  readonly #pass: (piece: Buffer) => void;
  #block: Buffer | undefined;
  #used = 0;

  /** @param mostBytes of all data */
  constructor(mostBytes: number, pass: (piece: Buffer) => void) {
    this.#mostBytes = mostBytes;
    this.#pass = pass;
  }

  add(bytes: Buffer, start: number, end: number): void {
    if (end - start >= SMALL_BYTES || (start === 0 && end === bytes.length)) {
      this.flush();
      this.#pass(bytes.subarray(start, end));
      return;
    }
    if (this.#block !== undefined && this.#used + end - start > this.#block.length) this.flush();
    this.#block ??= Buffer.allocUnsafeSlow(Math.min(this.#mostBytes, BLOCK_BYTES));
    for (let at = start; at < end; at++) this.#block[this.#used++] = bytes[at] as number;
  }

  flush(): void {
    if (this.#block === undefined) return;
    const piece = this.#block.subarray(0, this.#used);
    this.#block = undefined;
    this.#used = 0;
    this.#pass(piece);
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
