// Fault injection: requests that fail although they are allowed, are delayed, or fail after they took effect, for
// testing retries, timeouts and relists of clients.

import { errors, MODIFIED } from '../api/errors.ts';
import type { Clock } from '../base/clock.ts';
import { parseGoDuration } from '../base/go-duration.ts';
import { limits } from '../base/limits.ts';
import { BodyAbortedError } from '../http/exchange/transport.ts';
import type { RequestContext } from '../http/request-context.ts';
import {
  assertFields,
  assertVerbs,
  FILTER_FIELDS,
  factsOf,
  fits,
  type RequestFacts,
  type RequestFilter,
} from './request-filter.ts';
import type { ServedNames } from './served-names.ts';

/** Statuses that can be injected. */
export type FaultStatus = 409 | 429 | 500 | 503;

/** A fault; the fields of the filter select its requests. */
export interface FaultOptions extends RequestFilter {
  /** The status of the response, a Status as in Kubernetes. */
  readonly answer?: FaultStatus;
  /** The message of the Status. */
  readonly message?: string;
  /** For 429: the Retry-After in seconds, 1 by default. */
  readonly retryAfterSeconds?: number;
  /** Closes the connection instead of responding. */
  readonly cut?: boolean;
  /** Delays first: milliseconds or a duration such as `2s`, by the server's clock. */
  readonly delay?: number | string;
  /** Performs the request and then fails. Requests that fail by themselves respond as usual. Not for watches. */
  readonly afterCommit?: boolean;
  /** Number of requests after which it ends; unlimited by default. */
  readonly times?: number;
}

export interface Fault extends Disposable {
  /** Number of affected requests so far. */
  readonly count: number;
  /** Removes it; requests that it delays continue at their time. */
  remove(): void;
}

export interface Faults {
  /** Adds a fault. If several match a request, the first one added wins. */
  add(fault: FaultOptions): Fault;
  /** Closes open watches as if the connection was lost; returns their number. */
  cutWatches(filter?: RequestFilter): number;
  /** Removes all faults. */
  clear(): void;
}

const FIELDS = [
  ...FILTER_FIELDS,
  ...['answer', 'message', 'retryAfterSeconds', 'cut', 'delay', 'afterCommit', 'times'],
] as readonly string[];

const MESSAGES: Record<FaultStatus, string> = {
  409: MODIFIED,
  429: 'the server has received too many requests and has asked us to try again later',
  500: 'the test made this request fail',
  503: 'the server is currently unable to handle the request',
};

class SetFault {
  readonly options: FaultOptions;
  readonly delayMs: number;
  count = 0;

  constructor(options: FaultOptions) {
    assertFields(options, FIELDS);
    assertVerbs(options);
    const { answer, cut = false, delay = 0, times, afterCommit = false } = options;
    if (answer !== undefined && MESSAGES[answer] === undefined) {
      throw new RangeError(`answer must be one of ${Object.keys(MESSAGES).join(', ')}, got ${answer}`);
    }
    if (answer !== undefined && cut) throw new TypeError('answer and cut are mutually exclusive');
    this.delayMs = typeof delay === 'number' ? delay : parseGoDuration(delay);
    if (answer === undefined && !cut && this.delayMs === 0) throw new TypeError('a fault needs answer, cut or delay');
    if (!(this.delayMs >= 0)) throw new RangeError('delay must not be negative');
    if (times !== undefined && !(Number.isInteger(times) && times > 0)) throw new RangeError('times must be 1 or more');
    if (afterCommit && answer === undefined && !cut) throw new TypeError('afterCommit needs answer or cut');
    this.options = options;
  }

  /** What ends the request; undefined if it is only delayed. */
  failure({ group, resource, name }: RequestFacts): Error | undefined {
    const { answer, cut = false, message, retryAfterSeconds = 1 } = this.options;
    if (cut) return new BodyAbortedError('a test broke the request off');
    switch (answer) {
      case 409:
        return errors.conflict({ group, resource, name }, message ?? MESSAGES[409]);
      case 429:
        return errors.tooManyRequests(message ?? MESSAGES[429], retryAfterSeconds);
      case 500:
        return errors.internal(message ?? MESSAGES[500]);
      case 503:
        return errors.serviceUnavailable(message ?? MESSAGES[503]);
      default:
        return undefined;
    }
  }
}

/** @internal */
export class FaultTable implements Faults {
  readonly #clock: Clock;
  readonly #names: ServedNames;
  readonly #faults = new Set<SetFault>();
  readonly #watches = new Set<RequestContext>();

  constructor(clock: Clock, names: ServedNames) {
    this.#clock = clock;
    this.#names = names;
  }

  add(options: FaultOptions): Fault {
    if (this.#faults.size >= limits.testFaults)
      throw new RangeError(`at most ${limits.testFaults} faults can be active`);
    const fault = new SetFault(options);
    this.#names.assertServed(options);
    this.#faults.add(fault);
    const remove = () => void this.#faults.delete(fault);
    return {
      get count() {
        return fault.count;
      },
      remove,
      [Symbol.dispose]: remove,
    };
  }

  cutWatches(filter: RequestFilter = {}): number {
    assertFields(filter, FILTER_FIELDS);
    this.#names.assertServed(filter);
    const found = [...this.#watches].filter((context) => fits(filter, factsOf(context)));
    for (const context of found) {
      this.#watches.delete(context);
      context.exchange.destroy();
    }
    return found.length;
  }

  clear(): void {
    this.#faults.clear();
  }

  /** Serves a request, or applies a fault to it. @throws the injected error */
  async around(context: RequestContext, answer: () => Promise<void>): Promise<void> {
    const facts = factsOf(context);
    const fault = this.#take(facts);
    if (fault !== undefined) {
      if (fault.delayMs > 0) await this.#wait(fault.delayMs, context.exchange.signal);
      const failure = fault.failure(facts);
      if (failure !== undefined && fault.options.afterCommit !== true) throw failure;
      context.failWith(failure);
    }
    if (facts.verb !== 'watch') return answer();
    this.#watches.add(context);
    try {
      await answer();
    } finally {
      this.#watches.delete(context);
    }
  }

  #take(facts: RequestFacts): SetFault | undefined {
    for (const fault of this.#faults) {
      const { times = Number.POSITIVE_INFINITY, afterCommit = false } = fault.options;
      if (!fits(fault.options, facts) || (afterCommit && facts.verb === 'watch')) continue;
      fault.count++;
      if (fault.count >= times) this.#faults.delete(fault);
      return fault;
    }
    return undefined;
  }

  /** Waits, but not longer than the client. */
  #wait(delayMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        timer.cancel();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = this.#clock.after(delayMs, done);
      signal.addEventListener('abort', done);
    });
  }
}
