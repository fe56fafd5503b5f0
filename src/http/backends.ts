// Interface for connecting to a kubelet, a pod or a service on a client's behalf: one HTTP request whose bodies are
// streams. The composition root hands in who sends it.

import type { Buffer } from 'node:buffer';
import type { Duplex, Readable } from 'node:stream';
import type { BackendLocation } from '../verbs/connect-location.ts';

interface BackendRequest extends Pick<BackendLocation, 'scheme' | 'host' | 'port' | 'kubelet' | 'globalOnly' | 'tls'> {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Readable | undefined;
  /** Ends the exchange, also once it has been answered. */
  readonly signal: AbortSignal;
}

export interface BackendResponse {
  readonly status: number;
  readonly statusText: string;
  /** Names as they came, values not joined: name, value, name, value … */
  readonly rawHeaders: readonly string[];
  readonly body: Readable;
  /** There when the backend changed protocols (101). */
  readonly upgraded: { readonly socket: Duplex; readonly head: Buffer } | undefined;
}

export interface Backends {
  /** Resolves with the head of the answer; rejects with an Error whose message is meant for the client. */
  call(request: BackendRequest): Promise<BackendResponse>;
}
