// Connections that wait to be served after their TLS handshake, because the handshakes of others wait: those clients give
// up soon and would come back for another handshake, while these have all that they need to wait.

import type { TLSSocket } from 'node:tls';
import type { Clock, Timer } from '../../base/clock.ts';
import type { limits } from '../../base/limits.ts';
import { KeptInput } from './kept-input.ts';

export type HeldConnectionLimits = {
  readonly [name in ('heldConnectionMs' | 'heldConnectionBytes') & keyof typeof limits]: number;
};

interface HeldConnectionsOptions {
  readonly clock: Clock;
  readonly limits: HeldConnectionLimits;
  /** Called when a client has gone before it was served. */
  readonly gone: (socket: TLSSocket) => void;
}

interface Held {
  readonly input: KeptInput;
  readonly timer: Timer;
  readonly serve: () => void;
}

export class HeldConnections {
  readonly #options: HeldConnectionsOptions;
  /** The one that waits for the longest time is first. */
  readonly #held = new Map<TLSSocket, Held>();

  constructor(options: HeldConnectionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#held.size;
  }

  /** @param serve what serves the connection: called by `serveNext`, or when it has waited long enough */
  add(socket: TLSSocket, serve: () => void): void {
    const { clock, limits, gone } = this.#options;
    const input = new KeptInput({
      ...{ socket, most: limits.heldConnectionBytes },
      closed: () => {
        this.#take(socket);
        input.stop();
        gone(socket);
        socket.destroy();
      },
    });
    const timer = clock.after(limits.heldConnectionMs, () => this.#serve(socket));
    this.#held.set(socket, { input, timer, serve });
  }

  /** Serves the one that has waited for the longest time. */
  serveNext(): void {
    for (const socket of this.#held.keys()) {
      this.#serve(socket);
      return;
    }
  }

  /** Serves all of them. */
  serveAll(): void {
    for (const socket of [...this.#held.keys()]) this.#serve(socket);
  }

  #serve(socket: TLSSocket): void {
    const held = this.#take(socket);
    held?.input.release();
    held?.serve();
  }

  #take(socket: TLSSocket): Held | undefined {
    const held = this.#held.get(socket);
    held?.timer.cancel();
    this.#held.delete(socket);
    return held;
  }
}
