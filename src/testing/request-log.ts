// Log of the requests to a test server, and of its responses.

import { limits } from '../base/limits.ts';
import { Ring } from '../base/ring.ts';
import type { RequestContext } from '../http/request-context.ts';
import { assertFields, FILTER_FIELDS, factsOf, fits, type RequestFacts, type RequestFilter } from './request-filter.ts';

/** One request. For non-resource paths the resource fields are ''. */
export interface RequestRecord extends RequestFacts {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly userAgent: string;
  readonly time: Date;
  /** Undefined until there is a response, and for aborted requests. */
  readonly status: number | undefined;
  /** Until the response ended; undefined while it is in progress, such as an open watch. */
  readonly durationMs: number | undefined;
}

export interface Requests extends Iterable<RequestRecord> {
  /** The recorded ones, oldest first. */
  list(filter?: RequestFilter): RequestRecord[];
  /** Clears the log. */
  clear(): void;
  /** The number of dropped requests: the log is limited, and the oldest are dropped first. */
  readonly dropped: number;
}

/** The context of a request in progress; afterwards only the recorded data, because contexts are large. */
interface Slot {
  context: RequestContext | undefined;
  record: RequestRecord | undefined;
}

/** @internal */
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
