// Interface of admission to the server's capacity, used by the handler chain, and the response to rejected requests.

import type { Soon } from '../../base/soon.ts';
import type { HighWatermark } from '../../lifecycle/high-watermark.ts';
import type { RequestContext } from '../request-context.ts';

export interface RequestGate {
  /** Returns or resolves when the request may continue, or was rejected and answered. */
  admit(context: RequestContext): Soon<void>;
}

/** The current number of requests, by kind. */
export interface RequestCounts {
  readonly reading: HighWatermark;
  readonly writing: HighWatermark;
}

export interface InFlightCounts {
  readonly executing: RequestCounts;
  readonly waiting: RequestCounts;
}

/** Whether a verb is read-only. */
export function isReading(verb: string): boolean {
  return verb === 'get' || verb === 'list' || verb === 'watch';
}

/** Responds with 429 as Kubernetes does: in plain text. */
export function refuseTooMany(context: RequestContext, retryAfterSeconds: number): void {
  context.rejected();
  const headers = {
    ...context.headers('text/plain; charset=utf-8'),
    'x-content-type-options': 'nosniff',
    'retry-after': String(retryAfterSeconds),
  };
  context.respond(429, headers, 'Too many requests, please try again later.\n');
}
