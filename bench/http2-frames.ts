// The minimal HTTP/2 for a load generator (RFC 9113, RFC 7541): encodes requests, and assigns responses to streams. A
// general client needs about as much processor time as the server that it measures; this one needs a tenth.

import { Buffer } from 'node:buffer';
import { FLAG, FRAME, FRAME_HEAD_BYTES, type FrameHead, PREFACE } from '../src/http2/protocol.ts';

/** The window sizes of Go's client, the most common client of a Kubernetes API server. */
export const STREAM_WINDOW_BYTES = 4 * 1024 * 1024;
export const CONNECTION_WINDOW_BYTES = 1024 * 1024 * 1024;

export interface FrameSink {
  /** A chunk of a DATA frame's payload, as received; `last` is set on the stream's final one. */
  data(stream: number, piece: Buffer, last: boolean): void;
  /** Any other frame, complete. */
  frame(head: FrameHead, payload: Buffer): void;
}

/** Splits the bytes of a connection into frames. */
export class FrameReader {
  readonly #sink: FrameSink;
  readonly #head = Buffer.alloc(FRAME_HEAD_BYTES);
  #headLength = 0;
  #current: FrameHead = { type: FRAME.settings, flags: 0, stream: 0 };
  /** Remaining bytes of the current payload. */
  #left = 0;
  #gathered: Buffer[] = [];

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#headLength < FRAME_HEAD_BYTES) {
        at += this.#readHead(chunk, at);
        if (this.#headLength === FRAME_HEAD_BYTES && this.#left === 0) this.#take(chunk.subarray(at, at));
      } else {
        const piece = chunk.subarray(at, at + this.#left);
        at += piece.length;
        this.#left -= piece.length;
        this.#take(piece);
      }
    }
  }

  #readHead(chunk: Buffer, at: number): number {
    const copied = chunk.copy(this.#head, this.#headLength, at, at + FRAME_HEAD_BYTES - this.#headLength);
    this.#headLength += copied;
    if (this.#headLength < FRAME_HEAD_BYTES) return copied;
    const head = this.#head;
    this.#left = head.readUIntBE(0, 3);
    this.#current = { type: head[3]!, flags: head[4]!, stream: head.readUInt32BE(5) & 0x7fff_ffff };
    if ((this.#current.flags & FLAG.padded) !== 0 && this.#current.type <= FRAME.headers) {
      throw new Error('the server pads its frames, which this client does not know');
    }
    return copied;
  }

  #take(piece: Buffer): void {
    const { type, flags, stream } = this.#current;
    const whole = this.#left === 0;
    if (whole) this.#headLength = 0;
    if (type === FRAME.data) {
      this.#sink.data(stream, piece, whole && (flags & FLAG.endStream) !== 0);
      return;
    }
    this.#gathered.push(piece);
    if (!whole) return;
    const payload = this.#gathered.length === 1 ? piece : Buffer.concat(this.#gathered);
    this.#gathered = [];
    this.#sink.frame(this.#current, payload);
  }
}

export function frame({ type, flags, stream }: FrameHead, payload: Buffer): Buffer {
  const head = Buffer.allocUnsafe(FRAME_HEAD_BYTES);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export function windowUpdate(stream: number, bytes: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(bytes);
  return frame({ type: FRAME.windowUpdate, flags: 0, stream }, payload);
}

/** The client's preface: window sizes, no push, and no dynamic table, so that headers can be read without one. */
export function preface(): Buffer {
  const settings = Buffer.alloc(18);
  settings.writeUInt16BE(1, 0); // HEADER_TABLE_SIZE: 0
  settings.writeUInt16BE(2, 6); // ENABLE_PUSH: 0
  settings.writeUInt16BE(4, 12); // INITIAL_WINDOW_SIZE
  settings.writeUInt32BE(STREAM_WINDOW_BYTES, 14);
  return Buffer.concat([
    Buffer.from(PREFACE, 'latin1'),
    frame({ type: FRAME.settings, flags: 0, stream: 0 }, settings),
    windowUpdate(0, CONNECTION_WINDOW_BYTES - 65_535),
  ]);
}

/** Indexes in HPACK's static table. */
const NAME = {
  authority: 1,
  method: 2,
  path: 4,
  acceptEncoding: 16,
  accept: 19,
  authorization: 23,
  contentLength: 28,
  contentType: 31,
};
const INDEXED = { get: 0x82, https: 0x87 };

export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly authority: string;
  readonly token: string;
  readonly contentType: string | undefined;
  readonly contentLength: number;
  /** application/json unless given. */
  readonly accept?: string | undefined;
  /** Whether the answer may be compressed. */
  readonly gzip?: boolean | undefined;
}

/** Returns the header block of a request, with literal fields only. */
export function headerBlock(head: RequestHead): Buffer {
  const method = head.method === 'GET' ? Buffer.from([INDEXED.get]) : literal(NAME.method, head.method);
  const fields = [
    method,
    Buffer.from([INDEXED.https]),
    literal(NAME.path, head.path),
    literal(NAME.authority, head.authority),
    literal(NAME.authorization, `Bearer ${head.token}`),
    literal(NAME.accept, head.accept ?? 'application/json'),
  ];
  if (head.contentType !== undefined) {
    fields.push(literal(NAME.contentType, head.contentType), literal(NAME.contentLength, String(head.contentLength)));
  }
  if (head.gzip === true) fields.push(literal(NAME.acceptEncoding, 'gzip'));
  return Buffer.concat(fields);
}

/** A field without indexing; its name is from the static table. */
function literal(name: number, value: string): Buffer {
  return Buffer.concat([
    Buffer.from(prefixed(name, 15)),
    Buffer.from(prefixed(value.length, 127)),
    Buffer.from(value, 'latin1'),
  ]);
}

/** Encodes an integer with a prefix whose largest value is `most`. */
function prefixed(value: number, most: number): number[] {
  if (value < most) return [value];
  const bytes = [most];
  let rest = value - most;
  for (; rest >= 128; rest >>= 7) bytes.push((rest & 127) | 128);
  bytes.push(rest);
  return bytes;
}

/** The statuses in HPACK's static table, from index 8. */
const STATUSES = [200, 204, 206, 304, 400, 404, 500];

/** Returns the status of a response: the first field of its header block, after table size updates. */
export function statusOf(block: Buffer): number {
  let at = 0;
  while ((block[at]! & 0xe0) === 0x20) at++;
  const first = block[at]!;
  if ((first & 0x80) !== 0) {
    const known = STATUSES[(first & 0x7f) - 8];
    if (known === undefined) throw new Error('an answer without a status');
    return known;
  }
  const length = block[at + 1]!;
  const value = block.subarray(at + 2, at + 2 + (length & 0x7f));
  return (length & 0x80) === 0 ? Number(value.toString('latin1')) : packedDigits(value);
}

/** Three digits in the Huffman code of HPACK: 0, 1 and 2 take five bits, the others six. */
function packedDigits(bytes: Buffer): number {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  let number = 0;
  let at = 0;
  for (let digits = 0; digits < 3; digits++) {
    const short = Number.parseInt(bits.slice(at, at + 5), 2);
    const digit = short <= 2 ? short : Number.parseInt(bits.slice(at, at + 6), 2) - 0x19 + 3;
    at += short <= 2 ? 5 : 6;
    number = number * 10 + digit;
  }
  return number;
}
