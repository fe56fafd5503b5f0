// The spans of one sampled request. Those of its steps are created from the recorded phases: at its end, and before a
// call of another server, so that the call's span has its parent.

import { type Attributes, ROOT_CONTEXT, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import type { CallTrace, OutgoingCall } from '../../api/call-trace.ts';
import type { RequestPhase } from '../../api/request-phases.ts';
import type { Clock } from '../../base/clock.ts';
import type { RequestContext, RequestTrace } from '../../http/request-context.ts';
import { answerAttributes, callAttributes, verbSpan } from './span-attributes.ts';

/** Nested steps of the handler chain. */
const STEPS: Partial<Record<RequestPhase, string>> = {
  audit: 'audit',
  impersonation: 'impersonation',
  'flow control': 'priorityandfairness',
  authorization: 'authorization',
};

interface SpanMaking {
  readonly startTime: number;
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
}

export class TracedRequest implements RequestTrace {
  readonly #tracer: Tracer;
  readonly #clock: Clock;
  readonly #context: RequestContext;
  /** The root, and within it each step around the following ones. */
  readonly #open: Span[];
  /** The number of phases that have spans. */
  #made = 0;
  #sinceMs: number;
  #isInVerb = false;
  /** The response that is an object. */
  #response: { readonly contentType: string; readonly startTime: number } | undefined;

  constructor(context: RequestContext, root: Span, { tracer, clock }: { tracer: Tracer; clock: Clock }) {
    this.#tracer = tracer;
    this.#clock = clock;
    this.#context = context;
    this.#open = [root];
    this.#sinceMs = context.startMs;
  }

  /** Begins the span of a call of another server, within one that describes its purpose. */
  calls(call: OutgoingCall): CallTrace {
    this.#catchUp();
    if (this.#context.counted === 'resource') this.#enterVerb();
    const startTime = this.#clock.now();
    const { reason } = call;
    const about = reason && this.#begin(reason.name, { startTime, attributes: { ...reason.attributes } });
    const kind = SpanKind.CLIENT;
    const span = this.#begin(`HTTP ${call.method}`, { startTime, kind, attributes: callAttributes(call) }, about);
    return {
      headers: traceHeaders(span),
      over: (status) => {
        const endMs = this.#clock.now();
        if (status !== undefined) span.setAttribute('http.status_code', status);
        span.end(endMs);
        about?.end(endMs);
      },
    };
  }

  serializes(contentType: string): void {
    this.#response ??= { contentType, startTime: this.#clock.now() };
  }

  over(): void {
    const endMs = this.#clock.now();
    const { status, responseBytes } = this.#context;
    this.#open[0]?.setAttributes({
      'http.status_code': status,
      ...(responseBytes > 0 ? { 'http.response_content_length': responseBytes } : {}),
    });
    this.#catchUp();
    this.#enterVerb();
    if (this.#response !== undefined && this.#context.longRunning === undefined) {
      const { contentType, startTime } = this.#response;
      const attributes = answerAttributes(this.#context, contentType);
      this.#begin('SerializeObject', { startTime, attributes }).end(endMs);
    }
    for (const span of this.#open.toReversed()) span.end(endMs);
  }

  /** Creates spans for phases recorded since the last call. */
  #catchUp(): void {
    const { phases = [] } = this.#context;
    for (const [phase, phaseEndMs] of phases.slice(this.#made)) {
      this.#made++;
      const step = STEPS[phase];
      if (step !== undefined) this.#open.push(this.#begin(step, { startTime: this.#sinceMs }));
      else if (phase !== 'authentication') {
        this.#enterVerb();
        this.#begin(phase, { startTime: this.#sinceMs }).end(phaseEndMs);
      }
      this.#sinceMs = phaseEndMs;
    }
  }

  #enterVerb(): void {
    const verb = this.#isInVerb ? undefined : verbSpan(this.#context);
    if (verb === undefined) return;
    this.#isInVerb = true;
    this.#open.push(this.#begin(verb.name, { startTime: this.#sinceMs, attributes: verb.attributes }));
  }

  #begin(name: string, making: SpanMaking, parent: Span = this.#open.at(-1)!): Span {
    return this.#tracer.startSpan(name, making, trace.setSpan(ROOT_CONTEXT, parent));
  }
}

/** W3C headers with which the callee continues the trace. */
export function traceHeaders(span: Span): Readonly<Record<string, string>> {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return { traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}` };
}
