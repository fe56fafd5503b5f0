// The seam between sockets and the server: one request and its response, without node:http or node:http2 in sight.
// The HTTP/1.1 and HTTP/2 listeners and server.fetch() implement it; everything behind it knows only this.

import type { Buffer } from 'node:buffer';
import type { Duplex, Readable } from 'node:stream';
import type { UnsentBytes } from './unsent-bytes.ts';

/** Header names are in lower case. A header given several times is joined by ', ' (as node:http does). */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

export type ResponseHeaders = Record<string, string | number | readonly string[]>;

/** The client's certificate when TLS verified one against the client CA. */
export interface PeerCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** What the subject tells of the user's uid; more than one value is not one. */
  readonly uids?: readonly string[];
  /** The DER bytes' SHA-256, in hex. */
  readonly fingerprint: string;
  /** Until when it is good, in milliseconds since the Unix epoch. */
  readonly notAfterMs: number;
}

export interface HttpExchange {
  readonly method: string;
  /** The path and query as they stood in the request line. */
  readonly target: string;
  readonly headers: RequestHeaders;
  /** The values of a header each by itself, for headers whose values may hold commas; not there where nobody knows. */
  headerValues?(name: string): readonly string[];
  /** `HTTP/1.1` or `HTTP/2.0`. */
  readonly protocol: string;
  readonly remoteAddress: string;
  readonly peerCertificate: PeerCertificate | undefined;
  /** Whether the client showed a certificate that the client CA does not vouch for, or whose time is over. */
  readonly peerCertificateInvalid?: boolean;
  /** The common name of a certificate that an authority of front proxies vouches for. */
  readonly proxyName?: string | undefined;
  /** Aborted when the client goes away or the server ends the exchange. */
  readonly signal: AbortSignal;
  /** The whole body; rejects with BodyTooLargeError past `maxBytes` and with BodyAbortedError when it is cut short. */
  body(maxBytes: number): Promise<Buffer>;
  /** The body as it comes, in place of `body()`: for who passes it on, and reads it to its end. Undefined: none comes. */
  bodyStream(): Readable | undefined;
  /** Whether the client has been answered, at least its head. */
  readonly responded: boolean;
  /** Whether nothing more of the answer has to leave: it has gone, or the exchange was broken off. */
  readonly over: boolean;
  /** Calls back when it is over, unless it is already. */
  whenOver(callback: () => void): void;
  /** Breaks the exchange off, so that the client sees that nothing whole comes. */
  destroy(): void;
  /** Head and whole body at once. */
  respond(status: number, headers: ResponseHeaders, body: Buffer | string | undefined): void;
  /** Head now, the body in pieces. */
  stream(status: number, headers: ResponseHeaders): BodyWriter;
  /** Makes its client connect anew for what comes next: GOAWAY, or `Connection: close`. Not there without a connection. */
  retire?(): void;
  /** HTTP/1.1 only: takes the raw socket over after an Upgrade request; undefined where there is none. */
  upgrade?(): Upgraded;
}

export interface Upgraded {
  readonly socket: Duplex;
  readonly head: Buffer;
  /** Where to tell what is written and waits for the client. */
  readonly unsent: UnsentBytes;
}

export interface BodyWriter {
  /** Writes a piece; false means that the client is slow: wait for `drained()` before the next. */
  write(piece: Buffer): boolean;
  /** Resolves when more can be written; rejects when the client has gone. */
  drained(): Promise<void>;
  /** True: once `drained()` has resolved, nobody looks at the pieces that were written, and they may be filled again. */
  readonly freesPieces?: boolean;
  /** Calls back when more can be written, once for each `write` that answered false. */
  onDrain(callback: () => void): void;
  /** Bytes written that the client has not taken yet. */
  readonly bufferedBytes: number;
  /** Whether much waits for this client or for all: who can wait with writing should. */
  readonly crowded?: boolean;
  end(piece?: Buffer): void;
  /** Ends the body as broken, so that the client sees that it is not whole. */
  destroy(): void;
  readonly closed: boolean;
}

export class BodyTooLargeError extends Error {
  override name = 'BodyTooLargeError';
}

export class BodyAbortedError extends Error {
  override name = 'BodyAbortedError';
}

/** A body that did not arrive in the time that requests have. */
export class BodyTooSlowError extends BodyAbortedError {
  override name = 'BodyTooSlowError';
}
