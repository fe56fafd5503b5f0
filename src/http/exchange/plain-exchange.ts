// An exchange over plain values, for requests within the process that need no Request and Response: loading Node's
// implementation of these takes a fresh process longer than its first request.

import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import { tooLarge } from './request-body.ts';
import {
  BodyAbortedError,
  type BodyWriter,
  type HttpExchange,
  type RequestHeaders,
  type ResponseHeaders,
} from './transport.ts';

export interface PlainRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Their names in lower case. */
  readonly headers: RequestHeaders;
  readonly body: Buffer | undefined;
}

export interface PlainAnswer {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
}

/**
 * Serves one request. Resolves with the complete response; rejects with BodyAbortedError if it is broken off. There is
 * no client certificate, so callers use a token.
 */
export function answerPlain(request: PlainRequest, handler: (exchange: HttpExchange) => void): Promise<PlainAnswer> {
  return new Promise((resolve, reject) => handler(new PlainExchange(request, { resolve, reject })));
}

interface Result {
  readonly resolve: (answer: PlainAnswer) => void;
  readonly reject: (error: Error) => void;
}

class PlainExchange implements HttpExchange {
  readonly method: string;
  readonly target: string;
  readonly headers: RequestHeaders;
  readonly protocol = 'HTTP/1.1';
  readonly remoteAddress = '127.0.0.1';
  readonly peerCertificate = undefined;
  responded = false;
  over = false;
  readonly #body: Buffer | undefined;
  readonly #result: Result;
  readonly #aborter = new AbortController();
  #whenOver: (() => void) | undefined;

  constructor({ method, target, headers, body }: PlainRequest, result: Result) {
    this.method = method;
    this.target = target;
    this.headers = headers;
    this.#body = body;
    this.#result = result;
  }

  get signal(): AbortSignal {
    return this.#aborter.signal;
  }

  whenOver(callback: () => void): void {
    this.#whenOver = callback;
  }

  destroy(): void {
    if (this.over) return;
    this.responded = true;
    this.#aborter.abort();
    this.#result.reject(new BodyAbortedError('the exchange was broken off'));
    this.#end();
  }

  bodyStream(): Readable | undefined {
    return this.#body === undefined ? undefined : Readable.from([this.#body]);
  }

  async body(maxBytes: number): Promise<Buffer> {
    const body = this.#body ?? Buffer.alloc(0);
    if (body.length > maxBytes) throw tooLarge(maxBytes);
    return body;
  }

  respond(status: number, headers: ResponseHeaders, body: Buffer | string | undefined): void {
    this.stream(status, headers).end(body === undefined ? undefined : Buffer.from(body as string));
  }

  stream(status: number, headers: ResponseHeaders): BodyWriter {
    if (this.responded) throw new Error('the exchange has been answered already');
    this.responded = true;
    return new PlainBodyWriter({
      end: (pieces) => {
        this.#result.resolve({ status, headers, body: Buffer.concat(this.method === 'HEAD' ? [] : pieces) });
        this.#end();
      },
      destroy: () => this.destroy(),
    });
  }

  #end(): void {
    this.over = true;
    this.#whenOver?.();
  }
}

interface BodyEnd {
  readonly end: (pieces: readonly Buffer[]) => void;
  readonly destroy: () => void;
}

/** Gathers a body whose reader is never slow. */
class PlainBodyWriter implements BodyWriter {
  readonly bufferedBytes = 0;
  closed = false;
  readonly #pieces: Buffer[] = [];
  readonly #exchange: BodyEnd;

  constructor(exchange: BodyEnd) {
    this.#exchange = exchange;
  }

  write(piece: Buffer): boolean {
    // A copy: the chunk may be used again.
    if (!this.closed) this.#pieces.push(Buffer.from(piece));
    return true;
  }

  async drained(): Promise<void> {}

  onDrain(): void {}

  end(piece?: Buffer): void {
    if (this.closed) return;
    if (piece !== undefined) this.write(piece);
    this.closed = true;
    this.#exchange.end(this.#pieces);
  }

  destroy(): void {
    if (this.closed) return;
    this.closed = true;
    this.#exchange.destroy();
  }
}
