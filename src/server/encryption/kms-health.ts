// Health of a KMS plugin as checked by kube-apiserver: a result is reused for some seconds, and concurrent checks share
// one.

import type { Clock } from '../../base/clock.ts';

/** How long a result is reused. */
const WELL_FOR_MS = 20_000;
const ILL_FOR_MS = 3_000;

export class KmsHealth {
  readonly #clock: Clock;
  readonly #ask: () => Promise<string | undefined>;
  #last: { readonly fault: string | undefined; readonly atMs: number } | undefined;
  #asking: Promise<string | undefined> | undefined;

  /** @param ask returns why the plugin is unhealthy; must not reject */
  constructor(clock: Clock, ask: () => Promise<string | undefined>) {
    this.#clock = clock;
    this.#ask = ask;
  }

  /** Why the plugin is unhealthy; undefined if healthy. */
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
