// Health of a KMS plugin as checked by kube-apiserver: a result is reused for some seconds, and concurrent checks share
// one. A reused result of a failed call is the plugin's error alone, as probes and tests know it.

import type { Clock } from '../../base/clock.ts';

/** How long a result is reused. */
const WELL_FOR_MS = 20_000;
const ILL_FOR_MS = 3_000;

/** Why a plugin is unhealthy. */
export interface KmsFault {
  readonly text: string;
  /** The text when the same fault is reported again. */
  readonly again: string;
}

/** The fault of a call that failed: `section` is its part of the check. */
export function failedCall(section: string, provider: string, error: Error): KmsFault {
  const { message } = error;
  const what = `failed to perform ${section} section of the healthz check for KMS Provider ${provider}`;
  return { text: `${what}, error: ${message}`, again: message };
}

export class KmsHealth {
  readonly #clock: Clock;
  readonly #ask: () => Promise<KmsFault | undefined>;
  #last: { readonly fault: string | undefined; readonly atMs: number } | undefined;
  #asking: Promise<string | undefined> | undefined;

  /** @param ask returns why the plugin is unhealthy; must not reject */
  constructor(clock: Clock, ask: () => Promise<KmsFault | undefined>) {
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
        this.#last = { fault: fault?.again, atMs: this.#clock.now() };
        return fault?.text;
      })
      .finally(() => {
        this.#asking = undefined;
      });
    return await this.#asking;
  }
}
