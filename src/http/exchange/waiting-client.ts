// A connection whose TLS handshake has not begun: what its client sends first is kept until the handshake's turn comes.
//
// Node notices the end of a connection only by reading, so it is read meanwhile, and what was read is put back at the end.

import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { limits } from '../../base/limits.ts';
import { type ClientHello, readClientHello } from './client-hello.ts';

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
  readonly #init: WaitingClientInit;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #hello: ClientHello = { needed: 1 };

  constructor(init: WaitingClientInit) {
    this.#init = init;
    this.socket = init.socket;
    this.sinceMs = init.sinceMs;
    const { socket } = init;
    socket.on('readable', this.#read).on('end', init.closed).on('close', init.closed);
    // 'close' follows.
    socket.on('error', () => {});
  }

  /** What the client has sent. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether TLS can go on with what the client has sent. */
  get isReady(): boolean {
    return this.#bytes >= this.#hello.needed;
  }

  /** The server name that the client asks for. */
  get serverName(): string | undefined {
    return this.#hello.serverName;
  }

  /** Whether its part of the handshake ends with the server's first answer, as in TLS 1.3. */
  get isConnectedByAnswer(): boolean {
    return this.#hello.isTls13 === true;
  }

  /** Ends the wait. */
  stop(): void {
    const { socket, closed } = this.#init;
    socket.off('readable', this.#read).off('end', closed).off('close', closed);
  }

  /** Ends the wait and returns the socket as if nobody had read from it. */
  release(): Socket {
    this.stop();
    this.socket.unshift(Buffer.concat(this.#pieces));
    this.#pieces = [];
    return this.socket;
  }

  readonly #read = (): void => {
    for (let piece = this.socket.read(); piece !== null; piece = this.socket.read()) {
      this.#pieces.push(piece);
      this.#bytes += piece.length;
      if (this.#pieces.length > limits.clientHelloPieces) this.#pieces = [Buffer.concat(this.#pieces)];
    }
    if (this.#pieces.length > 0 && this.isReady) {
      const all = Buffer.concat(this.#pieces);
      this.#pieces = [all];
      this.#hello = readClientHello(all);
    }
    this.#init.received();
  };
}
