// Cache of the seeds that a KMS plugin has decrypted: each is requested once for all concurrent users, and kept for a
// day after its last use. A seed that could not be decrypted is not requested again immediately.

import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { Soon } from '../../base/soon.ts';
import { encodeSource, type SealedSource } from '../../store/encryption/encrypted-object.ts';
import type { ValueTransformer } from '../../store/value-transformer.ts';

interface OpenedSourcesOptions {
  readonly clock: Clock;
  readonly open: (source: SealedSource) => Promise<ValueTransformer>;
  /** Called with the size of the cache whenever it changes. */
  readonly onSize: (size: number) => void;
}

const KEPT_MS = 24 * 60 * 60 * 1_000;
/** While a plugin is unavailable, reads fail immediately rather than after a call's timeout each. */
const REFUSED_FOR_MS = 3_000;

interface Kept {
  readonly cipher: ValueTransformer;
  usedAtMs: number;
}

export class OpenedSources {
  readonly #options: OpenedSourcesOptions;
  /** Evicts the least recently used one. */
  readonly #kept = new Map<string, Kept>();
  readonly #asking = new Map<string, Promise<ValueTransformer>>();
  readonly #refused = new Map<string, { readonly error: Error; readonly atMs: number }>();

  constructor(options: OpenedSourcesOptions) {
    this.#options = options;
  }

  /** Throws or rejects with the error of `open`. */
  get(source: SealedSource): Soon<ValueTransformer> {
    const key = keyOf(source);
    const nowMs = this.#options.clock.now();
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      // Moved to the end at most once a minute, so that a hit costs no more than a lookup.
      if (nowMs - kept.usedAtMs > 60_000) this.#keep(key, kept.cipher);
      return kept.cipher;
    }
    const refused = this.#refused.get(key);
    if (refused !== undefined && nowMs - refused.atMs < REFUSED_FOR_MS) throw refused.error;
    let asking = this.#asking.get(key);
    if (asking === undefined) {
      asking = this.#ask(key, source).finally(() => this.#asking.delete(key));
      this.#asking.set(key, asking);
    }
    return asking;
  }

  set(source: SealedSource, cipher: ValueTransformer): void {
    this.#keep(keyOf(source), cipher);
  }

  async #ask(key: string, source: SealedSource): Promise<ValueTransformer> {
    const { open, clock } = this.#options;
    try {
      const cipher = await open(source);
      this.#refused.delete(key);
      this.#keep(key, cipher);
      return cipher;
    } catch (error) {
      for (const [other, { atMs }] of this.#refused) {
        if (clock.now() - atMs >= REFUSED_FOR_MS) this.#refused.delete(other);
      }
      if (this.#refused.size < limits.kmsOpenedSources) {
        this.#refused.set(key, { error: error as Error, atMs: clock.now() });
      }
      throw error;
    }
  }

  #keep(key: string, cipher: ValueTransformer): void {
    const { clock, onSize } = this.#options;
    const nowMs = clock.now();
    this.#kept.delete(key);
    this.#kept.set(key, { cipher, usedAtMs: nowMs });
    for (const [oldest, { usedAtMs }] of this.#kept) {
      if (this.#kept.size <= limits.kmsOpenedSources && nowMs - usedAtMs < KEPT_MS) break;
      this.#kept.delete(oldest);
    }
    onSize(this.#kept.size);
  }
}

/** The whole source is the key: ciphertext cannot be decrypted with other annotations. */
function keyOf(source: SealedSource): string {
  const annotations = new Map([...source.annotations].sort(([one], [other]) => (one < other ? -1 : 1)));
  return encodeSource({ ...source, annotations }).toString('latin1');
}
