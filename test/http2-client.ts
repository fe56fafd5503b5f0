// An HTTP/2 client that sends arbitrary frames, valid or not, and returns the received frames one by one.

import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { FLAG, FRAME, PREFACE } from '../src/http2/protocol.ts';
import { writeSettings } from '../src/http2/settings.ts';

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export type Field = readonly [name: string, value: string];

export const requestFields: readonly Field[] = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':path', '/'],
  [':authority', 'x'],
];
export const uploadFields: readonly Field[] = [[':method', 'POST'], ...requestFields.slice(1)];

export const preface = Buffer.from(PREFACE);

export function frame(type: number, flags: number, stream: number, payload: Buffer | string = ''): Buffer {
  const bytes = Buffer.from(payload as string);
  const head = Buffer.alloc(9);
  head.writeUIntBE(bytes.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, bytes]);
}

/** A header block without compression. */
export function block(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

function text(value: string): Buffer {
  const length = value.length < 127 ? [value.length] : [127, ...continued(value.length - 127)];
  return Buffer.concat([Buffer.from(length), Buffer.from(value, 'latin1')]);
}

/** Encodes the part of an integer that does not fit into its first byte (RFC 7541, 5.1). */
export function continued(rest: number): number[] {
  return rest < 128 ? [rest] : [(rest & 127) | 128, ...continued(rest >>> 7)];
}

/** Builders for frames. */
export const frames = {
  settings: (...settings: readonly (readonly [number, number])[]) =>
    frame(FRAME.settings, 0, 0, writeSettings(settings)),
  /** A whole request without a body. */
  get: (stream: number, fields = requestFields) =>
    frame(FRAME.headers, FLAG.endHeaders | FLAG.endStream, stream, block(fields)),
  /** The headers of a request whose body follows. */
  post: (stream: number, ...more: readonly Field[]) =>
    frame(FRAME.headers, FLAG.endHeaders, stream, block([...uploadFields, ...more])),
  data: (stream: number, payload: Buffer | string, flags = 0) => frame(FRAME.data, flags, stream, payload),
  lastData: (stream: number, payload: Buffer | string = '') => frame(FRAME.data, FLAG.endStream, stream, payload),
  reset: (stream: number, code = 8) => frame(FRAME.reset, 0, stream, number(code)),
  window: (stream: number, bytes: number) => frame(FRAME.windowUpdate, 0, stream, number(bytes)),
  ping: (payload = 'pingpong') => frame(FRAME.ping, 0, 0, payload),
};

export function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const FRAME_NAMES = Object.keys(FRAME);
const ERROR_NAMES = [
  'none',
  'protocol',
  'internal',
  'flowControl',
  'settingsTimeout',
  'streamClosed',
  'frameSize',
  'refusedStream',
  'cancel',
  'compression',
  'connect',
  'enhanceYourCalm',
];

/** A short description of a frame: `reset 1 cancel`, `data 3 10 end`, `windowUpdate 0 500`, `goAway 5 none`. */
export function words({ type, flags, stream, payload }: Frame): string {
  const name = FRAME_NAMES[type];
  const isLast = (flags & FLAG.endStream) !== 0;
  if (type === FRAME.goAway) return `goAway ${payload.readUInt32BE(0)} ${ERROR_NAMES[payload.readUInt32BE(4)]}`;
  if (type === FRAME.reset) return `reset ${stream} ${ERROR_NAMES[payload.readUInt32BE(0)]}`;
  if (type === FRAME.windowUpdate) return `windowUpdate ${stream} ${payload.readUInt32BE(0)}`;
  if (type === FRAME.data) return `data ${stream} ${payload.length}${isLast ? ' end' : ''}`;
  if (type === FRAME.settings || type === FRAME.ping) return `${name}${isLast ? ' ack' : ''}`;
  return `${name} ${stream}${type === FRAME.headers && isLast ? ' end' : ''}`;
}

export class Http2Client {
  readonly socket: Socket;
  /** Frames received but not yet taken. */
  #frames: Frame[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #wake: () => void = () => {};
  #over = false;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', () => {});
    socket.on('end', () => this.#end());
    socket.on('close', () => this.#end());
  }

  static async connect(port: number): Promise<Http2Client> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    await once(socket, 'connect');
    return new Http2Client(socket);
  }

  send(...bytes: readonly Buffer[]): void {
    this.socket.write(Buffer.concat(bytes));
  }

  /** Returns the next frame; undefined if the connection has ended. */
  async next(): Promise<Frame | undefined> {
    while (this.#frames.length === 0) {
      if (this.#over) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#frames.shift();
  }

  /** Returns all frames up to and including the first that matches. */
  async until(is: (frame: Frame) => boolean): Promise<Frame[]> {
    const seen: Frame[] = [];
    for (;;) {
      const next = await this.next();
      assert.ok(next !== undefined, `the connection ended after ${seen.slice(-9).map(words).join(', ')}`);
      seen.push(next);
      if (is(next)) return seen;
    }
  }

  /** Returns the frames before the response to a PING: the immediate effects of everything sent so far. */
  async settled(): Promise<string[]> {
    this.send(frames.ping('settled?'));
    const seen = await this.until(
      ({ type, payload }) => type === FRAME.ping && payload.equals(Buffer.from('settled?')),
    );
    return seen.slice(0, -1).map(words);
  }

  /** Returns the frames until the connection ends. */
  async rest(): Promise<string[]> {
    const seen: string[] = [];
    for (let next = await this.next(); next !== undefined; next = await this.next()) seen.push(words(next));
    return seen;
  }

  /** Returns the whole body received on a stream. */
  async body(stream: number): Promise<Buffer> {
    const seen = await this.until((one) => one.stream === stream && one.type < 2 && (one.flags & FLAG.endStream) !== 0);
    return Buffer.concat(
      seen.filter((one) => one.stream === stream && one.type === FRAME.data).map((one) => one.payload),
    );
  }

  #read(chunk: Buffer): void {
    let bytes = Buffer.concat([this.#rest, chunk]);
    while (bytes.length >= 9 && bytes.length >= 9 + bytes.readUIntBE(0, 3)) {
      const end = 9 + bytes.readUIntBE(0, 3);
      const stream = bytes.readUInt32BE(5);
      this.#frames.push({ type: bytes[3]!, flags: bytes[4]!, stream, payload: bytes.subarray(9, end) });
      bytes = bytes.subarray(end);
    }
    this.#rest = bytes;
    this.#wake();
  }

  #end(): void {
    this.#over = true;
    this.#wake();
  }
}
