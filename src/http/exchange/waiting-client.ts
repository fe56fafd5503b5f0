// A connection whose TLS handshake has not begun: what its client sends first is kept until the handshake's turn comes.

import type { Socket } from 'node:net';
import { type ClientHello, readClientHello } from './client-hello.ts';
import { KeptInput } from './kept-input.ts';

interface WaitingClientInit {
  readonly socket: Socket;
  readonly sinceMs: number;
  /** Called when the client has sent something. */
  readonly received: () => void;
  /** Called when the client has ended the connection, or its side of it. */
  readonly closed: () => void;
}

export class WaitingClient {
  readonly socket: Socket;
  /** When the connection was accepted, in the clock's milliseconds. */
  readonly sinceMs: number;
  readonly #input: KeptInput;
  #hello: ClientHello = { needed: 1 };

  constructor({ socket, sinceMs, received, closed }: WaitingClientInit) {
    this.socket = socket;
    this.sinceMs = sinceMs;
    this.#input = new KeptInput({
      ...{ socket, most: Number.POSITIVE_INFINITY, closed },
      received: () => {
        if (this.isReady) this.#hello = readClientHello(this.#input.joined());
        received();
      },
    });
  }

  /** What the client has sent. */
  get bytes(): number {
    return this.#input.bytes;
  }

  /** Whether TLS can go on with what the client has sent. */
  get isReady(): boolean {
    return this.bytes >= this.#hello.needed;
  }

  /** The server name that the client asks for. */
  get serverName(): string | undefined {
    return this.#hello.serverName;
  }

  /** Ends the wait. */
  stop(): void {
    this.#input.stop();
  }

  /** Ends the wait and returns the socket as if nobody had read from it. */
  release(): Socket {
    this.#input.release();
    return this.socket;
  }
}
