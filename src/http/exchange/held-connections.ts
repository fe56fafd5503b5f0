// Connections whose client has the server's part of the handshake and waits for the server to go on: TLS 1.3 lets it send
// its certificate and its first request at once, and count itself as connected. While the handshakes of others wait, whose
// clients give up soon, nothing of that is read.

import type { Socket } from 'node:net';
import type { Clock, Timer } from '../../base/clock.ts';
import type { limits } from '../../base/limits.ts';

export type HeldConnectionLimits = { readonly [name in 'heldConnectionMs' & keyof typeof limits]: number };

interface HeldConnectionsOptions {
  readonly clock: Clock;
  readonly limits: HeldConnectionLimits;
  /** Called when one begins to wait, with 1, and when it goes on or ends, with -1. */
  readonly changed: (by: 1 | -1) => void;
}

interface Held {
  readonly timer: Timer;
  readonly goesOn: () => void;
}

export class HeldConnections {
  readonly #options: HeldConnectionsOptions;
  /** The one that waits for the longest time is first. */
  readonly #held = new Map<Socket, Held>();

  constructor(options: HeldConnectionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#held.size;
  }

  /**
   * @param socket below TLS, which has just been given what its client has sent so far
   * @param goesOn called when the socket is read again
   */
  add(socket: Socket, goesOn: () => void): void {
    const { clock, limits, changed } = this.#options;
    const timer = clock.after(limits.heldConnectionMs, () => this.#goOn(socket));
    this.#held.set(socket, { timer, goesOn });
    changed(1);
    socket.once('close', () => this.#take(socket));
    // TLS answers in the next tick, and then begins to read.
    process.nextTick(() => {
      if (this.#held.has(socket)) handleOf(socket)?.readStop();
    });
  }

  /** The one that has waited for the longest time goes on. */
  goOn(): void {
    for (const socket of this.#held.keys()) {
      this.#goOn(socket);
      return;
    }
  }

  /** All go on. */
  goOnAll(): void {
    for (const socket of [...this.#held.keys()]) this.#goOn(socket);
  }

  #goOn(socket: Socket): void {
    const held = this.#take(socket);
    if (held === undefined) return;
    held.goesOn();
    handleOf(socket)?.readStart();
  }

  #take(socket: Socket): Held | undefined {
    const held = this.#held.get(socket);
    if (held === undefined) return undefined;
    held.timer.cancel();
    this.#held.delete(socket);
    this.#options.changed(-1);
    return held;
  }
}

interface Handle {
  readStop(): void;
  readStart(): void;
}

/** Node has no other way to read nothing below TLS: a paused TLS socket is read nevertheless, up to its buffer's size. */
function handleOf(socket: Socket): Handle | undefined {
  return (socket as Socket & { _handle?: Handle | null })._handle ?? undefined;
}
