// An exchange over one HTTP/2 stream. Rarely needed parts (the abort signal, the client's certificate) are created on
// demand: a plain read must cost little more than the stream itself.

import { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import { SeparateValues } from '../../base/header-values.ts';
import { ERROR } from '../../http2/protocol.ts';
import type { ServerStream } from '../../http2/stream.ts';
import type { Connection } from './connection.ts';
import { BodyStream, readWhole } from './http2-body.ts';
import { SinkWriter } from './sink-writer.ts';
import type { BodyWriter, HttpExchange, PeerCertificate, RequestHeaders, ResponseHeaders } from './transport.ts';

export class Http2Exchange implements HttpExchange {
  readonly protocol = 'HTTP/2.0';
  readonly headers: RequestHeaders;
  responded = false;
  readonly isRead = true;
  readonly #stream: ServerStream;
  readonly #connection: Connection;
  readonly #bodyTimeoutMs: number;
  #aborter: AbortController | undefined;
  #values: SeparateValues | undefined;

  constructor(stream: ServerStream, connection: Connection, bodyTimeoutMs: number) {
    this.#stream = stream;
    this.#connection = connection;
    this.#bodyTimeoutMs = bodyTimeoutMs;
    this.headers = stream.head.headers;
  }

  get method(): string {
    return this.#stream.head.method;
  }

  get target(): string {
    return this.#stream.head.path;
  }

  headerValues(name: string): readonly string[] {
    this.#values ??= new SeparateValues(this.#stream.head.fields);
    return this.#values.of(name);
  }

  get remoteAddress(): string {
    return this.#connection.remoteAddress;
  }

  get peerCertificate(): PeerCertificate | undefined {
    return this.#connection.peerCertificate;
  }

  get proxyName(): string | undefined {
    return this.#connection.proxyName;
  }

  get peerCertificateInvalid(): boolean {
    return this.#connection.peerCertificateInvalid;
  }

  get signal(): AbortSignal {
    if (this.#aborter === undefined) {
      const aborter = new AbortController();
      this.#aborter = aborter;
      if (this.#stream.destroyed) aborter.abort();
      else this.#stream.on('close', () => aborter.abort());
    }
    return this.#aborter.signal;
  }

  bodyStream(): Readable | undefined {
    if (this.#stream.endAfterHead) return undefined;
    this.#continue();
    return new BodyStream(this.#stream);
  }

  body(maxBytes: number): Promise<Buffer> {
    if ((this.#stream.head.contentLength ?? 0) <= maxBytes) this.#continue();
    return readWhole(this.#stream, { maxBytes, clock: this.#connection.clock, timeoutMs: this.#bodyTimeoutMs });
  }

  respond(status: number, headers: ResponseHeaders, body: Buffer | string | undefined): void {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const isSent = bytes !== undefined && bytes.length > 0 && this.method !== 'HEAD';
    const head: ResponseHeaders = { ...headers };
    if (bytes !== undefined && bytes.length <= CONTENT_LENGTH_BYTES) head['content-length'] ??= bytes.length;
    this.#sendHead(status, head, !isSent);
    if (isSent) this.#stream.end(bytes);
  }

  stream(status: number, headers: ResponseHeaders): BodyWriter {
    this.#sendHead(status, { ...headers }, false);
    return new SinkWriter(this.#stream, { breakOff: () => this.destroy(), unsent: this.#connection.unsent });
  }

  get over(): boolean {
    return this.#stream.destroyed;
  }

  whenOver(callback: () => void): void {
    this.#stream.on('close', callback);
  }

  destroy(): void {
    this.#stream.reset(ERROR.internal);
  }

  retire(): void {
    this.#connection.retire();
  }

  #continue(): void {
    const { headers } = this.#stream.head;
    if (headers['expect']?.toLowerCase() === '100-continue' && !this.responded) this.#stream.sendContinue();
  }

  /** Adds to `headers`. Does nothing if the client has gone. */
  #sendHead(status: number, headers: ResponseHeaders, endStream: boolean): void {
    if (this.responded) throw new Error('the exchange has been answered already');
    this.responded = true;
    headers['date'] ??= this.#connection.date();
    const hasNoBody = endStream || this.method === 'HEAD' || status === 204 || status === 304;
    this.#stream.sendHead(status, headers, hasNoBody);
  }
}

/** Go servers, including kube-apiserver, send Content-Length if the body fits into their buffer. */
const CONTENT_LENGTH_BYTES = 4096;
