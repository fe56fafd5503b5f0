// Metrics of priority and fairness, and the series of each priority level and FlowSchema, so that a request only costs
// a few additions and no lookup by labels.

import type { Clock } from '../base/clock.ts';
import { estimatedSeats, queueLengths, utilizationBounds, waitSeconds, watcherCounts } from './flow-metric-bounds.ts';
import type { Counter, Gauge, Histogram, MetricRegistry } from './metrics.ts';
import { TimingRatio } from './timing-histogram.ts';

/** Why a request was rejected. */
export type RefusalReason = 'queue-full' | 'concurrency-limit' | 'time-out';

const LEVEL = ['priority_level'] as const;
const FLOW = ['priority_level', 'flow_schema'] as const;

export type FlowMetrics = ReturnType<typeof declareFlowMetrics>;

const IN_USE_HELP =
  'Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any stage otherwise) requests in the API Priority and Fairness subsystem';
const NOMINAL_HELP = 'Nominal number of execution seats configured for each priority level';

/** Declares them with the prefix `apiserver_flowcontrol_`. */
export function declareFlowMetrics(registry: MetricRegistry, clock: Clock) {
  const requests = declareRequests(registry);
  const seats = declareSeats(registry);
  const alpha = { stability: 'ALPHA' } as const;
  registry.alias(
    { ...alpha, name: named('request_concurrency_in_use'), help: IN_USE_HELP, labels: FLOW, deprecatedIn: '1.31.0' },
    'gauge',
    requests.executingSeats,
  );
  registry.alias(
    {
      ...alpha,
      name: named('request_concurrency_limit'),
      help: NOMINAL_HELP,
      labels: LEVEL,
      deprecatedIn: '1.30.0',
      sharedByThreads: true,
    },
    'gauge',
    seats.nominal,
  );
  return {
    ...requests,
    ...declareDurations(registry),
    ...seats,
    ...declareProgress(registry),
    ...declareUtilization(registry, clock),
  };
}

function named(name: string): string {
  return `apiserver_flowcontrol_${name}`;
}

function declareRequests(registry: MetricRegistry) {
  const beta = { stability: 'BETA', labels: FLOW } as const;
  const alpha = { stability: 'ALPHA', labels: FLOW } as const;
  return {
    rejected: registry.counter({
      name: named('rejected_requests_total'),
      help: 'Number of requests rejected by API Priority and Fairness subsystem',
      stability: 'BETA',
      labels: [...FLOW, 'reason'],
    }),
    dispatched: registry.counter({
      ...beta,
      name: named('dispatched_requests_total'),
      help: 'Number of requests executed by API Priority and Fairness subsystem',
    }),
    waitingRequests: registry.gauge({
      ...beta,
      name: named('current_inqueue_requests'),
      help: 'Number of requests currently pending in queues of the API Priority and Fairness subsystem',
    }),
    waitingSeats: registry.gauge({
      ...alpha,
      name: named('current_inqueue_seats'),
      help: 'Seats required by queued requests.',
    }),
    executingRequests: registry.gauge({
      ...beta,
      name: named('current_executing_requests'),
      help: 'Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the API Priority and Fairness subsystem',
    }),
    executingSeats: registry.gauge({
      ...beta,
      name: named('current_executing_seats'),
      help: IN_USE_HELP,
    }),
    noAccommodation: registry.counter({
      ...alpha,
      name: named('request_dispatch_no_accommodation_total'),
      help: 'Number of times the next request could not be dispatched for lack of seats.',
    }),
  };
}

function declareDurations(registry: MetricRegistry) {
  return {
    wait: registry.histogram(
      {
        name: named('request_wait_duration_seconds'),
        help: 'Length of time a request spent waiting in its queue',
        stability: 'BETA',
        labels: [...FLOW, 'execute'],
      },
      waitSeconds,
    ),
    execution: registry.histogram(
      {
        name: named('request_execution_seconds'),
        help: 'Execution time of requests in seconds; of watches until their initial events were sent.',
        stability: 'ALPHA',
        labels: [...FLOW, 'type'],
      },
      waitSeconds,
    ),
    queueLength: registry.histogram(
      {
        name: named('request_queue_length_after_enqueue'),
        help: 'Length of the queue after a request was added.',
        stability: 'ALPHA',
        labels: FLOW,
      },
      queueLengths,
    ),
    watchCounts: registry.histogram(
      {
        name: named('watch_count_samples'),
        help: 'Number of watchers that a write affects.',
        stability: 'ALPHA',
        labels: FLOW,
      },
      watcherCounts,
    ),
    estimatedSeats: registry.histogram(
      {
        name: named('work_estimated_seats'),
        help: 'Estimated seats of a request, the maximum of its two stages.',
        stability: 'ALPHA',
        labels: FLOW,
      },
      estimatedSeats,
    ),
  };
}

