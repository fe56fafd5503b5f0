// The gate that lets requests in, which the pipeline asks, and the answer to those who find no room.

import type { Soon } from '../base/soon.ts';
import type { HighWatermark } from '../lifecycle/high-watermark.ts';
import type { RequestContext } from './request-context.ts';

export interface RequestGate {
  /** Returns or resolves when the request may go on, or when it was refused and has been answered. */
  admit(context: RequestContext): Soon<void>;
}

/** How many requests there are now, by what they do. */
export interface RequestCounts {
  readonly reading: HighWatermark;
  readonly writing: HighWatermark;
}

export interface InFlightCounts {
  readonly executing: RequestCounts;
  readonly waiting: RequestCounts;
}

/** Whether a verb changes nothing. */
export function isReading(verb: string): boolean {
  return verb === 'get' || verb === 'list' || verb === 'watch';
}

/** Answers 429, as Kubernetes does: in plain text. */
export function refuseTooMany(context: RequestContext, retryAfterSeconds: number): void {
  context.refused = true;
  const headers = {
    ...context.headers('text/plain; charset=utf-8'),
    'x-content-type-options': 'nosniff',
    'retry-after': String(retryAfterSeconds),
  };
  context.respond(429, headers, 'Too many requests, please try again later.\n');
}
