// Figures of nodes by which nearly every pod is compared, in one table: all of them are read for each pod, and what lies
// side by side costs a fraction of what is scattered over the heap of a large cluster.

/** Where the amounts of a resource are in a row: those offered, requested and assumed, one after the other. */
export const FIGURES = { cpu: 0, memory: 3 } as const;
/** The resources with such amounts. */
export const COMPARED = ['cpu', 'memory'] as const;
export const [OFFERED, REQUESTED, ASSUMED] = [0, 1, 2] as const;
/** How many pods a node may have, and how many it has. */
export const [MOST_PODS, PODS] = [6, 7] as const;

const WIDTH = 8;
const FIRST_ROWS = 16;

export class NodeFigures {
  /** Replaced when the table grows. */
  data: Float64Array;
  readonly #free: number[] = [];
  #used = 0;

  constructor(rows = FIRST_ROWS) {
    this.data = new Float64Array(rows * WIDTH);
  }

  /** Takes a row of zeros. @returns where it begins in `data` */
  take(): number {
    const known = this.#free.pop();
    if (known !== undefined) return known;
    const at = this.#used;
    this.#used += WIDTH;
    if (this.#used > this.data.length) {
      const larger = new Float64Array(this.data.length * 2);
      larger.set(this.data);
      this.data = larger;
    }
    return at;
  }

  /** Gives a row back. */
  release(at: number): void {
    this.data.fill(0, at, at + WIDTH);
    this.#free.push(at);
  }

  /** A table with a copy of one row, which begins at 0. */
  copyOf(at: number): NodeFigures {
    const copy = new NodeFigures(1);
    copy.data.set(this.data.subarray(at, at + WIDTH));
    return copy;
  }
}
