// Request timeouts, from the arrival of a request until the last byte of its response is sent. A request without a
// response by then gets 504; a response that the client does not read is aborted, because it occupies memory and
// perhaps a place among the requests in flight. Long-running requests have no timeout.

import { errors } from '../../api/errors.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import { parseGoDuration } from '../../base/go-duration.ts';
import { SlotMap } from '../../base/slot-map.ts';
import type { Query } from '../../verbs/query.ts';
import type { RequestContext } from '../request-context.ts';
import type { RequestInfo } from '../request-info.ts';

/** How often requests are checked for expired deadlines. */
const SWEEP_MS = 1000;

interface DeadlinesOptions {
  readonly clock: Clock;
  /** --request-timeout, in milliseconds: the default and maximum time of a request. */
  readonly requestTimeoutMs: number;
  /** Called for a request whose time is up before its response began. */
  readonly onLate: (context: RequestContext) => void;
  /** Called for a request whose response has begun and is aborted. */
  readonly onBrokenOff?: (context: RequestContext) => void;
}

export class Deadlines {
  readonly #options: DeadlinesOptions;
  /** Requests with the default timeout, in the order in which they expire. */
  readonly #usual = new SlotMap<RequestContext>();
  #numbers = 0;
  /** Requests with a shorter timeout. */
  readonly #shorter = new Map<RequestContext, Timer>();
  #sweep: Timer | undefined;

  constructor(options: DeadlinesOptions) {
    this.#options = options;
  }

  /** @throws ApiError 400 for a timeout that cannot be parsed */
  enter(context: RequestContext): void {
    const { clock, requestTimeoutMs } = this.#options;
    if (isLongRunning(context.info)) return;
    const asked = askedTimeoutMs(context.query);
    const askedForLess = asked > 0 && asked < requestTimeoutMs;
    context.allows(askedForLess ? asked : requestTimeoutMs);
    if (askedForLess) {
      this.#shorter.set(
        context,
        clock.after(asked, () => this.#end(context)),
      );
      return;
    }
    this.#enterUsual(context, context.startMs);
  }

  /** The request has been handled; the deadline remains until its response has been sent. */
  served(context: RequestContext): void {
    const { exchange } = context;
    if (exchange.over) this.leave(context);
    else exchange.whenOver(() => this.leave(context));
  }

  /** The request has ended, or is exempt from deadlines. May be called more than once. */
  leave(context: RequestContext): void {
    if (this.#usual.delete(context.deadline) || this.#shorter.size === 0) return;
    this.#shorter.get(context)?.cancel();
    this.#shorter.delete(context);
  }

  #enterUsual(context: RequestContext, startMs: number): void {
    context.endsBy(++this.#numbers, startMs + this.#options.requestTimeoutMs);
    this.#usual.set(context.deadline, context);
    this.#sweep ??= this.#options.clock.after(SWEEP_MS, () => this.#lookForLate());
  }

  #lookForLate(): void {
    const { clock } = this.#options;
    const now = clock.now();
    this.#sweep = undefined;
    for (const context of this.#usual.values()) {
      if (context.deadlineMs > now) break;
      this.#end(context);
    }
    if (this.#usual.size > 0) this.#sweep ??= clock.after(SWEEP_MS, () => this.#lookForLate());
  }

  #end(context: RequestContext): void {
    this.leave(context);
    const { exchange } = context;
    if (exchange.over) return;
    if (exchange.responded) {
      this.#options.onBrokenOff?.(context);
      exchange.destroy();
      return;
    }
    this.#options.onLate(context);
    // The response that is sent now gets the same time again.
    if (!exchange.over) this.#enterUsual(context, this.#options.clock.now());
  }
}

const LONG_RUNNING_VERBS: ReadonlySet<string> = new Set(['watch', 'proxy']);
const LONG_RUNNING_SUBRESOURCES: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** Whether a request is long-running, by kube-apiserver's rule. */
export function isLongRunning({ isResource, verb, subresource, path }: RequestInfo): boolean {
  if (!isResource) return path.startsWith('/debug/pprof/');
  return LONG_RUNNING_VERBS.has(verb) || LONG_RUNNING_SUBRESOURCES.has(subresource);
}

/** The timeout in the URL, in milliseconds; 0 for none. @throws ApiError 400 */
function askedTimeoutMs(query: Query): number {
  const text = query.text('timeout');
  if (text === '') return 0;
  try {
    return parseGoDuration(text);
  } catch (error) {
    throw errors.badRequest(`invalid timeout specified in the request URL - ${(error as Error).message}`);
  }
}

/** The response to a request that timed out: a Status without kind and apiVersion, as text. */
export const LATE = (() => {
  const { status } = errors.timeout('request did not complete within the allotted timeout');
  const { metadata, status: outcome, message, reason, details, code } = status;
  return {
    code: 504,
    contentType: 'text/plain; charset=utf-8',
    body: `${JSON.stringify({ metadata, status: outcome, message, reason, details, code })}\n`,
  };
})();
