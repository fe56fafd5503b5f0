// Figures of a server from two scrapes of its metrics: requests with latency, flow control, event loop turns, watches
// and stored objects. Figures that a server does not publish are undefined or empty.

import { type Buckets, bucketGrowth, bucketsOf, growth, quantile } from './histogram.ts';
import { type Metrics, type Sample, sumBy } from './metrics-text.ts';

/** The metrics at a point in time, in milliseconds. */
export interface Scrape {
  readonly at: number;
  readonly metrics: Metrics;
}

export interface RequestLine {
  readonly verb: string;
  /** `apps/deployments/scale`; '' for requests that are not for a resource. */
  readonly resource: string;
  readonly total: number;
  readonly perSecond: number;
  /** By status code, since the server started. */
  readonly codes: ReadonlyMap<string, number>;
  /** In seconds; not recorded for long-running requests. */
  readonly median: number | undefined;
  readonly p99: number | undefined;
}

export interface FlowLevel {
  readonly name: string;
  readonly executing: number;
  /** Seats in use, and the current limit. */
  readonly seats: number;
  readonly limit: number | undefined;
  readonly queued: number;
  readonly rejected: number;
  readonly rejectedPerSecond: number;
  readonly dispatchedPerSecond: number;
}

export interface ServerFigures {
  /** In the interval between the scrapes; 0 if there is only one. */
  readonly seconds: number;
  readonly perSecond: number;
  /** Responses with 5xx or 429. */
  readonly failedPerSecond: number;
  readonly median: number | undefined;
  readonly p99: number | undefined;
  readonly inFlight: number;
  readonly queued: number;
  readonly requests: readonly RequestLine[];
  readonly levels: readonly FlowLevel[];
  readonly turns:
    | { readonly perSecond: number; readonly median: number | undefined; readonly p99: number | undefined }
    | undefined;
  /** Open watches by resource. */
  readonly watches: ReadonlyMap<string, number>;
  readonly eventsPerSecond: number;
  /** By the server's resource names. */
  readonly storeBytes: ReadonlyMap<string, number>;
  readonly objects: ReadonlyMap<string, number>;
  readonly memoryBytes: number | undefined;
}

const FLOW = 'apiserver_flowcontrol_';
const TURN = 'keelson_event_loop_turn_seconds_bucket';
const DURATION = 'apiserver_request_duration_seconds_bucket';

const NAMES: ReadonlySet<string> = new Set([
  ...['apiserver_request_total', DURATION, 'apiserver_current_inflight_requests', 'apiserver_longrunning_requests'],
  ...['current_executing_requests', 'current_executing_seats', 'current_inqueue_requests', 'current_limit_seats'].map(
    (name) => FLOW + name,
  ),
  ...['rejected_requests_total', 'dispatched_requests_total'].map((name) => FLOW + name),
  ...[TURN, 'apiserver_watch_events_total', 'apiserver_storage_size_bytes', 'process_resident_memory_bytes'],
  ...['apiserver_resource_objects', 'apiserver_storage_objects'],
]);

/** Whether the figures use this metric. */
export function isFigure(name: string): boolean {
  return NAMES.has(name);
}

const LONG_RUNNING = new Set(['WATCH', 'CONNECT', 'WATCHLIST']);

/** @param before an earlier scrape from which rates and latencies are computed; undefined for the first */
export function figuresOf(before: Scrape | undefined, after: Scrape): ServerFigures {
  const seconds = before === undefined ? 0 : (after.at - before.at) / 1000;
  const read = new Reading(before?.metrics, after.metrics, seconds);
  const latency = read.buckets(DURATION, ({ verb }) => !LONG_RUNNING.has(verb ?? ''));
  return {
    seconds,
    perSecond: total(read.rates('apiserver_request_total', () => '')),
    failedPerSecond: total(
      read.rates('apiserver_request_total', ({ code = '' }) => (isFailure(code) ? '' : undefined)),
    ),
    ...{ median: quantile(0.5, latency), p99: quantile(0.99, latency) },
    inFlight: total(read.sums('apiserver_current_inflight_requests', () => '')),
    queued: total(read.sums(`${FLOW}current_inqueue_requests`, () => '')),
    requests: requestsOf(read),
    levels: levelsOf(read),
    turns: turnsOf(read),
    watches: read.sums('apiserver_longrunning_requests', (labels) =>
      labels['verb'] === 'WATCH' ? resourceOf(labels) : undefined,
    ),
    eventsPerSecond: total(read.rates('apiserver_watch_events_total', () => '')),
    storeBytes: read.sums(
      'apiserver_storage_size_bytes',
      (labels) => labels['storage_cluster_id'] ?? labels['cluster'] ?? 'store',
    ),
    objects: objectsOf(read),
    memoryBytes: read.sums('process_resident_memory_bytes', () => '').get(''),
  };
}

function isFailure(code: string): boolean {
  return code.startsWith('5') || code === '429';
}

type Key = (labels: Sample['labels']) => string | undefined;

/** Two scrapes compared. */
class Reading {
  readonly #before: Metrics | undefined;
  readonly #after: Metrics;
  readonly #seconds: number;

  constructor(before: Metrics | undefined, after: Metrics, seconds: number) {
    this.#before = before;
    this.#after = after;
    this.#seconds = seconds;
  }

