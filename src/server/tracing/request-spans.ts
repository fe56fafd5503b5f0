// Traces of requests by OpenTelemetry: a span for each that is sampled, with spans below it for what its time went to,
// under the names and attributes that kube-apiserver gives them. Loaded only where --tracing-config-file is given.

import { AsyncLocalStorage } from 'node:async_hooks';
import grpc from '@grpc/grpc-js';
import { type Attributes, diag, ROOT_CONTEXT, type Span, type SpanContext, SpanKind, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { RequestPhase } from '../../api/request-phases.ts';
import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import { lookup } from '../../base/lookup.ts';
import type { RequestContext, RequestTrace } from '../../http/request-context.ts';
import type { RequestInfo } from '../../http/request-info.ts';
import type { RequestTracing } from '../../http/request-tracing.ts';
import type { TracingConfiguration } from './tracing-configuration.ts';

/** Groups whose traces are gone on with; requests of others begin one of their own. */
const TRUSTED: readonly string[] = ['system:masters', 'system:monitoring'];
const MILLION = 1_000_000;

/** Steps of the pipeline, each of which calls the next. */
const STEPS: Partial<Record<RequestPhase, string>> = {
  audit: 'audit',
  impersonation: 'impersonation',
  'flow control': 'priorityandfairness',
  authorization: 'authorization',
};

const VERBS: Readonly<Record<string, string>> = lookup({
  get: 'Get',
  list: 'List',
  watch: 'Watch',
  create: 'Create',
  update: 'Update',
  patch: 'Patch',
  delete: 'Delete',
  deletecollection: 'DeleteCollection',
});

interface RequestSpansNeeds {
  readonly clock: Clock;
  readonly log: Log;
  /** Tells this server from others in the traces. */
  readonly instanceId: string;
}

export class RequestSpans implements RequestTracing {
  readonly #clock: Clock;
  readonly #provider: TracerProvider;
  readonly #current = new AsyncLocalStorage<Span>();

  constructor(
    { endpoint, samplingRatePerMillion }: TracingConfiguration,
    { clock, log, instanceId }: RequestSpansNeeds,
  ) {
    this.#clock = clock;
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
        attributes: requestAttributes(context),
        links: caller !== undefined && !isTrusted ? [{ context: caller }] : [],
      },
      parent,
    );
    this.#current.enterWith(span);
    if (!span.isRecording()) return undefined;
    return { over: () => this.#end(context, span) };
  }

  /** Headers by which whoever is asked on behalf of a request goes on with its trace. */
  outgoing(): Readonly<Record<string, string>> {
    const span = this.#current.getStore();
    if (span === undefined) return {};
    const { traceId, spanId, traceFlags } = span.spanContext();
    return { traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}` };
  }

  /** Sends what has not been sent. */
  close(): Promise<void> {
    return this.#provider.shutdown();
  }

  #end(context: RequestContext, span: Span): void {
    const endMs = this.#clock.now();
    span.setAttributes({
      'http.status_code': context.status,
      'http.response_content_length': context.responseBytes,
    });
    this.#phases(context, span, endMs);
    span.end(endMs);
  }

  /** Spans of phases that are over: each step of the pipeline around those that follow, the others beside each other. */
  #phases(context: RequestContext, root: Span, endMs: number): void {
    const tracer = this.#provider.getTracer('apiserver');
    const open: Span[] = [root];
    const begin = (name: string, startMs: number, attributes: Attributes = {}): Span => {
      const parent = trace.setSpan(ROOT_CONTEXT, open.at(-1)!);
      return tracer.startSpan(name, { startTime: startMs, attributes }, parent);
    };
    let sinceMs = context.startMs;
    let isInVerb = false;
    const enterVerb = (): void => {
      if (isInVerb || !context.info.isResource) return;
      isInVerb = true;
      open.push(begin(VERBS[context.info.verb] ?? context.info.verb, sinceMs, verbAttributes(context)));
    };
    for (const [phase, phaseEndMs] of context.phases ?? []) {
      const step = STEPS[phase];
      if (step !== undefined) open.push(begin(step, sinceMs));
      else if (phase !== 'authentication') {
        enterVerb();
        begin(phase, sinceMs).end(phaseEndMs);
      }
      sinceMs = phaseEndMs;
    }
    enterVerb();
    if (isInVerb) begin('SerializeObject', sinceMs).end(endMs);
    for (const span of open.slice(1).reverse()) span.end(endMs);
  }
}

/** Without TLS, as kube-apiserver sends them. */
function urlOf(endpoint: string): string {
  const dns = /^dns:\/\/[^/]*\/(.*)$/.exec(endpoint)?.[1];
  if (dns !== undefined) return `http://${dns}`;
  return endpoint.includes('://') ? endpoint : `http://${endpoint}`;
}

/** The span of a caller, by the header of the W3C. */
function callerOf(header: string | undefined): SpanContext | undefined {
  const parts = /^[0-9a-e][0-9a-f]-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header ?? '');
  const [, traceId = '', spanId = '', flags = ''] = parts ?? [];
  if (parts === null || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

/** `GET /api/v1/namespaces/{:namespace}/configmaps/{:name}`; the method alone for what is no resource. */
function spanName({ exchange, info }: RequestContext): string {
  if (!info.isResource) return exchange.method;
  const { group, version, namespace, resource, name, subresource } = info;
  const parts = [group === '' ? `/api/${version}` : `/apis/${group}/${version}`];
  if (namespace !== '') parts.push('namespaces/{:namespace}');
  if (resource !== 'namespaces' || namespace === '') parts.push(resource);
  if (name !== '' && !(resource === 'namespaces' && namespace !== '')) parts.push('{:name}');
  if (subresource !== '') parts.push(subresource);
  return `${exchange.method} ${parts.join('/')}`;
}

function requestAttributes({ exchange, auditId }: RequestContext): Attributes {
  return {
    'http.method': exchange.method,
    'http.scheme': 'https',
    'http.target': exchange.target,
    'user_agent.original': exchange.headers['user-agent'] ?? '',
    'audit-id': auditId,
  };
}

function verbAttributes({ exchange, info, auditId }: RequestContext): Attributes {
  return {
    accept: exchange.headers.accept ?? '',
    'audit-id': auditId,
    client: exchange.remoteAddress,
    'api-group': info.group,
    'api-version': info.version,
    name: info.name,
    namespace: info.namespace,
    subresource: info.subresource,
    protocol: exchange.protocol,
    resource: info.resource,
    scope: scopeOf(info),
    url: exchange.target,
    'user-agent': exchange.headers['user-agent'] ?? '',
    verb: exchange.method,
  };
}

function scopeOf({ name, namespace }: RequestInfo): string {
  if (name !== '') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}