function declareSeats(registry: MetricRegistry) {
  const gauge = (name: string, help: string) =>
    registry.gauge({ name: named(name), help, stability: 'ALPHA', labels: LEVEL });
  const limit = (name: string, help: string, stability: 'ALPHA' | 'BETA' = 'ALPHA') =>
    registry.gauge({ name: named(name), help, stability, labels: LEVEL, sharedByThreads: true });
  return {
    nominal: limit('nominal_limit_seats', NOMINAL_HELP, 'BETA'),
    lower: limit('lower_limit_seats', 'Minimum seats of each priority level.'),
    upper: limit('upper_limit_seats', 'Maximum seats of each priority level, including borrowed ones.'),
    current: gauge('current_limit_seats', 'Current seats of each priority level.'),
    highWatermark: gauge('demand_seats_high_watermark', 'Maximum seat demand in the last adjustment period.'),
    average: gauge('demand_seats_average', 'Time-weighted average of seat demand in the last adjustment period.'),
    deviation: gauge('demand_seats_stdev', 'Standard deviation of seat demand in the last adjustment period.'),
    smoothed: gauge('demand_seats_smoothed', 'Seat demand, smoothed over adjustment periods.'),
    target: gauge('target_seats', 'Target seats of each priority level before allocation.'),
    fairFraction: registry.gauge({
      name: named('seat_fair_frac'),
      help: 'Fraction of its target that each priority level gets.',
      stability: 'ALPHA',
      sharedByThreads: true,
    }),
  };
}

function declareProgress(registry: MetricRegistry) {
  const time = { stability: 'ALPHA', sharedByThreads: true } as const;
  const gauge = (name: string, help: string) => registry.gauge({ name: named(name), help, ...time, labels: LEVEL });
  const bounds = (name: string, help: string) =>
    registry.gauge({ name: named(name), help, ...time, labels: [...LEVEL, 'bound'] });
  return {
    currentR: gauge('current_r', 'Virtual time at the last change, in seat-seconds.'),
    dispatchR: gauge('dispatch_r', 'Virtual time at the last dispatch, in seat-seconds.'),
    latestS: gauge('latest_s', 'Virtual start time of the last dispatched request, in seat-seconds.'),
    nextS: bounds('next_s_bounds', 'Minimum and maximum virtual start time of the first requests in queues.'),
    nextDiscountedS: bounds(
      'next_discounted_s_bounds',
      'Minimum and maximum virtual start time of the first requests in queues, minus work in progress.',
    ),
  };
}

function declareUtilization(registry: MetricRegistry, clock: Clock) {
  return {
    seatUtilization: registry.timingHistogram(
      {
        name: named('priority_level_seat_utilization'),
        help: 'Fraction of the seats of each priority level in use, at each nanosecond.',
        stability: 'ALPHA',
        labels: ['phase', ...LEVEL],
      },
      { bounds: utilizationBounds.seats, clock },
    ),
    requestUtilization: registry.timingHistogram(
      {
        name: named('priority_level_request_utilization'),
        help: 'Queued and executing requests of each priority level as a fraction of its limits, at each nanosecond.',
        stability: 'ALPHA',
        labels: ['phase', ...LEVEL],
      },
      { bounds: utilizationBounds.requests, clock },
    ),
    readsAndWrites: registry.timingHistogram(
      {
        name: named('read_vs_write_current_requests'),
        help: 'Queued and executing reads and writes as a fraction of the limits of the server, at each nanosecond.',
        stability: 'ALPHA',
        labels: ['phase', 'request_kind'],
      },
      { bounds: utilizationBounds.readsAndWrites, clock },
    ),
    demand: registry.timingHistogram(
      {
        name: named('demand_seats'),
        help: 'Seat demand of each priority level as a fraction of its seats, at each nanosecond.',
        stability: 'ALPHA',
        labels: LEVEL,
      },
      { bounds: utilizationBounds.demand, clock },
    ),
  };
}

/** The series of one priority level. */
export class LevelSeries {
  readonly currentR: Gauge;
  readonly seats: TimingRatio;
  readonly waiting: TimingRatio;
  readonly executing: TimingRatio;
  readonly demand: TimingRatio;
  readonly #metrics: FlowMetrics;
  readonly #labels: { readonly priority_level: string };
  #progress: Readonly<Record<ProgressValue, Gauge>> | undefined;
  #adjustments: readonly (readonly [AdjustmentValue, Gauge])[] | undefined;

