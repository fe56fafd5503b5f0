// Pace of work that many asynchronous functions do at the same time without ever waiting for the outside, such as writes
// to a store in memory: each piece is short, and all of them together would keep the event loop for as long as they take.
// So few begin per turn of the event loop: as many as a turn has room for, by what those before have taken.

import { limits } from './limits.ts';

export class Pace {
  readonly #now: () => number;
  readonly #nextTurn: (run: () => void) => void;
  readonly #waiting: (() => void)[] = [];
  /** Pieces that a turn has room for. */
  #room = 1;
  #begun = 0;
  #isTurn = false;

  /**
   * @param now milliseconds
   * @param nextTurn calls `run` in the next turn of the event loop, after pending I/O
   */
  constructor(now: () => number, nextTurn: (run: () => void) => void) {
    this.#now = now;
    this.#nextTurn = nextTurn;
  }

  /** Does a piece of work, in this turn or in one of the next. Pieces begin in order. */
  run<T>(piece: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        piece().then(resolve, reject);
      });
      this.#beginSome();
    });
  }

  #beginSome(): void {
    if (!this.#isTurn && this.#waiting.length > 0) this.#follow();
    while (this.#begun < this.#room && this.#waiting.length > 0) {
      this.#begun++;
      this.#waiting.shift()?.();
    }
  }

  /** Measures what the pieces of a turn take, with all that they do before the next one. */
  #follow(): void {
    this.#isTurn = true;
    const sinceMs = this.#now();
    this.#nextTurn(() => {
      const takenMs = Math.max(0, this.#now() - sinceMs);
      const hasRoom = takenMs < limits.turnMs;
      // Doubled and halved, because clocks are coarse.
      if (hasRoom && this.#begun === this.#room) this.#room = Math.min(2 * this.#room, limits.controllerWrites);
      else if (!hasRoom) this.#room = Math.max(1, this.#room >> 1);
      this.#begun = 0;
      this.#isTurn = false;
      this.#beginSome();
    });
  }
}
