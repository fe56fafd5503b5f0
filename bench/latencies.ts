// Latencies of a large number of operations, counted in steps of ten microseconds.

const STEPS_PER_MS = 100;
/** Longer latencies are counted as this. */
const LONGEST_MS = 10_000;

export class Latencies {
  readonly #counts = new Uint32Array(LONGEST_MS * STEPS_PER_MS);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(ms: number): void {
    this.#counts[Math.min(this.#counts.length - 1, Math.floor(ms * STEPS_PER_MS))]! += 1;
    this.#count += 1;
  }

  /** Returns the quantile (0.99) in milliseconds. */
  at(share: number): number {
    const rank = Math.max(1, Math.ceil(this.#count * share));
    let seen = 0;
    for (const [step, count] of this.#counts.entries()) {
      seen += count;
      if (seen >= rank) return (step + 1) / STEPS_PER_MS;
    }
    return 0;
  }
}

/** Returns the median; of an even number, the higher of the two middle values. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
