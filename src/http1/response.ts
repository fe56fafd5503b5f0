// A response on an HTTP/1.1 connection, framed and laid out like those of Go's server: canonical names in alphabetical
// order, then the fields that the server adds.

import { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';
import { limits } from '../base/limits.ts';
import { SpareBuffers } from '../base/spare-buffers.ts';
import type { RequestHead } from './request-head.ts';
import { statusLine } from './status-text.ts';

/** Names in lower case. */
type OutgoingHeaders = Readonly<Record<string, string | number | readonly string[]>>;

/** The connection as seen by a response. */
interface ResponseOwner {
  readonly socket: Duplex;
  /** The value of the Date header. */
  readonly date: () => string;
  /** Made by `responseBuffers`. */
  readonly spares: SpareBuffers<Buffer>;
  /** Whether the connection has to close after the response, whatever the client wants. */
  mustClose(): boolean;
  /** The response has been written. */
  responded(keepsAlive: boolean): void;
}

type Framing = 'none' | 'length' | 'chunked' | 'end';

/** Go servers send Content-Length if the whole body fits into their buffer; other bodies come in chunks. */
const LENGTH_BYTES = 2048;

/** From this size on, pieces are copied to spare buffers. */
const LONG_PIECE_BYTES = 16 * 1024;
/** The length and line ends around a chunk. */
const CHUNK_FRAME_BYTES = 16;

/** Spare buffers for the pieces of bodies, one each, for the connections of one listener. */
export function responseBuffers(): SpareBuffers<Buffer> {
  return new SpareBuffers<Buffer>(() => Buffer.allocUnsafeSlow(limits.responsePieceBytes + CHUNK_FRAME_BYTES));
}

export class ServerResponse {
  readonly #owner: ResponseOwner;
  readonly #request: RequestHead;
  #framing: Framing = 'none';
  #keepsAlive = false;
  #ended = false;
  #onDrain: (() => void)[] = [];
  #onGone: (() => void)[] = [];
  #onClose: (() => void)[] = [];
  headSent = false;
  /** Everything has been written, or the connection has closed. */
  destroyed = false;

  constructor(owner: ResponseOwner, request: RequestHead) {
    this.#owner = owner;
    this.#request = request;
  }

  get writableLength(): number {
    return this.#owner.socket.writableLength;
  }

  get writableNeedDrain(): boolean {
    return this.#owner.socket.writableNeedDrain;
  }

  /** 'gone': the client has ended its side. It can still read, and Go's server cancels the request. */
  on(event: 'drain' | 'gone' | 'close', listener: () => void): void {
    if (event === 'drain') this.#onDrain.push(listener);
    else if (event === 'gone') this.#onGone.push(listener);
    else this.#onClose.push(listener);
  }

  /** Asks the client for its body. */
  sendContinue(): void {
    if (!this.destroyed && !this.headSent) this.#owner.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
  }

  /** Sends head and body. */
  respond(status: number, headers: OutgoingHeaders, body: Buffer | string | undefined): void {
    const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? Buffer.alloc(0));
    const isLong = bytes.length > LENGTH_BYTES;
    // With HEAD, an empty body may as well be one that was not written.
    const hasLength = !isLong && mayHaveBody(status) && (bytes.length > 0 || this.#request.method !== 'HEAD');
    const head = this.#head(status, headers, hasLength ? bytes.length : undefined);
    this.#finish(Buffer.concat([Buffer.from(head, 'latin1'), this.#framed(bytes), this.#last()]));
  }

  /** Sends the head; the body follows in pieces. */
  begin(status: number, headers: OutgoingHeaders): void {
    const head = this.#head(status, headers, undefined);
    if (!this.destroyed) this.#owner.socket.write(head, 'latin1');
  }

  /** False: the client is slow, and 'drain' follows. The piece may be reused at once. */
  write(piece: Buffer): boolean {
    if (this.destroyed || this.#ended) return false;
    if (piece.length >= LONG_PIECE_BYTES && piece.length <= limits.responsePieceBytes) return this.#writeLong(piece);
    const framed = this.#framed(piece);
    return framed.length === 0 || this.#owner.socket.write(framed);
  }

  end(piece?: Buffer): void {
    if (this.#ended) return;
    this.#finish(Buffer.concat([piece === undefined ? NOTHING : this.#framed(piece), this.#last()]));
  }

  /** More can be written to the connection. */
  drained(): void {
    for (const listener of this.#onDrain) listener();
  }

  /** The client sends nothing more. */
  gone(): void {
    for (const listener of this.#onGone) listener();
  }

  /** The connection has closed, or belongs to somebody else. */
  close(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    for (const listener of this.#onClose) listener();
  }

  #finish(bytes: Buffer): void {
    this.#ended = true;
    if (this.destroyed) return;
    const written = () => {
      if (this.destroyed) return;
      this.close();
      this.#owner.responded(this.#keepsAlive);
    };
    if (bytes.length === 0) written();
    else this.#owner.socket.write(bytes, written);
  }

  #writeLong(piece: Buffer): boolean {
    if (this.#framing === 'none') return true;
    const isChunked = this.#framing === 'chunked';
    const { spares } = this.#owner;
    const spare = spares.take();
    let length = isChunked ? spare.write(chunkHead(piece), 'latin1') : 0;
    length += piece.copy(spare, length);
    if (isChunked) length += CRLF.copy(spare, length);
    return this.#owner.socket.write(spare.subarray(0, length), () => spares.putBack(spare));
  }

  /** A copy of a piece of the body, with its framing. */
  #framed(piece: Buffer): Buffer {
    if (piece.length === 0 || this.#framing === 'none') return NOTHING;
    if (this.#framing !== 'chunked') return Buffer.from(piece);
    return Buffer.concat([Buffer.from(chunkHead(piece)), piece, CRLF]);
  }

  #last(): Buffer {
    return this.#framing === 'chunked' ? LAST_CHUNK : NOTHING;
  }

  /** @param bytes the length of the body, where the server adds it */
  #head(status: number, headers: OutgoingHeaders, bytes: number | undefined): string {
    this.headSent = true;
    const { isModern, keepsAlive } = this.#request;
    const given = new Map<string, string | number | readonly string[]>();
    for (const [name, value] of Object.entries(headers)) {
      if (!isSuppressed(status, name)) given.set(canonical(name), value);
    }
    const added = given.has('Content-Length') ? undefined : bytes;
    this.#framing = this.#framingOf(status, added !== undefined || given.has('Content-Length'));
    const hasEnd = this.#framing !== 'end';
    const says = given.get('Connection');
    this.#keepsAlive = keepsAlive && hasEnd && says !== 'close' && !this.#owner.mustClose();
    if (!this.#keepsAlive && says !== 'close') given.delete('Connection');
    const lines = [`HTTP/${isModern ? '1.1' : '1.0'} ${statusLine(status)}`];
    for (const name of [...given.keys()].sort()) {
      for (const value of [given.get(name)!].flat()) lines.push(`${name}: ${sanitized(String(value))}`);
    }
    if (!given.has('Date')) lines.push(`Date: ${this.#owner.date()}`);
    if (added !== undefined) lines.push(`Content-Length: ${added}`);
    if (!given.has('Connection')) {
      if (this.#keepsAlive && !isModern) lines.push('Connection: keep-alive');
      else if (!this.#keepsAlive && isModern) lines.push('Connection: close');
    }
    if (this.#framing === 'chunked') lines.push('Transfer-Encoding: chunked');
    return `${lines.join('\r\n')}\r\n\r\n`;
  }

  #framingOf(status: number, hasLength: boolean): Framing {
    if (this.#request.method === 'HEAD' || !mayHaveBody(status)) return 'none';
    if (hasLength) return 'length';
    return this.#request.isModern ? 'chunked' : 'end';
  }
}

const NOTHING = Buffer.alloc(0);
const CRLF = Buffer.from('\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** What precedes a chunk. */
function chunkHead({ length }: Buffer): string {
  return `${length.toString(16)}\r\n`;
}

function mayHaveBody(status: number): boolean {
  return status >= 200 && status !== 204 && status !== 304;
}

function isSuppressed(status: number, name: string): boolean {
  if (name === 'transfer-encoding') return true;
  if (mayHaveBody(status)) return false;
  return name === 'content-length' || (status === 304 && name === 'content-type');
}

/**
 * A value as bytes, one per character: line ends become blanks, so that no value begins another field, and characters
 * that are not bytes are encoded in UTF-8.
 */
function sanitized(value: string): string {
  if (PLAIN.test(value)) return value;
  const bytes = BYTES.test(value) ? value : Buffer.from(value).toString('latin1');
  return bytes.replace(/[\r\n]/g, ' ');
}

const PLAIN = /^[\t\x20-\x7e]*$/;
const BYTES = /^[\0-\xff]*$/;

/** A name as Go spells it: `Content-Type`. */
function canonical(name: string): string {
  return CANONICAL.get(name) ?? name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}

/** The names that the server's own responses have, by those in lower case; others come from proxied backends. */
const CANONICAL: ReadonlyMap<string, string> = new Map(
  [
    'Accept-Ranges',
    'Access-Control-Allow-Credentials',
    'Access-Control-Allow-Headers',
    'Access-Control-Allow-Methods',
    'Access-Control-Allow-Origin',
    'Access-Control-Expose-Headers',
    'Allow',
    'Audit-Id',
    'Cache-Control',
    'Connection',
    'Content-Disposition',
    'Content-Encoding',
    'Content-Length',
    'Content-Range',
    'Content-Type',
    'Date',
    'Etag',
    'Last-Modified',
    'Location',
    'Retry-After',
    'Server',
    'Strict-Transport-Security',
    'Upgrade',
    'Vary',
    'Warning',
    'Www-Authenticate',
    'X-Content-Type-Options',
    'X-Kubernetes-Pf-Flowschema-Uid',
    'X-Kubernetes-Pf-Prioritylevel-Uid',
    'X-Stream-Protocol-Version',
  ].map((name) => [name.toLowerCase(), name]),
);
