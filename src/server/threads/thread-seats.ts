// The requests that serving threads have in flight, in memory that they share: limits of the process are limits of all
// threads together, wherever the connections are.

import { proportionalShare, type SeatShare } from '../../flowcontrol/seat-share.ts';

/** Reads and writes in flight, of MaxInFlight. */
const IN_FLIGHT = 2;

/** The memory of so many threads. */
export function newThreadSeats(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer((IN_FLIGHT + threads) * Int32Array.BYTES_PER_ELEMENT);
}

/** What one thread sees of it. */
export class ThreadSeats {
  /** The reads and writes in flight of all threads, without priority and fairness. */
  readonly inFlight: Int32Array;
  readonly #wants: Int32Array;
  readonly #index: number;

  /** @param index of the thread; the leader has 0 */
  constructor(memory: SharedArrayBuffer, index: number) {
    this.inFlight = new Int32Array(memory, 0, IN_FLIGHT);
    this.#wants = new Int32Array(memory, IN_FLIGHT * Int32Array.BYTES_PER_ELEMENT);
    this.#index = index;
  }

  /** The thread's share in the seats of the process, with priority and fairness. */
  share(total: number): SeatShare {
    return proportionalShare(total, this.#wants, this.#index);
  }
}
