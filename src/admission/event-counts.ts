// Counts of core events by the limits of EventRateLimit, each of which counts per server, namespace, user, or source and
// object. The serving threads of a process share those of one of them.

import type { Clock } from '../base/clock.ts';
import type { Soon } from '../base/soon.ts';

export type EventLimitType = 'Server' | 'Namespace' | 'User' | 'SourceAndObject';

export interface EventLimit {
  readonly type: EventLimitType;
  /** Events per second, and burst size. */
  readonly qps: number;
  readonly burst: number;
  /** Number of namespaces, users or sources to track; the least recently used are dropped. */
  readonly cacheSize: number;
}

export interface EventCounter {
  /**
   * Counts an event at every limit, even after another one is exceeded.
   *
   * @param keys what the event counts for, in the order of the limits
   * @returns the indexes of the limits that it exceeds
   */
  count(keys: readonly string[]): Soon<readonly number[]>;
}

export class EventCounts implements EventCounter {
  readonly #buckets: readonly TokenBuckets[];

  constructor(limits: readonly EventLimit[], clock: Clock) {
    this.#buckets = limits.map((limit) => new TokenBuckets(limit, clock));
  }

  count(keys: readonly string[]): number[] {
    return this.#buckets.flatMap((buckets, index) => (buckets.take(keys[index] ?? '') ? [] : [index]));
  }
}

interface Bucket {
  tokens: number;
  atMs: number;
}

class TokenBuckets {
  readonly #limit: EventLimit;
  readonly #clock: Clock;
  /** The most recently used is last. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: EventLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  take(key: string): boolean {
    const bucket = this.#bucket(key);
    if (bucket.tokens < 1) return false;
    bucket.tokens--;
    return true;
  }

  #bucket(key: string): Bucket {
    const { qps, burst, cacheSize } = this.#limit;
    const now = this.#clock.now();
    const bucket = this.#buckets.get(key) ?? { tokens: burst, atMs: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.atMs) / 1_000) * qps);
    bucket.atMs = now;
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > cacheSize) {
      for (const oldest of this.#buckets.keys()) {
        this.#buckets.delete(oldest);
        break;
      }
    }
    return bucket;
  }
}
