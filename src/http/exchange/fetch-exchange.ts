// An exchange over a WHATWG Request and Response, so that server.fetch() uses the same handler chain as sockets.

import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { Clock } from '../../base/clock.ts';
import { readBody } from './request-body.ts';
import {
  BodyAbortedError,
  type BodyWriter,
  type HttpExchange,
  type RequestHeaders,
  type ResponseHeaders,
} from './transport.ts';

interface FetchOptions {
  /** Called with the exchange; it responds asynchronously and must not throw. */
  readonly handler: (exchange: HttpExchange) => void;
  readonly clock: Clock;
  readonly bodyTimeoutMs: number;
}

/**
 * Serves one request. Resolves with the head of the response; rejects with the request's abort reason if it is aborted
 * before that. There is no client certificate, so callers use a token.
 */
export function answerFetch(request: Request, options: FetchOptions): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (request.signal.aborted) {
      reject(request.signal.reason);
      return;
    }
    const exchange = new FetchExchange({ request, options, resolve, reject });
    request.signal.addEventListener('abort', () => {
      reject(request.signal.reason);
      exchange.abort();
    });
    options.handler(exchange);
  });
}

/** Bytes that may be buffered for the reader of a response before its writer is asked to pause. */
const HIGH_WATER_BYTES = 64 * 1024;

/** The statuses whose Response must not have a body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

interface FetchExchangeInit {
  readonly request: Request;
  readonly options: FetchOptions;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

class FetchExchange implements HttpExchange {
  readonly method: string;
  readonly target: string;
  readonly headers: RequestHeaders;
  readonly protocol = 'HTTP/1.1';
  readonly remoteAddress = '127.0.0.1';
  readonly peerCertificate = undefined;
  responded = false;
  readonly #init: FetchExchangeInit;
  readonly #aborter = new AbortController();
  #writer: FetchBodyWriter | undefined;
  #whenOver: (() => void) | undefined;

  constructor(init: FetchExchangeInit) {
    const url = new URL(init.request.url);
    this.#init = init;
    this.method = init.request.method;
    this.target = url.pathname + url.search;
    this.headers = Object.fromEntries(init.request.headers);
  }

  get signal(): AbortSignal {
    return this.#aborter.signal;
  }

  abort(): void {
    this.#aborter.abort();
    this.#whenOver?.();
  }

  get over(): boolean {
    return this.signal.aborted || (this.responded && (this.#writer === undefined || this.#writer.closed));
  }

  whenOver(callback: () => void): void {
    this.#whenOver = callback;
  }

  destroy(): void {
    this.abort();
    if (this.responded) return;
    this.responded = true;
    this.#init.reject(new BodyAbortedError('the exchange was broken off'));
  }

  bodyStream(): Readable | undefined {
    const { body } = this.#init.request;
    return body === null ? undefined : Readable.fromWeb(body as NodeReadableStream);
  }

  body(maxBytes: number): Promise<Buffer> {
    const { request, options } = this.#init;
    if (request.body === null) return Promise.resolve(Buffer.alloc(0));
    return readBody({
      stream: Readable.fromWeb(request.body as NodeReadableStream),
      length: this.headers['content-length'] === undefined ? undefined : Number(this.headers['content-length']),
      isCut: () => this.signal.aborted,
      maxBytes,
      clock: options.clock,
      timeoutMs: options.bodyTimeoutMs,
    });
  }

  respond(status: number, headers: ResponseHeaders, body: Buffer | string | undefined): void {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const head = bytes === undefined ? headers : { ...headers, 'content-length': bytes.length };
    this.#answer(status, head, bytes === undefined ? null : new Uint8Array(bytes));
  }

  stream(status: number, headers: ResponseHeaders): BodyWriter {
    const writer = new FetchBodyWriter(this.signal, { leave: () => this.abort(), over: () => this.#whenOver?.() });
    this.#writer = writer;
    this.#answer(status, headers, writer.readable);
    return writer;
  }

  #answer(status: number, headers: ResponseHeaders, body: Uint8Array<ArrayBuffer> | ReadableStream | null): void {
    if (this.responded) throw new Error('the exchange has been answered already');
    const fields = new Headers();
    for (const [name, value] of Object.entries(headers)) {
      for (const each of [value].flat()) fields.append(name, String(each));
    }
    const bodiless = this.method === 'HEAD' || WITHOUT_BODY.has(status);
    this.responded = true;
    // Some responses can only be sent over a connection, such as those with nonstandard codes.
    try {
      this.#init.resolve(new Response(bodiless ? null : body, { status, headers: fields }));
    } catch (error) {
      this.#init.reject(error as Error);
    }
  }
}

class FetchBodyWriter implements BodyWriter {
  readonly readable: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #waiting: { resume: () => void; giveUp?: (error: Error) => void }[] = [];
  #over = false;

  readonly #ended: () => void;

  /** `leave` is called when the reader cancels the response, `over` when nothing more is written. */
  constructor(signal: AbortSignal, { leave, over }: { leave: () => void; over: () => void }) {
    this.#ended = over;
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#resume(),
        cancel: () => {
          this.#giveUp();
          leave();
        },
      },
      { highWaterMark: HIGH_WATER_BYTES, size: (piece) => piece?.byteLength ?? 0 },
    );
    signal.addEventListener('abort', () => this.destroy());
  }

  get closed(): boolean {
    return this.#over;
  }

  get bufferedBytes(): number {
    return this.#over ? 0 : HIGH_WATER_BYTES - (this.#controller.desiredSize ?? 0);
  }

  write(piece: Buffer): boolean {
    if (this.#over) return false;
    // A copy, because the reader may modify it and the chunk may be shared with other readers.
    this.#controller.enqueue(new Uint8Array(piece));
    return (this.#controller.desiredSize ?? 0) > 0;
  }

  drained(): Promise<void> {
    if (this.#over) return Promise.reject(readerGone());
    if ((this.#controller.desiredSize ?? 0) > 0) return Promise.resolve();
    return new Promise((resume, giveUp) => this.#waiting.push({ resume, giveUp }));
  }

  onDrain(callback: () => void): void {
    this.#waiting.push({ resume: callback });
  }

  end(piece?: Buffer): void {
    if (this.#over) return;
    if (piece !== undefined) this.write(piece);
    this.#giveUp();
    this.#controller.close();
  }

  destroy(): void {
    if (this.#over) return;
    this.#giveUp();
    this.#controller.error(new BodyAbortedError('the response was broken off'));
  }

  #resume(): void {
    for (const each of this.#takeWaiting()) each.resume();
  }

  #giveUp(): void {
    if (this.#over) return;
    this.#over = true;
    for (const each of this.#takeWaiting()) each.giveUp?.(readerGone());
    this.#ended();
  }

  #takeWaiting() {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }
}

function readerGone(): BodyAbortedError {
  return new BodyAbortedError('the reader of the response has gone');
}
