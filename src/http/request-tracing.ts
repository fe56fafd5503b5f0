// The seam between requests and traces: who serves requests knows only this, and nothing is there where no traces are
// wanted.

import type { RequestContext, RequestTrace } from './request-context.ts';

export interface RequestTracing {
  /** Begins the trace of a request, once it is known who asks; undefined where it is not sampled. */
  begins(context: RequestContext): RequestTrace | undefined;
}