  constructor(metrics: FlowMetrics, priority_level: string) {
    this.#metrics = metrics;
    this.#labels = { priority_level };
    const during = (phase: string) => ({ phase, priority_level });
    this.currentR = metrics.currentR.with(this.#labels);
    this.seats = new TimingRatio(metrics.seatUtilization.with(during('executing')));
    this.waiting = new TimingRatio(metrics.requestUtilization.with(during('waiting')));
    this.executing = new TimingRatio(metrics.requestUtilization.with(during('executing')));
    this.demand = new TimingRatio(metrics.demand.with(this.#labels));
  }

  limits({ nominal, lower, upper }: { nominal: number; lower: number; upper: number }): void {
    this.#metrics.nominal.with(this.#labels).set(nominal);
    this.#metrics.lower.with(this.#labels).set(lower);
    this.#metrics.upper.with(this.#labels).set(upper);
  }

  adjusted(values: Readonly<Record<AdjustmentValue, number>>): void {
    // Kept, because every level comes here every ten seconds, of which a test may pass thousands.
    this.#adjustments ??= ADJUSTMENT_VALUES.map((name) => [name, this.#metrics[name].with(this.#labels)]);
    for (const [name, gauge] of this.#adjustments) gauge.set(values[name]);
  }

  /** All in seat-seconds. */
  dispatched(progress: DispatchProgress): void {
    this.#progress ??= this.#declareProgress();
    // Separate arguments, because every admitted request comes here.
    const { r, start, least, greatest, leastDiscounted, greatestDiscounted } = this.#progress;
    r.set(progress.r);
    start.set(progress.start);
    least.set(progress.least);
    greatest.set(progress.greatest);
    leastDiscounted.set(progress.leastDiscounted);
    greatestDiscounted.set(progress.greatestDiscounted);
  }

  #declareProgress(): Readonly<Record<ProgressValue, Gauge>> {
    const { dispatchR, latestS, nextS, nextDiscountedS } = this.#metrics;
    const least = { ...this.#labels, bound: 'min' };
    const greatest = { ...this.#labels, bound: 'max' };
    return {
      r: dispatchR.with(this.#labels),
      start: latestS.with(this.#labels),
      least: nextS.with(least),
      greatest: nextS.with(greatest),
      leastDiscounted: nextDiscountedS.with(least),
      greatestDiscounted: nextDiscountedS.with(greatest),
    };
  }
}

const ADJUSTMENT_VALUES = ['highWatermark', 'average', 'deviation', 'smoothed', 'target', 'current'] as const;
type AdjustmentValue = (typeof ADJUSTMENT_VALUES)[number];

type ProgressValue = 'r' | 'start' | 'least' | 'greatest' | 'leastDiscounted' | 'greatestDiscounted';

/** Virtual times of a dispatch. */
export type DispatchProgress = Readonly<Record<ProgressValue, number>>;

/** The series of one FlowSchema; a series exists from its first observation on, as in Kubernetes. */
export class FlowSeries {
  readonly executingRequests: Gauge;
  readonly executingSeats: Gauge;
  readonly estimatedSeats: Histogram;
  readonly #metrics: FlowMetrics;
  readonly #labels: { readonly priority_level: string; readonly flow_schema: string };
  #queue: { readonly requests: Gauge; readonly seats: Gauge; readonly length: Histogram } | undefined;
  #dispatched: Counter | undefined;
  #watchCounts: Histogram | undefined;
  #waited: Histogram | undefined;
  #executed: Histogram | undefined;

  constructor(metrics: FlowMetrics, labels: { readonly priority_level: string; readonly flow_schema: string }) {
    this.#metrics = metrics;
    this.#labels = labels;
    this.executingRequests = metrics.executingRequests.with(labels);
    this.executingSeats = metrics.executingSeats.with(labels);
    this.estimatedSeats = metrics.estimatedSeats.with(labels);
  }

  get queue() {
    this.#queue ??= {
      requests: this.#metrics.waitingRequests.with(this.#labels),
      seats: this.#metrics.waitingSeats.with(this.#labels),
      length: this.#metrics.queueLength.with(this.#labels),
    };
    return this.#queue;
  }

  get dispatched(): Counter {
    this.#dispatched ??= this.#metrics.dispatched.with(this.#labels);
    return this.#dispatched;
  }

  get watchCounts(): Histogram {
    this.#watchCounts ??= this.#metrics.watchCounts.with(this.#labels);
    return this.#watchCounts;
  }

  get noAccommodation(): Counter {
    return this.#metrics.noAccommodation.with(this.#labels);
  }

  /** @param entered whether the request was queued; as in Kubernetes, also if it timed out there */
  waited(seconds: number, entered: boolean): void {
    if (entered) {
      this.#waited ??= this.#metrics.wait.with({ ...this.#labels, execute: 'true' });
      this.#waited.observe(seconds);
    } else this.#metrics.wait.with({ ...this.#labels, execute: 'false' }).observe(seconds);
  }

  executed(seconds: number, isWatch: boolean): void {
    if (isWatch) {
      this.#metrics.execution.with({ ...this.#labels, type: 'watch' }).observe(seconds);
      return;
    }
    this.#executed ??= this.#metrics.execution.with({ ...this.#labels, type: 'regular' });
    this.#executed.observe(seconds);
  }

  refused(reason: RefusalReason): void {
    this.#metrics.rejected.with({ ...this.#labels, reason }).add();
  }
}
