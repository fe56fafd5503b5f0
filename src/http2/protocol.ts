// Constants of HTTP/2 (RFC 9113), and the error that ends a connection or a stream.

export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const FLAG = { ack: 0x1, endStream: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

export const SETTING = {
  headerTableBytes: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowBytes: 4,
  maxFrameBytes: 5,
  maxHeaderListBytes: 6,
} as const;

export const ERROR = {
  none: 0x0,
  protocol: 0x1,
  internal: 0x2,
  flowControl: 0x3,
  streamClosed: 0x5,
  frameSize: 0x6,
  refusedStream: 0x7,
  cancel: 0x8,
  compression: 0x9,
  enhanceYourCalm: 0xb,
} as const;

/** The client's preface. */
export const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

export const FRAME_HEAD_BYTES = 9;
/** The default maximum frame size, which we use. */
export const FRAME_BYTES = 16_384;
/** Default windows and table size. */
export const DEFAULT_WINDOW_BYTES = 65_535;
export const DEFAULT_HEADER_TABLE_BYTES = 4_096;
export const LARGEST_WINDOW_BYTES = 0x7fff_ffff;

/** The header of a frame. */
export interface FrameHead {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
}

/** The peer violated the protocol, so that the connection must be closed. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export function protocolError(what: string): ConnectionError {
  return new ConnectionError(ERROR.protocol, what);
}

export function wrongLength(what: string): ConnectionError {
  return new ConnectionError(ERROR.frameSize, `${what} of a wrong length`);
}

export function windowTooLarge(): ConnectionError {
  return new ConnectionError(ERROR.flowControl, 'flow-control window exceeds 2^31-1');
}

const CONNECTION_FRAMES: ReadonlySet<number> = new Set([FRAME.settings, FRAME.ping, FRAME.goAway]);
const STREAM_FRAMES: ReadonlySet<number> = new Set([
  FRAME.data,
  FRAME.headers,
  FRAME.priority,
  FRAME.reset,
  FRAME.continuation,
]);

/** @throws ConnectionError for a connection frame on a stream, or a stream frame on the connection */
export function checkPlace({ type, stream }: FrameHead): void {
  const onConnection = stream === 0;
  if (CONNECTION_FRAMES.has(type) ? !onConnection : onConnection && STREAM_FRAMES.has(type)) {
    throw protocolError(`a frame of type ${type} on stream ${stream}`);
  }
}
