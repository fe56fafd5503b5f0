// Interface between requests and tracing, which is absent without tracing.

import type { TraceCall } from '../../api/call-trace.ts';
import type { RequestContext } from '../request-context.ts';
import type { RequestTrace } from '../request-trace.ts';

export interface RequestTracing {
  /** Begins the trace of a request after authentication; undefined if it is not sampled. */
  begins(context: RequestContext): RequestTrace | undefined;
  /** Begins the span of a call to another server. */
  readonly calls: TraceCall;
}
