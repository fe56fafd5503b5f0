// One connection of the load generator to the server: any number of concurrent requests, each with a promise for its
// response. Requests made in one turn of the event loop are sent together.

import { Buffer } from 'node:buffer';
import { connect, type TLSSocket } from 'node:tls';
import { FLAG, FRAME, type FrameHead } from '../src/http2/protocol.ts';
import {
  CONNECTION_WINDOW_BYTES,
  FrameReader,
  type FrameSink,
  frame,
  headerBlock,
  preface,
  STREAM_WINDOW_BYTES,
  statusOf,
  windowUpdate,
} from './http2-frames.ts';

export interface Target {
  /** `https://127.0.0.1:6443` */
  readonly url: string;
  readonly token: string;
}

export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly contentType?: string;
  /** application/json unless given. */
  readonly accept?: string;
  /** Whether the response may be compressed. */
  readonly gzip?: boolean;
  readonly body?: Buffer;
  /** How many bytes of the response body are kept; by default enough for an error. */
  readonly keepBytes?: number;
}

export interface Answer {
  readonly status: number;
  /** The body's size. */
  readonly bytes: number;
  /** The body, or its start. */
  readonly kept: string;
}

/** Takes a body as it comes. */
export type OnPiece = (piece: Buffer) => void;

interface Open {
  status: number;
  bytes: number;
  /** Bytes received since the last window update. */
  unacknowledged: number;
  readonly kept: Buffer[];
  readonly keepBytes: number;
  readonly onPiece: OnPiece | undefined;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

const NOTHING = Buffer.alloc(0);
const ERROR_BYTES = 400;

/** Opens a connection; rejects if there is no server or it does not support HTTP/2. */
export function openConnection(target: Target): Promise<Http2Connection> {
  const { hostname, port } = new URL(target.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), ALPNProtocols: ['h2'], rejectUnauthorized: false });
    socket.setNoDelay(true);
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      socket.off('error', reject);
      if (socket.alpnProtocol === 'h2') resolve(new Http2Connection(socket, target));
      else reject(new Error('the server does not speak HTTP/2'));
    });
  });
}

/** The server reset one request and continues with others. */
export class StreamResetError extends Error {
  constructor(code: number) {
    super(`the server reset a stream: code ${code}`);
  }
}

export class Http2Connection implements FrameSink {
  readonly #socket: TLSSocket;
  readonly #target: Target;
  readonly #authority: string;
  readonly #streams = new Map<number, Open>();
  #nextStream = 1;
  #unacknowledged = 0;
  #out: Buffer[] = [];

  constructor(socket: TLSSocket, target: Target) {
    this.#socket = socket;
    this.#target = target;
    this.#authority = new URL(target.url).host;
    const reader = new FrameReader(this);
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
    socket.on('error', (error) => this.#failAll(error));
    socket.on('close', () => this.#failAll(new Error('the server closed the connection')));
    this.#send(preface());
  }

  /**
   * Sends a request. Request bodies in flight on one connection must stay below 64 KB: the server's window is not
   * tracked.
   */
  request(
    { method, path, contentType, accept, gzip, body, keepBytes = ERROR_BYTES }: LoadRequest,
    onPiece?: OnPiece,
  ): Promise<Answer> {
    const stream = this.#nextStream;
    this.#nextStream += 2;
    const block = headerBlock({
      method,
      path,
      authority: this.#authority,
      token: this.#target.token,
      contentType,
      contentLength: body?.length ?? 0,
      ...{ accept, gzip },
    });
    const flags = FLAG.endHeaders | (body === undefined ? FLAG.endStream : 0);
    this.#send(frame({ type: FRAME.headers, flags, stream }, block));
    if (body !== undefined) this.#send(frame({ type: FRAME.data, flags: FLAG.endStream, stream }, body));
    return new Promise((resolve, reject) => {
      const open = { status: 0, bytes: 0, unacknowledged: 0, kept: [], keepBytes, onPiece, resolve, reject };
      this.#streams.set(stream, open);
    });
  }

  close(): void {
    this.#streams.clear();
    this.#socket.destroy();
  }

  data(stream: number, piece: Buffer, last: boolean): void {
    const open = this.#streams.get(stream);
    this.#acknowledge(open, stream, piece.length);
    if (open === undefined) return;
    if (open.bytes < open.keepBytes) open.kept.push(piece.subarray(0, open.keepBytes - open.bytes));
    open.bytes += piece.length;
    open.onPiece?.(piece);
    if (last) this.#finish(stream, open);
  }

  frame({ type, flags, stream }: FrameHead, payload: Buffer): void {
    if (type === FRAME.headers) this.#headers(stream, payload, (flags & FLAG.endStream) !== 0);
    else if (type === FRAME.settings && flags !== FLAG.ack) {
      this.#send(frame({ type: FRAME.settings, flags: FLAG.ack, stream: 0 }, NOTHING));
    } else if (type === FRAME.ping && flags !== FLAG.ack) {
      this.#send(frame({ type: FRAME.ping, flags: FLAG.ack, stream: 0 }, payload));
    } else if (type === FRAME.reset) {
      this.#streams.get(stream)?.reject(new StreamResetError(payload.readUInt32BE()));
      this.#streams.delete(stream);
    } else if (type === FRAME.goAway) this.#failAll(new Error(`the server went away: code ${payload.readUInt32BE(4)}`));
  }

  #headers(stream: number, block: Buffer, last: boolean): void {
    const open = this.#streams.get(stream);
    if (open === undefined) return;
    if (open.status === 0) open.status = statusOf(block);
    if (last) this.#finish(stream, open);
  }

  #finish(stream: number, { status, bytes, kept, resolve }: Open): void {
    this.#streams.delete(stream);
    resolve({ status, bytes, kept: Buffer.concat(kept).toString() });
  }

  /** Updates the window once a quarter of it has been used. */
  #acknowledge(open: Open | undefined, stream: number, bytes: number): void {
    this.#unacknowledged += bytes;
    if (this.#unacknowledged > CONNECTION_WINDOW_BYTES / 4) {
      this.#send(windowUpdate(0, this.#unacknowledged));
      this.#unacknowledged = 0;
    }
    if (open === undefined) return;
    open.unacknowledged += bytes;
    if (open.unacknowledged <= STREAM_WINDOW_BYTES / 4) return;
    this.#send(windowUpdate(stream, open.unacknowledged));
    open.unacknowledged = 0;
  }

  #failAll(error: Error): void {
    for (const { reject } of this.#streams.values()) reject(error);
    this.#streams.clear();
  }

  #send(bytes: Buffer): void {
    this.#out.push(bytes);
    if (this.#out.length > 1) return;
    setImmediate(() => {
      const out = this.#out;
      this.#out = [];
      this.#socket.write(out.length === 1 ? out[0]! : Buffer.concat(out));
    });
  }
}
