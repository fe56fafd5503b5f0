// The plugin EventRateLimit: rejects core events that exceed the configured rate limits, each of which counts per
// server, namespace, user, or source and object.

import { ApiError } from '../api/errors.ts';
import type { Clock } from '../base/clock.ts';
import { errorList } from '../base/error-list.ts';
import { textAt } from '../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';

export type EventLimitType = 'Server' | 'Namespace' | 'User' | 'SourceAndObject';

export interface EventLimit {
  readonly type: EventLimitType;
  /** Events per second, and burst size. */
  readonly qps: number;
  readonly burst: number;
  /** Number of namespaces, users or sources to track; the least recently used are dropped. */
  readonly cacheSize: number;
}

const SOURCE_AND_OBJECT = [
  ['source', 'component'],
  ['source', 'host'],
  ['involvedObject', 'kind'],
  ['involvedObject', 'namespace'],
  ['involvedObject', 'name'],
  ['involvedObject', 'uid'],
  ['involvedObject', 'apiVersion'],
];

const KEYS: Readonly<Record<EventLimitType, (admission: AdmissionRequest) => string>> = {
  Server: () => '',
  Namespace: ({ request }) => request.namespace,
  User: ({ request }) => request.user.name,
  SourceAndObject: ({ object }) => SOURCE_AND_OBJECT.map((path) => textAt(object, ...path)).join(''),
};

export function eventRateLimit(eventLimits: readonly EventLimit[], clock: Clock): AdmissionPlugin {
  const enforcers = eventLimits.map((limit) => new LimitEnforcer(limit, clock));
  return {
    name: 'EventRateLimit',
    admit(admission) {
      const { request, object, operation, dryRun } = admission;
      if (object === undefined || dryRun || (operation !== 'create' && operation !== 'update')) return;
      if (request.definition.group !== '' || request.definition.kind !== 'Event') return;
      // Every limit counts the event, even after another one is exceeded.
      const reached = enforcers.flatMap((enforcer) => enforcer.refusal(admission));
      if (reached.length === 0) return;
      const message = `Too many requests: ${errorList(reached)}`;
      throw new ApiError({ code: 429, reason: 'TooManyRequests', message });
    },
  };
}

interface Bucket {
  tokens: number;
  atMs: number;
}

class LimitEnforcer {
  readonly #limit: EventLimit;
  readonly #clock: Clock;
  /** The most recently used is last. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: EventLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Counts an event; returns why it is rejected, if it is. */
  refusal(admission: AdmissionRequest): string[] {
    const { type } = this.#limit;
    const key = KEYS[type](admission);
    const bucket = this.#bucket(key);
    if (bucket.tokens < 1) return [`limit reached on type ${type} for key ${key}`];
    bucket.tokens--;
    return [];
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
