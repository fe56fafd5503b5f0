// The requests of one HTTP/1.1 connection, served one after the other: answers must leave in the order of their requests,
// and a request that changes the protocol must find the connection free. A client that sends ahead waits, as with Go's
// server.

import type { Duplex } from 'node:stream';

interface Turn {
  /** Begins to serve the request. */
  readonly begin: () => void;
  /** Called in place of `begin` when the connection has closed before. */
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

  /** Begins a request now or when those before it are over; false, and nothing is done, where too many wait. */
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

  /** The request that was begun last is over. */
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
