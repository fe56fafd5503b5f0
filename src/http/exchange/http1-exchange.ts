// An exchange over HTTP/1.1, on one request of a connection.

import type { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import { SeparateValues } from '../../base/header-values.ts';
import { ChunkError } from '../../http1/chunks.ts';
import type { ServerRequest } from '../../http1/connection.ts';
import type { ServerResponse } from '../../http1/response.ts';
import type { Connection } from './connection.ts';
import { readBody } from './request-body.ts';
import { type Sink, SinkWriter } from './sink-writer.ts';
import {
  type BodyWriter,
  type HttpExchange,
  MalformedBodyError,
  type PeerCertificate,
  type RequestHeaders,
  type ResponseHeaders,
  type Upgraded,
} from './transport.ts';
import type { UnsentBytes, Waiting } from './unsent-bytes.ts';

export class Http1Exchange implements HttpExchange {
  responded = false;
  readonly isRead = true;
  /** Hands the raw connection over; only for requests that ask for another protocol. */
  readonly upgrade?: () => Upgraded;
  /** Another reader consumes the body. */
  #passedOn = false;
  readonly #request: ServerRequest;
  readonly #response: ServerResponse;
  readonly #connection: Connection;
  readonly #bodyTimeoutMs: number;
  #aborter: AbortController | undefined;
  #values: SeparateValues | undefined;

  constructor(request: ServerRequest, connection: Connection, bodyTimeoutMs: number) {
    this.#request = request;
    this.#response = request.response;
    this.#connection = connection;
    this.#bodyTimeoutMs = bodyTimeoutMs;
    if ((request.head.headers['upgrade'] ?? '') !== '') this.upgrade = () => this.#upgrade();
  }

  get method(): string {
    return this.#request.head.method;
  }

  get target(): string {
    return this.#request.head.path;
  }

  get headers(): RequestHeaders {
    return this.#request.head.headers;
  }

  headerValues(name: string): readonly string[] {
    this.#values ??= new SeparateValues(this.#request.head.fields);
    return this.#values.of(name);
  }

  get protocol(): string {
    return `HTTP/${this.#request.head.version}`;
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
      if (this.over) aborter.abort();
      else {
        const abort = () => aborter.abort();
        this.#response.on('gone', abort);
        this.#response.on('close', abort);
      }
    }
    return this.#aborter.signal;
  }

  bodyStream(): Readable | undefined {
    const { body } = this.#request;
    if (body === undefined) return undefined;
    this.#passedOn = true;
    this.#continue();
    return body;
  }

  async body(maxBytes: number): Promise<Buffer> {
    const { body, head } = this.#request;
    if (Number(head.body) <= maxBytes || head.body === 'chunked') this.#continue();
    try {
      return await readBody({
        stream: body,
        length: head.body === 'chunked' ? undefined : head.body,
        maxBytes,
        clock: this.#connection.clock,
        timeoutMs: this.#bodyTimeoutMs,
      });
    } catch (error) {
      if (body?.errored instanceof ChunkError) throw new MalformedBodyError(body.errored.message);
      throw error;
    }
  }

  respond(status: number, headers: ResponseHeaders, body: Buffer | string | undefined): void {
    this.#begin();
    this.#response.respond(status, headers, body);
    if (body !== undefined && body.length > COUNTED_FROM_BYTES) this.#countWhole(body.length);
  }

  stream(status: number, headers: ResponseHeaders): BodyWriter {
    this.#begin();
    this.#response.begin(status, headers);
    const { unsent } = this.#connection;
    const sink = new CountedResponse(this.#response, unsent, () => this.destroy());
    return new SinkWriter(sink, { breakOff: () => this.destroy(), unsent });
  }

  get over(): boolean {
    return this.#response.destroyed || this.#connection.socket.destroyed;
  }

  whenOver(callback: () => void): void {
    this.#response.on('close', callback);
  }

  destroy(): void {
    this.#connection.socket.destroy();
  }

  retire(): void {
    this.#connection.retiring = true;
  }

  #countWhole(bytes: number): void {
    const { unsent } = this.#connection;
    const waiting = { cutOff: () => this.destroy() };
    this.#response.on('close', () => unsent.report(waiting, 0));
    if (!this.#response.destroyed) unsent.report(waiting, bytes);
  }

  #continue(): void {
    const { body } = this.#request;
    if (body === undefined || !body.awaitsContinue || this.responded) return;
    body.awaitsContinue = false;
    this.#response.sendContinue();
  }

  /** What the client still sends of a body that nobody reads is discarded. */
  #begin(): void {
    if (this.responded) throw new Error('the exchange has been answered already');
    this.responded = true;
    if (!this.#passedOn) this.#request.body?.resume();
  }

  #upgrade(): Upgraded {
    if (this.responded) throw new Error('the exchange has been answered already');
    this.responded = true;
    return { ...this.#request.takeOver(), unsent: this.#connection.unsent };
  }
}

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
    response.on('close', () => unsent.report(this, 0));
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
