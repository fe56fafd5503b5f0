// Correlation of events, as client-go's recorders do it: a repeated event is counted in the first one, many that differ
// only in their messages are combined, and an object about which a component has too much to say is cut short.

import { limits } from '../base/limits.ts';

/** The parts of an event that distinguish it from others. */
interface EventFacts {
  /** The UID of the object, or whatever identifies it. */
  readonly object: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** Where an event goes: a new one, or the count of an earlier one. */
export interface Correlated {
  /** Its place in the memory of written events. */
  readonly key: string;
  readonly message: string;
}

/** Events about one object that are written at once, and the time after which one more is. */
const BURST = 25;
const REFILL_MS = 300_000;
/** So many events that differ in their messages alone are written within this time; further ones are combined. */
const SIMILAR = 10;
const SIMILAR_MS = 600_000;
const COMBINED = '(combined from similar events): ';

interface Similar {
  readonly messages: Set<string>;
  lastMs: number;
}

interface Bucket {
  tokens: number;
  sinceMs: number;
}

export class EventCorrelator {
  readonly #similar = new Map<string, Similar>();
  readonly #buckets = new Map<string, Bucket>();

  /** Undefined if the event is not to be written. */
  correlate({ object, type, reason, message }: EventFacts, nowMs: number): Correlated | undefined {
    const kind = JSON.stringify([object, type, reason]);
    let similar = this.#similar.get(kind);
    if (similar === undefined || nowMs - similar.lastMs > SIMILAR_MS) similar = { messages: new Set(), lastMs: nowMs };
    similar.lastMs = nowMs;
    similar.messages.add(message);
    remember(this.#similar, kind, similar);
    const isCombined = similar.messages.size >= SIMILAR;
    if (isCombined) similar.messages.delete(similar.messages.values().next().value as string);
    if (!this.#spend(object, nowMs)) return undefined;
    return isCombined ? { key: kind, message: COMBINED + message } : { key: `${kind}${message}`, message };
  }

  #spend(object: string, nowMs: number): boolean {
    const bucket = this.#buckets.get(object) ?? { tokens: BURST, sinceMs: nowMs };
    const gained = Math.max(0, nowMs - bucket.sinceMs) / REFILL_MS;
    const tokens = Math.min(BURST, bucket.tokens + gained);
    remember(this.#buckets, object, { tokens: Math.max(tokens >= 1 ? tokens - 1 : tokens, 0), sinceMs: nowMs });
    return tokens >= 1;
  }
}

/** Sets an entry as the latest one; the oldest ones are forgotten. */
export function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > limits.rememberedEvents) map.delete(map.keys().next().value as string);
}
