// Serializes the requests of one HTTP/1.1 connection: responses must be sent in the order of their requests, and an
// upgrade must find the connection idle. Pipelined requests wait, as with Go's server.

import type { Duplex } from 'node:stream';

interface Turn {
  /** Begins to serve the request. */
  readonly begin: () => void;
  /** Called instead of `begin` if the connection has closed. */
  readonly drop: () => void;
}

export class Turns {
  readonly #most: number;
  readonly #waiting: Turn[] = [];
  #busy = false;
  #closed = false;

  /** @param most requests may wait at once */
  constructor(socket: Duplex, most: number) {
    this.#most = most;
    socket.once('close', () => this.#close());
  }

  /** Begins a request now or after those before it; returns false, without effect, if too many are waiting. */
  take(turn: Turn): boolean {
    if (this.#closed) {
      turn.drop();
      return true;
    }
    if (this.#busy) {
      if (this.#waiting.length >= this.#most) return false;
      this.#waiting.push(turn);
      return true;
    }
    this.#busy = true;
    turn.begin();
    return true;
  }

  /** The current request has ended. */
  over(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#busy = false;
    else next.begin();
  }

  #close(): void {
    this.#closed = true;
    for (const turn of this.#waiting.splice(0)) turn.drop();
  }
}
