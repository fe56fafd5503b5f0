// Options of a session: its socket, limits, and callbacks.

import type { Socket } from 'node:net';
import type { FrameBuffers } from './frame-buffers.ts';
import type { ServerStream } from './stream.ts';

export interface SessionLimits {
  /** Maximum number of concurrent streams. */
  readonly streams: number;
  /** Bytes and fields of a request's head. */
  readonly headerBytes: number;
  readonly headerFields: number;
  /** Flow-control windows of one stream and of the connection. */
  readonly streamWindowBytes: number;
  readonly connectionWindowBytes: number;
  /** Stream resets by the client, or caused by it, in a burst and then per second. */
  readonly resetsBurst: number;
  readonly resetsPerSecond: number;
  /** Frames that bring no request forward, in a burst and then per second; requests and responses permit more. */
  readonly idleFramesBurst: number;
  readonly idleFramesPerSecond: number;
  /** Unsent bytes, excluding bodies, beyond which the server stops reading. */
  readonly backlogBytes: number;
}

export interface SessionOptions {
  readonly socket: Socket;
  readonly limits: SessionLimits;
  /** Milliseconds. */
  readonly now: () => number;
  /** Shared by all sessions of a listener. */
  readonly frameBuffers: FrameBuffers;
  /** Names of headers whose values most responses share. */
  readonly lastingHeaders: ReadonlySet<string>;
  /** Called for each request; must not throw. */
  readonly onStream: (stream: ServerStream) => void;
  /** Called when the number of unsent bytes of a stream changes. */
  readonly onUnsent?: (stream: ServerStream) => void;
  /**
   * The connection has ended: by a ConnectionError if the client violated the protocol, by any other error on our side.
   */
  readonly onFailure: (error: unknown) => void;
}
