// Rows of the log that are no longer part of state or history, by revision, until a commit removes them.

import { Ring } from '../base/ring.ts';
import type { StoreEvent } from './store.ts';

/**
 * Removed in order, in which a deletion follows the values that it deleted: otherwise these would reappear when the log
 * is next read.
 */
export class ReleasedRows {
  readonly #revisions = new Ring<number>();
  /** Those of a failed commit, in reverse order: they are removed before all others. */
  #returned: number[] = [];

  get size(): number {
    return this.#returned.length + this.#revisions.length;
  }

  /** Adds the rows that an event no longer needs once it has left history. */
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

  /** Returns rows whose removal failed. */
  giveBack(revisions: readonly number[]): void {
    this.#returned.push(...revisions.toReversed());
  }
}
