// Request traces with OpenTelemetry: a span for each sampled request, with child spans for its phases, with
// kube-apiserver's names and attributes. Loaded only with --tracing-config-file.

import { AsyncLocalStorage } from 'node:async_hooks';
import grpc from '@grpc/grpc-js';
import { diag, ROOT_CONTEXT, type Span, type SpanContext, SpanKind, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { CallTrace, OutgoingCall } from '../../api/call-trace.ts';
import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import type { RequestTracing } from '../../http/filters/request-tracing.ts';
import type { RequestContext } from '../../http/request-context.ts';
import type { RequestTrace } from '../../http/request-trace.ts';
import type { CallObserver } from '../../store/etcd/rpc.ts';
import { requestAttributes, type SpanRelease } from './call-attributes.ts';
import { spanName } from './span-attributes.ts';
import { TracedRequest, traceHeaders } from './traced-request.ts';
import type { TracingConfiguration } from './tracing-configuration.ts';

/** Groups whose trace context is continued; requests of other users start a new trace. */
const TRUSTED: readonly string[] = ['system:masters', 'system:monitoring'];
const MILLION = 1_000_000;

/** The current request. */
interface Current {
  readonly span: Span;
  /** Undefined if it is not sampled. */
  readonly request: TracedRequest | undefined;
}

interface RequestSpansNeeds {
  readonly clock: Clock;
  readonly log: Log;
  readonly release: SpanRelease;
  /** Distinguishes this server from others in traces. */
  readonly instanceId: string;
}

export class RequestSpans implements RequestTracing {
  readonly #clock: Clock;
  readonly #release: SpanRelease;
  readonly #provider: TracerProvider;
  readonly #current = new AsyncLocalStorage<Current>();

  constructor(
    { endpoint, samplingRatePerMillion }: TracingConfiguration,
    { clock, log, release, instanceId }: RequestSpansNeeds,
  ) {
    this.#clock = clock;
    this.#release = release;
    const note = (message: string) => log.warn('traces could not be sent', { fault: message });
    diag.setLogger({ error: note, warn: note, info() {}, debug() {}, verbose() {} });
    const exporter = new OTLPTraceExporter({ url: urlOf(endpoint), credentials: grpc.credentials.createInsecure() });
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'apiserver', 'service.instance.id': instanceId }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(samplingRatePerMillion / MILLION) }),
      spanProcessors: [
        new BatchSpanProcessor({
          exporter,
          maxQueueSize: limits.queuedSpans,
          maxExportBatchSize: limits.spansAtOnce,
          scheduledDelayMillis: limits.spanDelayMs,
        }),
      ],
    });
  }

  begins(context: RequestContext): RequestTrace | undefined {
    const tracer = this.#provider.getTracer('apiserver');
    const caller = callerOf(context.exchange.headers['traceparent']);
    const isTrusted = context.user.groups.some((group) => TRUSTED.includes(group));
    const parent = caller !== undefined && isTrusted ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT;
    const span = tracer.startSpan(
      spanName(context),
      {
        kind: SpanKind.SERVER,
        startTime: this.#clock.now(),
        attributes: requestAttributes(context, this.#release),
        links: caller !== undefined && !isTrusted ? [{ context: caller }] : [],
      },
      parent,
    );
    const needs = { tracer, clock: this.#clock, release: this.#release };
    const request = span.isRecording() ? new TracedRequest(context, span, needs) : undefined;
    this.#current.enterWith({ span, request });
    return request;
  }

  /** A call of another server continues the trace of its request, sampled or not. */
  calls(call: OutgoingCall): CallTrace | undefined {
    const current = this.#current.getStore();
    if (current === undefined) return undefined;
    return current.request?.calls(call) ?? { headers: traceHeaders(current.span), over() {} };
  }

  /** A call of etcd for the current request, if that is sampled. */
  callsEtcd(...call: Parameters<CallObserver>): ReturnType<CallObserver> {
    return this.#current.getStore()?.request?.callsEtcd(...call);
  }

  /** Exports all pending spans. */
  close(): Promise<void> {
    return this.#provider.shutdown();
  }
}

/** Without TLS, as in kube-apiserver. */
function urlOf(endpoint: string): string {
  const dns = /^dns:\/\/[^/]*\/(.*)$/.exec(endpoint)?.[1];
  if (dns !== undefined) return `http://${dns}`;
  return endpoint.includes('://') ? endpoint : `http://${endpoint}`;
}

/** The caller's span, from the W3C header. */
function callerOf(header: string | undefined): SpanContext | undefined {
  const parts = /^[0-9a-e][0-9a-f]-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header ?? '');
  const [, traceId = '', spanId = '', flags = ''] = parts ?? [];
  if (parts === null || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}
