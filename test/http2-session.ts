// A session that serves one connection, with a client at its other end, for tests of src/http2.

import type { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { FrameBuffers } from '../src/http2/frame-buffers.ts';
import { ServerSession } from '../src/http2/session.ts';
import type { SessionLimits } from '../src/http2/session-options.ts';
import type { ServerStream } from '../src/http2/stream.ts';
import { frames, Http2Client, preface } from './http2-client.ts';

export const sessionLimits: SessionLimits = {
  streams: 100,
  headerBytes: 16_384,
  headerFields: 100,
  streamWindowBytes: 100_000,
  connectionWindowBytes: 200_000,
  resetsBurst: 20,
  resetsPerSecond: 1,
  idleFramesBurst: 5_000,
  idleFramesPerSecond: 100,
  backlogBytes: 100_000,
};

export interface ServingOptions {
  readonly limits?: Partial<SessionLimits>;
  readonly now?: () => number;
  /** The client's initial settings. */
  readonly settings?: readonly (readonly [number, number])[];
  readonly onStream?: (stream: ServerStream) => void;
  readonly lasting?: readonly string[];
}

export class Serving implements AsyncDisposable {
  readonly client: Http2Client;
  readonly session: ServerSession;
  /** The server's end of the connection. */
  readonly socket: Socket;
  readonly streams: ServerStream[] = [];
  readonly failures: unknown[] = [];
  readonly #server: Server;

  constructor(server: Server, [socket, client]: [Socket, Http2Client], options: ServingOptions) {
    this.#server = server;
    this.client = client;
    this.socket = socket.on('error', () => {});
    this.session = new ServerSession({
      socket,
      limits: { ...sessionLimits, ...options.limits },
      now: options.now ?? (() => 0),
      lastingHeaders: new Set(options.lasting),
      frameBuffers: new FrameBuffers(),
      onStream: (stream) => {
        this.streams.push(stream);
        options.onStream?.(stream);
      },
      onFailure: (error) => this.failures.push(error),
    });
  }

  /** Both ends, before the client has sent anything. */
  static async silent(options: ServingOptions = {}): Promise<Serving> {
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted = once(server, 'connection');
    const client = await Http2Client.connect((server.address() as { port: number }).port);
    return new Serving(server, [(await accepted)[0], client], options);
  }

  /** Both ends, after the exchange of settings. */
  static async start(options: ServingOptions = {}): Promise<Serving> {
    const serving = await Serving.silent(options);
    serving.client.send(preface, frames.settings(...(options.settings ?? [])));
    await serving.client.settled();
    return serving;
  }

  /** Returns the stream of the next request. */
  async stream(): Promise<ServerStream> {
    const before = this.streams.length;
    await this.client.settled();
    return this.streams[before]!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.session.destroy();
    this.client.socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Reads the body of a request and leaves it to the test to acknowledge each chunk. */
export class HeldBody {
  readonly pieces: Buffer[] = [];
  readonly events: string[] = [];

  piece(bytes: Buffer): void {
    this.pieces.push(bytes);
  }

  end(): void {
    this.events.push('end');
  }

  cut(): void {
    this.events.push('cut');
  }
}
