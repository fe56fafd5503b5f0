// Log of the requests that a test server received, and of its answers.

import { limits } from '../base/limits.ts';
import { Ring } from '../base/ring.ts';
import type { RequestContext } from '../http/request-context.ts';
import { assertFields, FILTER_FIELDS, factsOf, fits, type RequestFacts, type RequestFilter } from './request-filter.ts';

/** One request. Those for other paths than those of resources have '' for what they do not name. */
export interface RequestRecord extends RequestFacts {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly userAgent: string;
  readonly time: Date;
  /** Undefined as long as nothing is answered, and of what was broken off before. */
  readonly status: number | undefined;
  /** Until the answer had been made; undefined while that is under way, as of an open watch. */
  readonly durationMs: number | undefined;
}

export interface Requests extends Iterable<RequestRecord> {
  /** Those remembered, the oldest first. */
  list(filter?: RequestFilter): RequestRecord[];
  /** Forgets them. */
  clear(): void;
  /** How many were forgotten since, for there is a bound: the oldest go first. */
  readonly dropped: number;
}

/** A request's context for as long as it is under way; then what is to be told of it, for contexts hold much. */
interface Slot {
  context: RequestContext | undefined;
  record: RequestRecord | undefined;
}

export class RequestLog implements Requests {
  #slots = new Ring<Slot>();
  readonly #open = new WeakMap<RequestContext, Slot>();
  #dropped = 0;

  get dropped(): number {
    return this.#dropped;
  }

  begins(context: RequestContext): void {
    const slot: Slot = { context, record: undefined };
    this.#open.set(context, slot);
    this.#slots.push(slot);
    if (this.#slots.length <= limits.testRequests) return;
    this.#slots.drop();
    this.#dropped++;
  }

  over(context: RequestContext): void {
    const slot = this.#open.get(context);
    if (slot === undefined) return;
    slot.record = recordOf(context, context.services.clock.now() - context.startMs);
    slot.context = undefined;
  }

  list(filter: RequestFilter = {}): RequestRecord[] {
    assertFields(filter, FILTER_FIELDS);
    return [...this].filter((record) => fits(filter, record));
  }

  *[Symbol.iterator](): Iterator<RequestRecord> {
    for (let at = this.#slots.first; at < this.#slots.end; at++) {
      const slot = this.#slots.at(at);
      const record = slot?.record ?? (slot?.context === undefined ? undefined : recordOf(slot.context, undefined));
      if (record !== undefined) yield record;
    }
  }

  clear(): void {
    this.#slots = new Ring();
    this.#dropped = 0;
  }
}

function recordOf(context: RequestContext, durationMs: number | undefined): RequestRecord {
  const { exchange, startMs, status } = context;
  return {
    ...factsOf(context),
    ...{ method: exchange.method, target: exchange.target, userAgent: exchange.headers['user-agent'] ?? '' },
    ...{ time: new Date(startMs), status: status === 0 ? undefined : status, durationMs },
  };
}
