// Interface between sockets and the server: a request and its response, independent of node:http and HTTP/2. The
// listeners and server.fetch() implement it; everything behind them only uses this.

import type { Buffer } from 'node:buffer';
import type { Duplex, Readable } from 'node:stream';
import type { UnsentBytes } from './unsent-bytes.ts';

/** Header names are in lower case. A repeated header has its first value, or all of them if it is a list. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

export type ResponseHeaders = Record<string, string | number | readonly string[]>;

/** The client's certificate, if TLS verified one against the client CA. */
export interface PeerCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** UID attributes of the subject; more than one value is not a UID. */
  readonly uids?: readonly string[];
  /** SHA-256 of the DER bytes, in hex. */
  readonly fingerprint: string;
  /** End of validity, in milliseconds since the Unix epoch. */
  readonly notAfterMs: number;
}

export interface HttpExchange {
  readonly method: string;
  /** Path and query as in the request line. */
  readonly target: string;
  readonly headers: RequestHeaders;
  /** The separate values of a repeated header, for headers whose values may contain commas; absent if unknown. */
  headerValues?(name: string): readonly string[];
  /** `HTTP/1.1` or `HTTP/2.0`. */
  readonly protocol: string;
  readonly remoteAddress: string;
  /** Whether it was read from a connection, which may have waited for the event loop. */
  readonly isRead?: boolean;
  readonly peerCertificate: PeerCertificate | undefined;
  /** Whether the client presented a certificate that the client CA did not issue, or that has expired. */
  readonly peerCertificateInvalid?: boolean;
  /** The common name of a certificate issued by an authority for front proxies. */
  readonly proxyName?: string | undefined;
  /** Aborted when the client goes away or the server ends the exchange. */
  readonly signal: AbortSignal;
  /** The whole body; rejects with BodyTooLargeError above `maxBytes` and with BodyAbortedError if it is truncated. */
  body(maxBytes: number): Promise<Buffer>;
  /**
   * The body as a stream instead of `body()`, for forwarding; must be read to its end. Undefined if there is no body.
   */
  bodyStream(): Readable | undefined;
  /** Whether at least the head of a response has been sent. */
  readonly responded: boolean;
  /** Whether nothing more has to be sent: the response is complete or the exchange was aborted. */
  readonly over: boolean;
  /** Calls back when it has ended, unless it already has. */
  whenOver(callback: () => void): void;
  /** Aborts the exchange so that the client notices that the response is incomplete. */
  destroy(): void;
  /** Sends head and complete body. */
  respond(status: number, headers: ResponseHeaders, body: Buffer | string | undefined): void;
  /** Sends the head; the body follows in chunks. */
  stream(status: number, headers: ResponseHeaders): BodyWriter;
  /** Asks the client to reconnect for its next request: GOAWAY, or `Connection: close`. Absent without a connection. */
  retire?(): void;
  /** HTTP/1.1 only: takes over the raw socket after an Upgrade request; undefined if there is none. */
  upgrade?(): Upgraded;
}

export interface Upgraded {
  readonly socket: Duplex;
  readonly head: Buffer;
  /** Where to report unsent bytes. */
  readonly unsent: UnsentBytes;
}

export interface BodyWriter {
  /** Writes a chunk; false means that the client is slow: wait for `drained()` before the next one. */
  write(piece: Buffer): boolean;
  /** Resolves when more can be written; rejects when the client has gone. */
  drained(): Promise<void>;
  /** True: written chunks may be reused when `write` has returned true or `drained()` has resolved. */
  readonly freesPieces?: boolean;
  /** Calls back when more can be written, once for each `write` that returned false. */
  onDrain(callback: () => void): void;
  /** Written bytes that the client has not read yet. */
  readonly bufferedBytes: number;
  /** Whether much is unsent for this client or in total: writers that can wait should. */
  readonly crowded?: boolean;
  end(piece?: Buffer): void;
  /** Aborts the body, so that the client notices that it is incomplete. */
  destroy(): void;
  readonly closed: boolean;
}

export class BodyTooLargeError extends Error {
  override name = 'BodyTooLargeError';
}

export class BodyAbortedError extends Error {
  override name = 'BodyAbortedError';
}

export function clientGone(): BodyAbortedError {
  return new BodyAbortedError('the client has gone');
}

/** A body whose framing is malformed. */
export class MalformedBodyError extends Error {
  override name = 'MalformedBodyError';
}

/** A body that did not arrive in time. */
export class BodyTooSlowError extends BodyAbortedError {
  override name = 'BodyTooSlowError';
}
