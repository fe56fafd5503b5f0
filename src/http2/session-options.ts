// What a session is given: its socket, its limits, and whom it tells of requests and failures.

import type { Socket } from 'node:net';
import type { ServerStream } from './stream.ts';

export interface SessionLimits {
  /** Streams that are open at once. */
  readonly streams: number;
  /** Bytes and fields of one request's head. */
  readonly headerBytes: number;
  readonly headerFields: number;
  /** What a client may send of bodies before they are read, on one stream and on all. */
  readonly streamWindowBytes: number;
  readonly connectionWindowBytes: number;
  /** Streams that the client may reset, or make us reset, in a burst and then each second. */
  readonly resetsBurst: number;
  readonly resetsPerSecond: number;
  /** What waits for a client to take it, bodies apart, before no more is read from it. */
  readonly backlogBytes: number;
}

export interface SessionOptions {
  readonly socket: Socket;
  readonly limits: SessionLimits;
  /** Milliseconds. */
  readonly now: () => number;
  /** Names of the headers whose values most answers share. */
  readonly lastingHeaders: ReadonlySet<string>;
  /** Called for each request; it does not throw. */
  readonly onStream: (stream: ServerStream) => void;
  /** Called when what a stream holds for its client, and the client does not take, is more or less than before. */
  readonly onUnsent?: (stream: ServerStream) => void;
  /** The connection is ended: by a ConnectionError the client broke the protocol, by any other error we did. */
  readonly onFailure: (error: unknown) => void;
}
