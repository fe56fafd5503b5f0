// Metrics of requests, and the series of one kind of request, so that serving a request only costs a few additions and
// no lookup by labels.

import type { Clock } from '../base/clock.ts';
import { HighWatermark } from './high-watermark.ts';
import { filterSeconds, objectiveSeconds, requestBodyBytes, requestSeconds, responseBytes } from './metric-bounds.ts';
import type { Counter, Gauge, Histogram, MetricRegistry, Stability } from './metrics.ts';

/** Labels of requests that are counted together. */
export interface RequestLabels {
  /** In upper case: GET, LIST, WATCH, POST, PUT, PATCH, APPLY, DELETE, CONNECT. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** `cluster`, `namespace` or `resource` (one object); '' for others. */
  readonly scope: string;
  /** `apiserver`, `aggregator`; '' for paths without a component. */
  readonly component: string;
}

/** Distinguishes series with otherwise equal labels. */
interface SeriesTraits {
  /** '' or `All`; `invalid` for any other text. */
  readonly dryRun: string;
  /** Whether response sizes are recorded. */
  readonly sized: boolean;
}

export interface RequestOutcome {
  /** The HTTP status. */
  readonly code: number;
  readonly durationSeconds: number;
  /** The parts of the duration for webhooks and queueing. */
  readonly outsideSeconds: number;
  readonly responseBytes: number;
}

const placeLabels = ['verb', 'group', 'version', 'resource', 'subresource', 'scope'] as const;
const requestLabels = [...placeLabels, 'component'] as const;

export type RequestMetrics = ReturnType<typeof declareRequestMetrics>;

const OBJECTIVE_HELP = 'Latency of requests in seconds, excluding webhooks and queueing.';

export function declareRequestMetrics(registry: MetricRegistry, clock: Clock) {
  const objectiveDuration = registry.histogram(
    {
      name: 'apiserver_request_sli_duration_seconds',
      help: OBJECTIVE_HELP,
      stability: 'ALPHA',
      labels: requestLabels,
    },
    objectiveSeconds,
  );
  const former = { name: 'apiserver_request_slo_duration_seconds', help: OBJECTIVE_HELP, deprecatedIn: '1.27.0' };
  registry.alias({ ...former, stability: 'ALPHA', labels: requestLabels }, 'histogram', objectiveDuration);
  return {
    objectiveDuration,
    total: registry.counter({
      name: 'apiserver_request_total',
      help: 'Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
      stability: 'STABLE',
      labels: [...requestLabels, 'dry_run', 'code'],
    }),
    duration: registry.histogram(
      {
        name: 'apiserver_request_duration_seconds',
        help: 'Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.',
        stability: 'STABLE',
        labels: [...requestLabels, 'dry_run'],
      },
      requestSeconds,
    ),
    responseSizes: registry.histogram(
      {
        name: 'apiserver_response_sizes',
        help: 'Response size distribution in bytes for each group, version, verb, resource, subresource, scope and component.',
        stability: 'STABLE',
        labels: requestLabels,
      },
      responseBytes,
    ),
    bodySizes: registry.histogram(
      {
        name: 'apiserver_request_body_size_bytes',
        help: 'Size of request bodies of writes in bytes.',
        stability: 'ALPHA',
        labels: ['verb', 'group', 'resource'],
      },
      requestBodyBytes,
    ),
    inFlight: collectInFlight(registry, clock),
    longRunning: registry.gauge({
      name: 'apiserver_longrunning_requests',
      help: 'Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component. Not all requests are tracked this way.',
      stability: 'STABLE',
      labels: requestLabels,
    }),
    terminations: registry.counter({
      name: 'apiserver_request_terminations_total',
      help: 'Requests rejected or terminated to protect the server.',
      stability: 'ALPHA',
      labels: [...requestLabels, 'code'],
    }),
    aborts: registry.counter({
      name: 'apiserver_request_aborts_total',
      help: 'Requests whose response was aborted.',
      stability: 'ALPHA',
      labels: placeLabels,
    }),
    ...declareSteps(registry),
    deprecatedApis: registry.gauge({
      name: 'apiserver_requested_deprecated_apis',
      help: 'Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.',
      stability: 'STABLE',
      labels: ['group', 'version', 'resource', 'subresource', 'removed_release'],
      sharedByThreads: true,
    }),
  };
}

