// An exchange over HTTP/1.1, on node:http's request and response; with Upgrade, over the raw socket behind them.

import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import type { Connection } from './connection.ts';
import { nodeHttp } from './node-modules.ts';
import { readBody } from './request-body.ts';
import { type Sink, SinkWriter } from './sink-writer.ts';
import type {
  BodyWriter,
  HttpExchange,
  PeerCertificate,
  RequestHeaders,
  ResponseHeaders,
  Upgraded,
} from './transport.ts';
import type { UnsentBytes, Waiting } from './unsent-bytes.ts';

interface Http1Timeouts {
  readonly bodyTimeoutMs: number;
  /** How long the rest of a request body is read and discarded after an early response. */
  readonly lingerMs: number;
}

export interface Http1RequestInit {
  readonly request: IncomingMessage;
  /** The request target in origin form. */
  readonly target: string;
  readonly connection: Connection;
  readonly timeouts: Http1Timeouts;
}

interface Http1ExchangeInit extends Http1RequestInit {
  readonly response: ServerResponse;
}

export class Http1Exchange implements HttpExchange {
  readonly target: string;
  responded = false;
  /** The connection closes after the response. */
  protected closing = false;
  /** The client waits for '100 Continue' before it sends the body. */
  #awaitsContinue: boolean;
  /** Another reader consumes the body. */
  #passedOn = false;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #connection: Connection;
  readonly #timeouts: Http1Timeouts;
  #aborter: AbortController | undefined;

