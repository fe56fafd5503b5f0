// The spans of one sampled request. Those of its steps are created from the recorded phases: at its end, and before a
// call of another server, so that the call's span has its parent.

import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { CallTrace, OutgoingCall } from '../../api/call-trace.ts';
import type { RequestPhase } from '../../api/request-phases.ts';
import type { Clock } from '../../base/clock.ts';
import type { RequestContext, RequestTrace } from '../../http/request-context.ts';
import type { CallObserver } from '../../store/etcd/rpc.ts';
import {
  answerAttributes,
  callAttributes,
  etcdAttributes,
  readAttributes,
  verbSpan,
  writeAttributes,
} from './span-attributes.ts';
import { ANSWERED, CACHED_GET, VERB_EVENTS, type VerbEvents, WRITE_SPANS } from './span-events.ts';

/** Nested steps of the handler chain. */
const STEPS: Partial<Record<RequestPhase, string>> = {
  audit: 'audit',
  impersonation: 'impersonation',
  'flow control': 'priorityandfairness',
  authorization: 'authorization',
};

const ADMISSION: ReadonlySet<RequestPhase> = new Set(['mutating admission', 'validating admission', 'store']);

/** The span within which etcd is called. */
interface StoreSpan {
  readonly span: Span;
  /** Undefined for a read. */
  readonly write: (typeof WRITE_SPANS)[string] | undefined;
}

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
  #isOver = false;
  #verb: Span | undefined;
  #store: StoreSpan | undefined;
  /** The moments that the verb's span has events of. */
  readonly #noted = new Set<keyof VerbEvents>();
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

  /** Begins the span of a call of etcd. @returns what ends it */
  callsEtcd(...[method, key]: Parameters<CallObserver>): ReturnType<CallObserver> {
    if (this.#isOver || this.#context.counted !== 'resource' || this.#context.longRunning !== undefined)
      return undefined;
    this.#catchUp();
    this.#enterVerb();
    const startTime = this.#clock.now();
    const store = this.#storeSpan(method, key, startTime);
    for (const name of store?.write?.sent ?? []) store?.span.addEvent(name, startTime);
    const attributes = etcdAttributes(method);
    const span = this.#begin(`etcdserverpb.${method}`, { startTime, kind: SpanKind.CLIENT, attributes }, store?.span);
    span.addEvent('message', { 'message.type': 'SENT', 'message.id': 1 }, startTime);
    return (isAnswered) => {
      const endMs = this.#clock.now();
      if (isAnswered) span.addEvent('message', { 'message.type': 'RECEIVED', 'message.id': 1 }, endMs);
      else span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endMs);
      for (const name of store?.write?.answered ?? []) store?.span.addEvent(name, endMs);
    };
  }

  decoded(): void {
    this.#catchUp();
    this.#note('decoded', this.#clock.now());
  }

  serializes(contentType: string): void {
    if (this.#response !== undefined) return;
    const startTime = this.#clock.now();
    this.#response = { contentType, startTime };
    this.#catchUp();
    this.#enterVerb();
    this.#endStore(startTime);
    this.#note('answers', startTime);
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
    this.#isOver = true;
    this.#endStore(endMs);
    if (this.#response !== undefined) this.#verb?.addEvent(ANSWERED, endMs);
    if (this.#response !== undefined && this.#context.longRunning === undefined) {
      const { contentType, startTime } = this.#response;
      const attributes = answerAttributes(this.#context, contentType);
      const span = this.#begin('SerializeObject', { startTime, attributes });
      span.addEvent('About to start writing response', startTime);
      span.addEvent('Write call succeeded', endMs);
      span.end(endMs);
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
        if (ADMISSION.has(phase)) this.#note('admitted', this.#sinceMs);
        if (phase === 'store' && this.#store !== undefined) this.#endStore(phaseEndMs);
        else this.#begin(phase, { startTime: this.#sinceMs }).end(phaseEndMs);
        if (phase === 'reading the body') this.#note('read', phaseEndMs);
        else if (phase === 'store') this.#note('stored', phaseEndMs);
      }
      this.#sinceMs = phaseEndMs;
    }
  }

  #enterVerb(): void {
    const verb = this.#isInVerb ? undefined : verbSpan(this.#context);
    if (verb === undefined) return;
    this.#isInVerb = true;
    this.#verb = this.#begin(verb.name, { startTime: this.#sinceMs, attributes: verb.attributes });
    this.#open.push(this.#verb);
    this.#note('begins', this.#sinceMs);
  }

  /** Adds the events of a moment to the verb's span, once. */
  #note(moment: keyof VerbEvents, timeMs: number): void {
    if (this.#verb === undefined || this.#noted.has(moment)) return;
    this.#noted.add(moment);
    for (const name of VERB_EVENTS[this.#context.info.verb]?.[moment] ?? []) this.#verb.addEvent(name, timeMs);
  }

  /** The span of a write, or of the read of an object, within which etcd is called. */
  #storeSpan(method: string, key: string | undefined, nowMs: number): StoreSpan | undefined {
    if (this.#store !== undefined) return this.#store;
    const { verb } = this.#context.info;
    const write = method === 'KV/Txn' ? WRITE_SPANS[verb] : undefined;
    if (write !== undefined) {
      this.#note('admitted', this.#sinceMs);
      const span = this.#begin(write.name, {
        startTime: this.#sinceMs,
        attributes: writeAttributes(this.#context, key),
      });
      for (const name of write.begins) span.addEvent(name, this.#sinceMs);
      this.#store = { span, write };
    } else if (method === 'KV/Range' && verb === 'get') {
      const span = this.#begin(CACHED_GET.name, { startTime: nowMs, attributes: readAttributes(this.#context) });
      span.addEvent(CACHED_GET.begins, nowMs);
      this.#store = { span, write };
    }
    return this.#store;
  }

  #endStore(endMs: number): void {
    this.#store?.span.end(endMs);
    this.#store = undefined;
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
