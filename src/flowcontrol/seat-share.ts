// The seats of one of several flow controllers that share a total, such as those of the serving threads of a process. A
// client's connection belongs to one of them, so seats go where requests are.

/** The seats of a flow controller. */
export interface SeatShare {
  /** How many it has, by what all of them want at the moment. */
  seats(): number;
  /** Those of all controllers. */
  readonly total: number;
  /** How many it has if all of them want the same. */
  readonly equal: number;
  /** Tells how many seats its requests use or wait for. */
  want(seats: number): void;
}

/** The share of a flow controller that has all seats. */
export function wholeShare(total: number): SeatShare {
  return { seats: () => total, total, equal: total, want() {} };
}

/** Each keeps a quarter of an equal share, for requests that begin while others use the rest. */
const KEPT_PART = 4;

/**
 * The share of one of several controllers: a fixed part, and of the rest as much as it wants in proportion to all.
 *
 * @param wants what each of them wants, in memory that they share
 * @param index whose share it is
 */
export function proportionalShare(total: number, wants: Int32Array, index: number): SeatShare {
  const kept = Math.ceil(total / (KEPT_PART * wants.length));
  const divided = Math.max(0, total - kept * wants.length);
  return {
    seats: () => {
      // One more for each, so that all have the same while nobody wants anything.
      let all = wants.length;
      for (let each = 0; each < wants.length; each++) all += Atomics.load(wants, each);
      return kept + Math.ceil((divided * (Atomics.load(wants, index) + 1)) / all);
    },
    total,
    equal: kept + Math.ceil(divided / wants.length),
    want: (seats) => void Atomics.store(wants, index, seats),
  };
}