  has(name: string): boolean {
    return this.#after.has(name);
  }

  sums(name: string, key: Key): Map<string, number> {
    return sumBy(this.#after.get(name), key);
  }

  rates(name: string, key: Key): Map<string, number> {
    if (this.#before === undefined || this.#seconds <= 0) return new Map();
    const grown = growth(sumBy(this.#before.get(name), key), this.sums(name, key));
    return new Map([...grown].map(([each, more]) => [each, more / this.#seconds]));
  }

  /** For the interval between the scrapes, or since the start if nothing was observed in it. */
  buckets(name: string, includes: (labels: Sample['labels']) => boolean = () => true): Buckets {
    const of = (metrics: Metrics | undefined): Buckets =>
      bucketsOf(metrics?.get(name)?.filter(({ labels }) => includes(labels)));
    const all = of(this.#after);
    const grown = this.#before === undefined ? all : bucketGrowth(of(this.#before), all);
    return (grown.at(-1)?.[1] ?? 0) > 0 ? grown : all;
  }

  /** Buckets by key, read in one pass. */
  bucketsBy(name: string, key: (labels: Sample['labels']) => string): Map<string, Buckets> {
    const grouped = Map.groupBy(this.#after.get(name) ?? [], ({ labels }) => key(labels));
    const known = Map.groupBy(this.#before?.get(name) ?? [], ({ labels }) => key(labels));
    return new Map(
      [...grouped].map(([each, samples]) => {
        const all = bucketsOf(samples);
        const grown = bucketGrowth(bucketsOf(known.get(each)), all);
        return [each, (grown.at(-1)?.[1] ?? 0) > 0 ? grown : all];
      }),
    );
  }
}

function requestsOf(read: Reading): RequestLine[] {
  const key = (labels: Sample['labels']): string => `${labels['verb'] ?? ''} ${resourceOf(labels)}`;
  const rates = read.rates('apiserver_request_total', key);
  const latencies = read.bucketsBy(DURATION, key);
  const codes = new Map<string, Map<string, number>>();
  for (const [text, count] of read.sums(
    'apiserver_request_total',
    (labels) => `${key(labels)}\n${labels['code'] ?? ''}`,
  )) {
    const [line = '', code = ''] = text.split('\n');
    codes.set(line, (codes.get(line) ?? new Map()).set(code, count));
  }
  const lines = [...read.sums('apiserver_request_total', key)].map(([text, count]): RequestLine => {
    const [verb = '', resource = ''] = text.split(' ');
    const latency = LONG_RUNNING.has(verb) ? [] : (latencies.get(text) ?? []);
    return {
      ...{ verb, resource, total: count, perSecond: rates.get(text) ?? 0, codes: codes.get(text) ?? new Map() },
      ...{ median: quantile(0.5, latency), p99: quantile(0.99, latency) },
    };
  });
  return lines.sort((a, b) => b.perSecond - a.perSecond || b.total - a.total);
}

function levelsOf(read: Reading): FlowLevel[] {
  const level: Key = (labels) => labels['priority_level'];
  const gauge = (name: string): Map<string, number> => read.sums(FLOW + name, level);
  const executing = gauge('current_executing_requests');
  const seats = gauge('current_executing_seats');
  const limits = gauge('current_limit_seats');
  const queued = gauge('current_inqueue_requests');
  const rejected = gauge('rejected_requests_total');
  const rejections = read.rates(`${FLOW}rejected_requests_total`, level);
  const dispatched = read.rates(`${FLOW}dispatched_requests_total`, level);
  const names = new Set([...limits.keys(), ...executing.keys(), ...gauge('dispatched_requests_total').keys()]);
  return [...names].sort().map((name) => ({
    name,
    executing: executing.get(name) ?? 0,
    seats: seats.get(name) ?? 0,
    limit: limits.get(name),
    queued: queued.get(name) ?? 0,
    rejected: rejected.get(name) ?? 0,
    rejectedPerSecond: rejections.get(name) ?? 0,
    dispatchedPerSecond: dispatched.get(name) ?? 0,
  }));
}

function turnsOf(read: Reading): ServerFigures['turns'] {
  if (!read.has(TURN)) return undefined;
  const buckets = read.buckets(TURN);
  const perSecond = total(read.rates(TURN, ({ le }) => (le === '+Inf' ? '' : undefined)));
  return { perSecond, median: quantile(0.5, buckets), p99: quantile(0.99, buckets) };
}

/** Servers since 1.34 have group and resource labels, older ones a single label; -1 means that the count failed. */
function objectsOf(read: Reading): Map<string, number> {
  const counted = read.sums('apiserver_resource_objects', resourceOf);
  const objects = counted.size > 0 ? counted : read.sums('apiserver_storage_objects', ({ resource }) => resource);
  return new Map([...objects].filter(([, count]) => count >= 0).sort(([, one], [, other]) => other - one));
}

function resourceOf({ group = '', resource = '', subresource = '' }: Sample['labels']): string {
  const grouped = group === '' ? resource : `${group}/${resource}`;
  return subresource === '' || resource === '' ? grouped || subresource : `${grouped}/${subresource}`;
}

function total(sums: ReadonlyMap<string, number>): number {
  return [...sums.values()].reduce((sum, value) => sum + value, 0);
}
