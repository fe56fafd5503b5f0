// Interface for connecting to a kubelet, a pod or a service on behalf of a client: one HTTP request with streamed
// bodies. The composition root supplies the implementation.

import type { Buffer } from 'node:buffer';
import type { Duplex, Readable } from 'node:stream';
import type { BackendLocation } from '../../verbs/connect-location.ts';

interface BackendRequest extends Pick<BackendLocation, 'scheme' | 'host' | 'port' | 'kubelet' | 'globalOnly' | 'tls'> {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Readable | undefined;
  /** The body's Content-Length, which must not be among the headers; without it the body is sent in chunks. */
  readonly bodyBytes?: string | undefined;
  /** Ends the exchange, even after the response has begun. */
  readonly signal: AbortSignal;
}

export interface BackendResponse {
  readonly status: number;
  readonly statusText: string;
  /** Names and values in their original order, not joined: name, value, name, value … */
  readonly rawHeaders: readonly string[];
  readonly body: Readable;
  /** Defined if the backend switched protocols (101). */
  readonly upgraded: { readonly socket: Duplex; readonly head: Buffer } | undefined;
}

export interface Backends {
  /** Resolves with the head of the response; rejects with an Error whose message may be sent to the client. */
  call(request: BackendRequest): Promise<BackendResponse>;
}
