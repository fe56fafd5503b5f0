// The requests being served: how many there are, so that no more come than can be served well, and how long each has
// taken, so that none is left without an answer. Watches leave the count when they begin to stream.

import { errors } from '../api/errors.ts';
import { MASTERS } from '../auth/user.ts';
import type { Clock, Timer } from '../base/clock.ts';
import type { Gauge } from '../lifecycle/metrics.ts';
import type { ApiSettings } from './api-services.ts';
import type { RequestContext } from './request-context.ts';

/** How often requests are looked at for having taken too long. */
const SWEEP_MS = 1000;

export interface InFlightOptions {
  readonly clock: Clock;
  readonly settings: ApiSettings;
  readonly gauges: { readonly reading: Gauge; readonly writing: Gauge };
  /** Called for a request whose time is over and that has no answer yet. */
  readonly onLate: (context: RequestContext) => void;
}

export class InFlight {
  readonly #options: InFlightOptions;
  /** In the order they came. */
  readonly #open = new Set<RequestContext>();
  #reading = 0;
  #writing = 0;
  #sweep: Timer | undefined;

  constructor(options: InFlightOptions) {
    this.#options = options;
  }

  enter(context: RequestContext): void {
    this.#open.add(context);
    this.#count(context, 1);
    this.#sweep ??= this.#options.clock.after(SWEEP_MS, () => this.#lookForLate());
  }

  /** May be called more than once. */
  leave(context: RequestContext): void {
    if (this.#open.delete(context)) this.#count(context, -1);
  }

  /** Refuses what comes on top of the allowed number; administrators are let through, to mend things. @throws ApiError 429 */
  admit(context: RequestContext): void {
    const { maxRequestsInFlight, maxMutatingRequestsInFlight } = this.#options.settings;
    const [count, allowed] = context.mutating
      ? [this.#writing, maxMutatingRequestsInFlight]
      : [this.#reading, maxRequestsInFlight];
    if (allowed === 0 || count <= allowed || context.user.groups.includes(MASTERS)) return;
    throw errors.tooManyRequests('Too many requests, please try again later.', 1);
  }

  #count({ mutating }: RequestContext, change: number): void {
    const { gauges } = this.#options;
    if (mutating) gauges.writing.set((this.#writing += change));
    else gauges.reading.set((this.#reading += change));
  }

  #lookForLate(): void {
    const { clock, settings, onLate } = this.#options;
    const oldest = clock.now() - settings.requestTimeoutMs;
    for (const context of this.#open) {
      if (context.startMs > oldest) break;
      if (!context.exchange.responded) onLate(context);
    }
    this.#sweep = this.#open.size === 0 ? undefined : clock.after(SWEEP_MS, () => this.#lookForLate());
  }
}
