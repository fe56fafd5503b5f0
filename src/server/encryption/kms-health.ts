// The health of a KMS plugin as kube-apiserver asks for it: an answer is given again for some seconds, and those who ask
// at once are told the same.

import type { Clock } from '../../base/clock.ts';

/** How long the last answer is given again. */
const WELL_FOR_MS = 20_000;
const ILL_FOR_MS = 3_000;

export class KmsHealth {
  readonly #clock: Clock;
  readonly #ask: () => Promise<string | undefined>;
  #last: { readonly fault: string | undefined; readonly atMs: number } | undefined;
  #asking: Promise<string | undefined> | undefined;

  /** @param ask what is wrong with the plugin; it does not reject */
  constructor(clock: Clock, ask: () => Promise<string | undefined>) {
    this.#clock = clock;
    this.#ask = ask;
  }

  /** What is wrong with the plugin; undefined when nothing is. */
  async check(): Promise<string | undefined> {
    const last = this.#last;
    if (last !== undefined) {
      const ageMs = this.#clock.now() - last.atMs;
      if (ageMs < (last.fault === undefined ? WELL_FOR_MS : ILL_FOR_MS)) return last.fault;
    }
    this.#asking ??= this.#ask()
      .then((fault) => {
        this.#last = { fault, atMs: this.#clock.now() };
        return fault;
      })
      .finally(() => {
        this.#asking = undefined;
      });
    return await this.#asking;
  }
}
