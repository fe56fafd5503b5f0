// Handling of new requests during shutdown: with --shutdown-send-retry-after they are asked to retry elsewhere until
// those in flight have been served.

import type { HttpExchange, ResponseHeaders } from '../exchange/transport.ts';

/** Served until the end. */
const EXEMPT_PATHS = ['/readyz', '/livez', '/healthz', '/metrics'];
const EXEMPT_AGENT = 'kube-apiserver/';
const TEXT: ResponseHeaders = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };

export class ShutdownGate {
  #isClosed = false;
  #open = 0;
  #admitted = 0;
  #whenEmpty: (() => void) | undefined;

  /** The requests in flight. */
  get open(): number {
    return this.#open;
  }

  /** All requests so far. */
  get admitted(): number {
    return this.#admitted;
  }

  /** Closes the gate; resolves when the requests in flight have been served. */
  close(): Promise<void> {
    this.#isClosed = true;
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenEmpty = resolve;
    });
  }

  /** @returns false for a request that was asked to retry; admitted requests must call leave */
  enter(exchange: HttpExchange): boolean {
    if (this.#isClosed && !isExempt(exchange)) {
      exchange.retire?.();
      const headers = { ...TEXT, 'retry-after': '5' };
      exchange.respond(429, headers, 'The apiserver is shutting down, please try again later.\n');
      return false;
    }
    this.#open++;
    this.#admitted++;
    return true;
  }

  leave(): void {
    if (--this.#open === 0) this.#whenEmpty?.();
  }
}

function isExempt({ target, headers }: HttpExchange): boolean {
  return (
    EXEMPT_PATHS.some((path) => target.startsWith(path)) || headers['user-agent']?.startsWith(EXEMPT_AGENT) === true
  );
}
