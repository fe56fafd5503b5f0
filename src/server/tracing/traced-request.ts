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
import type { RequestContext } from '../../http/request-context.ts';
import type { RequestTrace } from '../../http/request-trace.ts';
import { isSince } from '../../lifecycle/version.ts';
import type { CallObserver } from '../../store/etcd/rpc.ts';
import {
  callAttributes,
  calledAttributes,
  etcdAttributes,
  responseAttributes,
  type SpanRelease,
} from './call-attributes.ts';
import {
  answerAttributes,
  cacheAttributes,
  etcdReadAttributes,
  readAttributes,
  verbAttributes,
  verbSpan,
  watchAttributes,
  writeAttributes,
} from './span-attributes.ts';
import {
  answeredEvent,
  cacheWords,
  readWords,
  type StoreWords,
  tracesWatchLists,
  type VerbEvents,
  verbEvents,
  WATCH_LIST,
  writeWords,
} from './span-events.ts';

/** Nested steps of the handler chain. */
const STEPS: Partial<Record<RequestPhase, string>> = {
  audit: 'audit',
  impersonation: 'impersonation',
  'flow control': 'priorityandfairness',
  authorization: 'authorization',
};

const ADMISSION: ReadonlySet<RequestPhase> = new Set(['mutating admission', 'validating admission', 'store']);

/** The first minor release of Kubernetes 1 in which calls of etcd have no events for their messages. */
const WITHOUT_MESSAGES = 37;

/** The span within which etcd is called. */
interface StoreSpan {
  readonly span: Span;
  readonly words: StoreWords;
}

interface TracedRequestNeeds {
  readonly tracer: Tracer;
  readonly clock: Clock;
  readonly release: SpanRelease;
}

interface SpanMaking {
  readonly startTime: number;
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
}

export class TracedRequest implements RequestTrace {
  readonly #tracer: Tracer;
  readonly #clock: Clock;
  readonly #release: SpanRelease;
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
  /** Whether the verb's object was read from etcd, or with its help. */
  #hasRead = false;
  /** The moments that the verb's span has events of. */
  readonly #noted = new Set<keyof VerbEvents>();
  /** The response that is an object. */
  #response: { readonly contentType: string; readonly startTime: number } | undefined;

  constructor(context: RequestContext, root: Span, { tracer, clock, release }: TracedRequestNeeds) {
    this.#tracer = tracer;
    this.#release = release;
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
    const attributes = callAttributes(call, this.#release);
    const span = this.#begin(`HTTP ${call.method}`, { startTime, kind, attributes }, about);
    return {
      headers: traceHeaders(span),
      over: (status) => {
        const endMs = this.#clock.now();
        if (status !== undefined) span.setAttributes(calledAttributes(status, this.#release));
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
    for (const name of store?.words.sent ?? []) store?.span.addEvent(name, startTime);
    const attributes = etcdAttributes(method, this.#release);
    const span = this.#begin(`etcdserverpb.${method}`, { startTime, kind: SpanKind.CLIENT, attributes }, store?.span);
    this.#message(span, 'SENT', startTime);
    return (isAnswered) => {
      const endMs = this.#clock.now();
      if (isAnswered) this.#message(span, 'RECEIVED', endMs);
      else span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endMs);
      for (const name of store?.words.answered ?? []) store?.span.addEvent(name, endMs);
    };
  }

  #message(span: Span, type: 'SENT' | 'RECEIVED', timeMs: number): void {
    if (isSince(this.#release, WITHOUT_MESSAGES)) return;
    span.addEvent('message', { 'message.type': type, 'message.id': 1 }, timeMs);
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
    this.#addCacheRead(startTime);
    this.#note('answers', startTime);
  }

  listed(contentType: string): void {
    if (!tracesWatchLists(this.#release)) return;
    this.#catchUp();
    const endMs = this.#clock.now();
    const startTime = this.#sinceMs;
    const { verb, cache, response } = WATCH_LIST;
    const whole = this.#begin(verb, { startTime, attributes: verbAttributes(this.#context) });
    const watch = this.#begin(cache.name, { startTime, attributes: cacheAttributes(this.#context) }, whole);
    for (const name of cache.events) watch.addEvent(name, startTime);
    watch.end(startTime);
    const attributes = watchAttributes(this.#context, contentType);
    const written = this.#begin(response.name, { startTime, attributes }, whole);
    written.addEvent(response.begins, startTime);
    written.addEvent(response.listed, endMs);
    for (const span of [written, whole]) span.end(endMs);
  }

  /** The span of a read from memory, unless the object was read with the help of etcd. */
  #addCacheRead(endMs: number): void {
    const { verb } = this.#context.info;
    const words = this.#verb === undefined ? undefined : cacheWords(verb, this.#release);
    if (words === undefined || (verb === 'get' && this.#hasRead)) return;
    const attributes = (verb === 'get' ? readAttributes : cacheAttributes)(this.#context);
    const span = this.#begin(words.name, { startTime: this.#sinceMs, attributes });
    for (const name of words.events) span.addEvent(name, endMs);
    span.end(endMs);
  }

  over(): void {
    const endMs = this.#clock.now();
    this.#open[0]?.setAttributes(responseAttributes(this.#context, this.#release));
    this.#catchUp();
    this.#enterVerb();
    this.#isOver = true;
    this.#endStore(endMs);
    const answered = answeredEvent(this.#context.info.verb, this.#release);
    if (this.#response !== undefined && answered !== undefined) this.#verb?.addEvent(answered, endMs);
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
    const events = verbEvents(this.#context.info.verb, this.#release);
    for (const name of events[moment] ?? []) this.#verb.addEvent(name, timeMs);
  }

  /** The span of a write, or of the read of an object, within which etcd is called. */
  #storeSpan(method: string, key: string | undefined, nowMs: number): StoreSpan | undefined {
    if (this.#store !== undefined) return this.#store;
    const { verb } = this.#context.info;
    const write = method === 'KV/Txn' ? writeWords(verb, this.#release) : undefined;
    if (write !== undefined) {
      this.#note('admitted', this.#sinceMs);
      const span = this.#begin(write.name, {
        startTime: this.#sinceMs,
        attributes: writeAttributes(this.#context, key),
      });
      for (const name of write.begins) span.addEvent(name, this.#sinceMs);
      this.#store = { span, words: write };
    } else if (method === 'KV/Range' && verb === 'get') {
      const { words, isPastCache } = readWords(this.#release);
      const attributes = (isPastCache ? etcdReadAttributes : readAttributes)(this.#context);
      const span = this.#begin(words.name, { startTime: nowMs, attributes });
      for (const name of words.begins) span.addEvent(name, nowMs);
      this.#store = { span, words };
      this.#hasRead = true;
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