  constructor(init: Http1ExchangeInit, awaitsContinue = false) {
    this.target = init.target;
    this.#awaitsContinue = awaitsContinue;
    this.#request = init.request;
    this.#response = init.response;
    this.#connection = init.connection;
    this.#timeouts = init.timeouts;
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  get headers(): RequestHeaders {
    return this.#request.headers as RequestHeaders;
  }

  headerValues(name: string): readonly string[] {
    return this.#request.headersDistinct[name] ?? [];
  }

  get protocol(): string {
    return `HTTP/${this.#request.httpVersion}`;
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
      if (this.#response.destroyed || this.#connection.socket.destroyed) aborter.abort();
      else this.#response.once('close', () => aborter.abort());
    }
    return this.#aborter.signal;
  }

  bodyStream(): Readable | undefined {
    const { headers } = this.#request;
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return undefined;
    this.#passedOn = true;
    this.#continue();
    return this.#request;
  }

  body(maxBytes: number): Promise<Buffer> {
    const request = this.#request;
    const declaredBytes = Number(request.headers['content-length'] ?? 0);
    if (declaredBytes <= maxBytes) this.#continue();
    return readBody({
      stream: request,
      contentLength: request.headers['content-length'],
      aborted: () => !request.complete,
      maxBytes,
      clock: this.#connection.clock,
      timeoutMs: this.#timeouts.bodyTimeoutMs,
    });
  }

  respond(status: number, headers: ResponseHeaders, body: Buffer | string | undefined): void {
    const head: ResponseHeaders = { ...headers };
    const bytes = body === undefined ? 0 : Buffer.byteLength(body);
    const mayHaveBody = status !== 204 && status !== 304 && (bytes > 0 || this.method !== 'HEAD');
    if (bytes <= CONTENT_LENGTH_BYTES && mayHaveBody) head['content-length'] ??= bytes;
    this.#sendHead(status, head);
    this.#response.end(body);
    if (body !== undefined && body.length > COUNTED_FROM_BYTES) this.#countWhole(body.length);
  }

  stream(status: number, headers: ResponseHeaders): BodyWriter {
    this.#sendHead(status, { ...headers });
    if (!this.#response.destroyed) this.#response.flushHeaders();
    const { unsent } = this.#connection;
    const sink = new CountedResponse(this.#response, unsent, () => this.destroy());
    return new SinkWriter(sink, { breakOff: () => this.destroy(), unsent });
  }

  get over(): boolean {
    return this.#response.destroyed || this.#connection.socket.destroyed;
  }

  whenOver(callback: () => void): void {
    this.#response.once('close', callback);
  }

  destroy(): void {
    this.#connection.socket.destroy();
  }

  #countWhole(bytes: number): void {
    const { unsent } = this.#connection;
    const waiting = { cutOff: () => this.destroy() };
    this.#response.once('close', () => unsent.report(waiting, 0));
    unsent.report(waiting, bytes);
  }

  retire(): void {
    this.#connection.retiring = true;
  }

  #continue(): void {
    if (!this.#awaitsContinue || this.responded) return;
    this.#awaitsContinue = false;
    this.#response.writeContinue();
  }

  #sendHead(status: number, head: ResponseHeaders): void {
    if (this.responded) throw new Error('the exchange has been answered already');
    // Without '100 Continue' it is unknown whether a body follows, so the connection cannot be reused.
    if (this.#connection.retiring || this.#awaitsContinue || this.closing) head['connection'] = 'close';
    else this.#tellPersistence(head);
    this.#response.writeHead(status, head as Record<string, string | number | string[]>);
    this.responded = true;
    this.#discardRest();
  }

  /** The default of the client's HTTP version is not stated: keep-alive in 1.1, close in 1.0. */
  #tellPersistence(head: ResponseHeaders): void {
    const { shouldKeepAlive } = this.#response;
    if (shouldKeepAlive === (this.#request.httpVersion !== '1.0')) this.#response.removeHeader('connection');
    else head['connection'] = shouldKeepAlive ? 'keep-alive' : 'close';
  }

  /**
   * The client may still be sending a body that nobody reads. Closing immediately would reset the connection and lose
   * the response, so the rest is discarded for a while.
   */
  #discardRest(): void {
    const request = this.#request;
    const { headers, complete } = request;
    if (this.#passedOn || complete) return;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
    request.resume();
    const timer = this.#connection.clock.after(this.#timeouts.lingerMs, () => this.destroy());
    request.once('end', () => timer.cancel()).once('close', () => timer.cancel());
  }
}

/** Go servers, including kube-apiserver, send Content-Length if the body fits into their buffer; others are chunked. */
const CONTENT_LENGTH_BYTES = 2048;

/** Smaller bodies are not worth tracking: a connection has only one at a time. */
const COUNTED_FROM_BYTES = 64 * 1024;

/** A response that reports its unsent bytes. */
class CountedResponse implements Sink, Waiting {
  readonly #response: ServerResponse;
  readonly #unsent: UnsentBytes;
  readonly cutOff: () => void;

  constructor(response: ServerResponse, unsent: UnsentBytes, cutOff: () => void) {
    this.#response = response;
    this.#unsent = unsent;
    this.cutOff = cutOff;
    response.on('drain', () => this.#report());
    response.once('close', () => unsent.report(this, 0));
  }

  get destroyed(): boolean {
    return this.#response.destroyed;
  }

  get writableLength(): number {
    return this.#response.writableLength;
  }

  get writableNeedDrain(): boolean {
    return this.#response.writableNeedDrain;
  }

  on(event: 'drain' | 'close', listener: () => void): void {
    this.#response.on(event, listener);
  }

  write(piece: Buffer): boolean {
    const taken = this.#response.write(piece);
    if (!taken) this.#report();
    return taken;
  }

  end(piece?: Buffer): void {
    this.#response.end(piece);
    if (piece !== undefined && piece.length > COUNTED_FROM_BYTES) this.#report();
  }

  #report(): void {
    if (!this.destroyed) this.#unsent.report(this, this.writableLength);
  }
}

/** The arguments of node:http's 'upgrade' event. */
interface RawConnection {
  /** The raw bytes in both directions. */
  readonly socket: Duplex;
  /** Bytes after the request that have already been read. */
  readonly head: Buffer;
  /** Returns the connection to HTTP, including `head`. */
  readonly serveOn: () => void;
}

/**
 * An exchange whose request asked for a protocol upgrade. A connection whose upgrade was rejected serves the next
 * request, as with Go's server.
 */
export class Http1UpgradeExchange extends Http1Exchange {
  readonly #raw: RawConnection;
  readonly #unsent: UnsentBytes;
  readonly #response: ServerResponse;

  constructor(init: Http1RequestInit, raw: RawConnection) {
    const { request, connection } = init;
    const socket = raw.socket as Socket;
    const response = new (nodeHttp().ServerResponse)(request);
    response.assignSocket(socket);
    super({ ...init, response });
    this.closing = !mayPersist(request);
    response.once('finish', () => {
      response.detachSocket(socket);
      if (this.closing || connection.retiring || socket.destroyed) socket.end();
      else raw.serveOn();
      closeDetached(response);
    });
    this.#raw = raw;
    this.#unsent = connection.unsent;
    this.#response = response;
  }

  upgrade(): Upgraded {
    if (this.responded) throw new Error('the exchange has been answered already');
    this.responded = true;
    const { socket, head } = this.#raw;
    this.#response.detachSocket(socket as Socket);
    socket.once('close', () => closeDetached(this.#response));
    return { socket, head, unsent: this.#unsent };
  }
}

/** Reports the end of a response without a socket, which node:http does not. */
function closeDetached(response: ServerResponse): void {
  response.destroyed = true;
  response.emit('close');
}

/** Whether another request may follow on the connection after a rejected upgrade; a body, if any, has not been read. */
function mayPersist({ httpVersion, headers }: IncomingMessage): boolean {
  if (httpVersion !== '1.1' || headers['transfer-encoding'] !== undefined) return false;
  if (Number(headers['content-length'] ?? 0) > 0) return false;
  return !(headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .some((option) => option.trim() === 'close');
}
