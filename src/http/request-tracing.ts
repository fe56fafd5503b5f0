// The seam between requests and traces: who serves requests knows only this, and nothing is there where no traces are
// wanted.

import type { TraceCall } from '../api/call-trace.ts';
import type { RequestContext, RequestTrace } from './request-context.ts';

export interface RequestTracing {
  /** Begins the trace of a request, once it is known who asks; undefined where it is not sampled. */
  begins(context: RequestContext): RequestTrace | undefined;
  /** Begins the part that a call of another server has in it. */
  readonly calls: TraceCall;
}
