// Rows of the log that are neither state nor history any more, by their revisions, until a commit removes them.

import { Ring } from '../base/ring.ts';
import type { StoreEvent } from './store.ts';

/**
 * They are removed in the order in which they came, in which a deletion stands behind the values that it deleted: else
 * these would stand there again when the log is next read.
 */
export class ReleasedRows {
  readonly #revisions = new Ring<number>();
  /** Those that a commit which failed was to remove, the first one last: they are removed before all others. */
  #returned: number[] = [];

  get size(): number {
    return this.#returned.length + this.#revisions.length;
  }

  /** Adds the rows that an event needs no more once it has left history. */
  add(event: StoreEvent): void {
    if (event.previous !== undefined) this.#revisions.push(event.previous.revision);
    if (event.value === undefined) this.#revisions.push(event.revision);
  }

  /** The next rows to remove, up to `max` of them. */
  take(max: number): number[] {
    const taken: number[] = [];
    while (taken.length < max) {
      const revision = this.#returned.pop() ?? this.#revisions.drop();
      if (revision === undefined) break;
      taken.push(revision);
    }
    return taken;
  }

  /** Takes back rows whose removal failed. */
  giveBack(revisions: readonly number[]): void {
    this.#returned.push(...revisions.toReversed());
  }
}
