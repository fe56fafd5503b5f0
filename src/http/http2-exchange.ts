// An exchange over one HTTP/2 stream, on node:http2's stream API. What is asked for seldom (the abort signal, the
// client's certificate) is made when it is asked for: a plain read must cost little more than the stream itself.

import { Buffer } from 'node:buffer';
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Readable } from 'node:stream';
import type { Connection } from './connection.ts';
import { readBody } from './request-body.ts';
import { type Sink, SinkWriter } from './sink-writer.ts';
import type { BodyWriter, HttpExchange, PeerCertificate, RequestHeaders, ResponseHeaders } from './transport.ts';

const { NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR } = constants;

export interface Http2ExchangeInit {
  readonly stream: ServerHttp2Stream;
  /** As node:http2 gives them, pseudo headers included. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values as they came: name, value, name, value … */
  readonly rawHeaders: readonly string[];
  readonly connection: Connection;
  readonly bodyTimeoutMs: number;
}

export class Http2Exchange implements HttpExchange {
  readonly method: string;
  readonly target: string;
  readonly headers: RequestHeaders;
  responded = false;
  readonly #rawHeaders: readonly string[];
  readonly #stream: ServerHttp2Stream;
  readonly #connection: Connection;
  readonly #bodyTimeoutMs: number;
  #aborter: AbortController | undefined;

  constructor({ stream, headers, rawHeaders, connection, bodyTimeoutMs }: Http2ExchangeInit) {
    this.#rawHeaders = rawHeaders;
    this.#stream = stream;
    this.#connection = connection;
    this.#bodyTimeoutMs = bodyTimeoutMs;
    this.headers = headers as RequestHeaders;
    this.method = this.headers[':method'] ?? '';
    this.target = this.headers[':path'] ?? '';
  }

  headerValues(name: string): readonly string[] {
    return this.#rawHeaders.filter((_, at) => at % 2 === 1 && this.#rawHeaders[at - 1] === name);
  }

  get protocol(): string {
    return 'HTTP/2.0';
  }

  get remoteAddress(): string {
    return this.#connection.remoteAddress;
  }

  get peerCertificate(): PeerCertificate | undefined {
    return this.#connection.peerCertificate;
  }

  get peerCertificateInvalid(): boolean {
    return this.#connection.peerCertificateInvalid;
  }

  get signal(): AbortSignal {
    if (this.#aborter === undefined) {
      const aborter = new AbortController();
      this.#aborter = aborter;
      if (this.#gone) aborter.abort();
      else this.#stream.once('close', () => aborter.abort());
    }
    return this.#aborter.signal;
  }

  bodyStream(): Readable | undefined {
    if (this.#stream.endAfterHeaders) return undefined;
    if (this.headers['expect'] === '100-continue' && !this.#gone) this.#stream.additionalHeaders({ ':status': 100 });
    return this.#stream;
  }

  body(maxBytes: number): Promise<Buffer> {
    const stream = this.#stream;
    const declaredBytes = Number(this.headers['content-length'] ?? 0);
    if (this.headers['expect'] === '100-continue' && !this.#gone && !stream.headersSent && declaredBytes <= maxBytes) {
      stream.additionalHeaders({ ':status': 100 });
    }
    return readBody({
      stream,
      contentLength: this.headers['content-length'],
      // Once our side has ended, only the code tells of a reset.
      aborted: () => stream.aborted || stream.rstCode !== NGHTTP2_NO_ERROR,
      maxBytes,
      clock: this.#connection.clock,
      timeoutMs: this.#bodyTimeoutMs,
    });
  }

  respond(status: number, headers: ResponseHeaders, body: Buffer | string | undefined): void {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const head = rawHead(status, headers);
    if (bytes !== undefined) head.push('content-length', String(bytes.length));
    if (!this.#sendHead(head, bytes === undefined)) return;
    if (!this.#stream.writableEnded) this.#stream.end(bytes);
    this.#refuseRest();
  }

  stream(status: number, headers: ResponseHeaders): BodyWriter {
    if (this.#sendHead(rawHead(status, headers), false)) this.#refuseRest();
    return new SinkWriter(this.#stream as Sink, () => this.destroy());
  }

  /** Breaks the exchange off, so that the client sees that nothing whole comes. */
  destroy(): void {
    this.#stream.close(NGHTTP2_INTERNAL_ERROR);
  }

  get #gone(): boolean {
    return this.#stream.destroyed || this.#stream.closed;
  }

  /** Says whether the head went out: a stream that the client has closed takes no answer. */
  #sendHead(head: readonly string[], endStream: boolean): boolean {
    if (this.responded) throw new Error('the exchange has been answered already');
    if (!this.#gone) this.#stream.respond(head, { endStream });
    this.responded = true;
    return !this.#gone;
  }

  /** A client that was answered before its body was read is told, after the answer, to send no more (RFC 9113, 8.1). */
  #refuseRest(): void {
    const stream = this.#stream;
    if (stream.endAfterHeaders || stream.readableEnded) return;
    // A reset overtakes, and so cancels, frames that are still queued: they go out at the end of this turn.
    const stop = () =>
      setImmediate(() => {
        if (!stream.readableEnded) stream.close(NGHTTP2_NO_ERROR);
      });
    if (stream.writableFinished) stop();
    else stream.once('finish', stop);
  }
}

/** Names and values in turn, the form that node:http2 sends on without making a copy. */
function rawHead(status: number, headers: ResponseHeaders): string[] {
  const head = [':status', String(status)];
  for (const name in headers) {
    const value = headers[name]!;
    if (typeof value !== 'object') head.push(name, String(value));
    else for (const each of value) head.push(name, each);
  }
  return head;
}