function declareSteps(registry: MetricRegistry) {
  return {
    filterDuration: registry.histogram(
      {
        name: 'apiserver_request_filter_duration_seconds',
        help: 'Time that requests spent in each filter in seconds.',
        stability: 'ALPHA',
        labels: ['filter'],
      },
      filterSeconds,
    ),
    afterTimeout: registry.counter({
      name: 'apiserver_request_post_timeout_total',
      help: 'Requests that ended after they had timed out.',
      stability: 'ALPHA',
      labels: ['source', 'status'],
    }),
  };
}

/** Executing and queued requests; the metrics report the maximum of the last second. */
function collectInFlight(registry: MetricRegistry, clock: Clock) {
  const watermarks = () => ({ reading: new HighWatermark(clock), writing: new HighWatermark(clock) });
  const counts = { executing: watermarks(), waiting: watermarks() };
  const labels = ['request_kind'] as const;
  const collect = (of: keyof typeof counts, about: { name: string; help: string; stability: Stability }) =>
    registry.collected({ ...about, labels }, 'gauge', () => [
      { labels: { request_kind: 'mutating' }, value: counts[of].writing.highest },
      { labels: { request_kind: 'readOnly' }, value: counts[of].reading.highest },
    ]);
  collect('executing', {
    name: 'apiserver_current_inflight_requests',
    help: 'Maximal number of currently used inflight request limit of this apiserver per request kind in last second.',
    stability: 'STABLE',
  });
  collect('waiting', {
    name: 'apiserver_current_inqueue_requests',
    help: 'Maximum number of queued requests in the last second, by kind: mutating or readOnly.',
    stability: 'ALPHA',
  });
  return counts;
}

interface Timings {
  readonly duration: Histogram;
  /** Undefined for watches. */
  readonly objectiveDuration: Histogram | undefined;
  readonly responseSizes: Histogram | undefined;
}

/** The series of requests with equal labels; the server keeps one for each combination. */
export class RequestSeries {
  readonly labels: RequestLabels;
  /** Looked up with the first response, because rejected requests have none. */
  #timings: Timings | undefined;
  readonly #newTimings: () => Timings;
  readonly #longRunning: () => Gauge;
  readonly #aborts: () => Counter;
  readonly #newCount: (code: number) => Counter;
  readonly #counts = new Map<number, Counter>();

  constructor(metrics: RequestMetrics, labels: RequestLabels, { dryRun: dry_run, sized }: SeriesTraits) {
    this.labels = labels;
    this.#newTimings = () => ({
      duration: metrics.duration.with({ ...labels, dry_run }),
      objectiveDuration: labels.verb === 'WATCH' ? undefined : metrics.objectiveDuration.with(labels),
      responseSizes: sized ? metrics.responseSizes.with(labels) : undefined,
    });
    this.#aborts = () => metrics.aborts.with(labels);
    this.#longRunning = () => metrics.longRunning.with(labels);
    this.#newCount = (code) => metrics.total.with({ ...labels, dry_run, code: String(code) });
  }

  observe(outcome: RequestOutcome): void {
    this.#count(outcome.code).add();
    this.#timings ??= this.#newTimings();
    const { duration, objectiveDuration, responseSizes } = this.#timings;
    duration.observe(outcome.durationSeconds);
    objectiveDuration?.observe(Math.max(0, outcome.durationSeconds - outcome.outsideSeconds));
    responseSizes?.observe(outcome.responseBytes);
  }

  /** Counts a long-running request, in a gauge to be decremented when it ends. */
  opened(): Gauge {
    const gauge = this.#longRunning();
    gauge.add(1);
    return gauge;
  }

  /** Counts a rejected request, which has no latency. */
  refused(code: number): void {
    this.#count(code).add();
  }

  /** Counts an aborted response. */
  aborted(): void {
    this.#aborts().add();
  }

  #count(code: number): Counter {
    let counter = this.#counts.get(code);
    if (counter === undefined) {
      counter = this.#newCount(code);
      this.#counts.set(code, counter);
    }
    return counter;
  }
}
