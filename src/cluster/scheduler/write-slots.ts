// A limited number of concurrent writes, for which deciding does not wait, as long as there are not too many.

import { limits } from '../../base/limits.ts';

export class WriteSlots {
  readonly #running = new Set<Promise<void>>();

  /** Resolves when one more may begin. */
  async free(): Promise<void> {
    while (this.#running.size >= limits.schedulerWrites) await Promise.race(this.#running);
  }

  /** @param work never rejects */
  run(work: Promise<void>): void {
    const running = work.finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when all have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }
}
