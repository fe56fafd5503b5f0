// What a client sends before its connection has its turn. Node notices the end of a connection only by reading, so it is
// read meanwhile, and what was read is put back at the end.

import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { limits } from '../../base/limits.ts';

interface KeptInputInit {
  readonly socket: Socket;
  /** Bytes from which on no more is read. */
  readonly most: number;
  /** Called when the client has sent something. */
  readonly received?: () => void;
  /** Called when the client has ended the connection, or its side of it. */
  readonly closed: () => void;
}

export class KeptInput {
  readonly #init: KeptInputInit;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(init: KeptInputInit) {
    this.#init = init;
    const { socket, closed } = init;
    socket.on('readable', this.#read).on('end', closed).on('close', closed);
    // 'close' follows.
    socket.on('error', () => {});
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** All of it, in one buffer. */
  joined(): Buffer {
    if (this.#pieces.length !== 1) this.#pieces = [Buffer.concat(this.#pieces)];
    return this.#pieces[0]!;
  }

  /** Stops reading. */
  stop(): void {
    const { socket, closed } = this.#init;
    socket.off('readable', this.#read).off('end', closed).off('close', closed);
  }

  /** Stops reading, and leaves the socket as if nobody had read from it. */
  release(): void {
    this.stop();
    if (this.#bytes > 0) this.#init.socket.unshift(this.joined());
    this.#pieces = [];
  }

  readonly #read = (): void => {
    const { socket, most, received } = this.#init;
    if (this.#bytes >= most) return;
    for (let piece = socket.read(); piece !== null; piece = socket.read()) {
      this.#pieces.push(piece);
      this.#bytes += piece.length;
      if (this.#pieces.length > limits.clientHelloPieces) this.joined();
      if (this.#bytes >= most) break;
    }
    received?.();
  };
}
