// The time that requests may take, from their arrival until the last byte of their answer has left. Whoever has no answer
// by then gets 504; one whose client does not take the answer is broken off, for it holds memory and perhaps a place among
// the requests in flight. Long-running requests have no deadline.

import { errors } from '../api/errors.ts';
import type { Clock, Timer } from '../base/clock.ts';
import { parseGoDuration } from '../base/go-duration.ts';
import { SlotMap } from '../base/slot-map.ts';
import type { Query } from '../verbs/query.ts';
import type { RequestContext } from './request-context.ts';
import type { RequestInfo } from './request-info.ts';

/** How often requests are looked at for having taken too long. */
const SWEEP_MS = 1000;

interface DeadlinesOptions {
  readonly clock: Clock;
  /** --request-timeout, in milliseconds: what a request may take that asks for nothing else, and the most it may ask for. */
  readonly requestTimeoutMs: number;
  /** Called for a request whose time is over and that has no answer yet. */
  readonly onLate: (context: RequestContext) => void;
  /** Called for a request whose answer had begun and is broken off. */
  readonly onBrokenOff?: (context: RequestContext) => void;
}

export class Deadlines {
  readonly #options: DeadlinesOptions;
  /** Those with the usual time, the first to end first. */
  readonly #usual = new SlotMap<RequestContext>();
  #numbers = 0;
  /** Those that asked for less. */
  readonly #shorter = new Map<RequestContext, Timer>();
  #sweep: Timer | undefined;

  constructor(options: DeadlinesOptions) {
    this.#options = options;
  }

  /** @throws ApiError 400 for a time that nobody can read */
  enter(context: RequestContext): void {
    const { clock, requestTimeoutMs } = this.#options;
    if (isLongRunning(context.info)) return;
    const asked = askedTimeoutMs(context.query);
    const askedForLess = asked > 0 && asked < requestTimeoutMs;
    context.allowedMs = askedForLess ? asked : requestTimeoutMs;
    if (askedForLess) {
      this.#shorter.set(
        context,
        clock.after(asked, () => this.#end(context)),
      );
      return;
    }
    this.#enterUsual(context, context.startMs);
  }

  /** The request has been served; its deadline stands until its answer has left. */
  served(context: RequestContext): void {
    const { exchange } = context;
    if (exchange.over) this.leave(context);
    else exchange.whenOver(() => this.leave(context));
  }

  /** The request is over, or no deadline is to end it. May be called more than once. */
  leave(context: RequestContext): void {
    if (this.#usual.delete(context.deadline) || this.#shorter.size === 0) return;
    this.#shorter.get(context)?.cancel();
    this.#shorter.delete(context);
  }

  #enterUsual(context: RequestContext, startMs: number): void {
    context.deadline = ++this.#numbers;
    context.deadlineMs = startMs + this.#options.requestTimeoutMs;
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
    // The answer that it gets now must leave as well, in as much time again.
    if (!exchange.over) this.#enterUsual(context, this.#options.clock.now());
  }
}

const LONG_RUNNING_VERBS: ReadonlySet<string> = new Set(['watch', 'proxy']);
const LONG_RUNNING_SUBRESOURCES: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** Whether a request may stay open, by kube-apiserver's rule. */
export function isLongRunning({ isResource, verb, subresource, path }: RequestInfo): boolean {
  if (!isResource) return path.startsWith('/debug/pprof/');
  return LONG_RUNNING_VERBS.has(verb) || LONG_RUNNING_SUBRESOURCES.has(subresource);
}

/** Milliseconds that the request asks for in its URL; 0 where it asks for none. @throws ApiError 400 */
function askedTimeoutMs(query: Query): number {
  const text = query.text('timeout');
  if (text === '') return 0;
  try {
    return parseGoDuration(text);
  } catch (error) {
    throw errors.badRequest(`invalid timeout specified in the request URL - ${(error as Error).message}`);
  }
}

/** What a request without an answer gets: a Status that names neither its kind nor its version, as text. */
export const LATE = (() => {
  const { status } = errors.timeout('request did not complete within the allotted timeout');
  const { metadata, status: outcome, message, reason, details, code } = status;
  return {
    code: 504,
    contentType: 'text/plain; charset=utf-8',
    body: `${JSON.stringify({ metadata, status: outcome, message, reason, details, code })}\n`,
  };
})();
