// The requests being served: how many there are, so that no more come than can be served well. Watches leave the count
// when their initial events have left.

import { errors } from '../api/errors.ts';
import { MASTERS } from '../auth/user.ts';
import type { Gauge } from '../lifecycle/metrics.ts';
import type { ApiSettings } from './api-services.ts';
import type { RequestContext } from './request-context.ts';

export interface InFlightOptions {
  readonly settings: ApiSettings;
  readonly gauges: { readonly reading: Gauge; readonly writing: Gauge };
}

export class InFlight {
  readonly #options: InFlightOptions;
  readonly #open = new Set<RequestContext>();
  #reading = 0;
  #writing = 0;

  constructor(options: InFlightOptions) {
    this.#options = options;
  }

  enter(context: RequestContext): void {
    this.#open.add(context);
    this.#count(context, 1);
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
}
