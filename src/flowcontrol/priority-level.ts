// A priority level at work: its limits, lending and borrowing, and its requests.

import type { Clock } from '../base/clock.ts';
import { type FlowMetrics, LevelSeries } from '../lifecycle/flow-metrics.ts';
import type { PriorityLevelConfiguration, PriorityLevelSpec } from './configuration.ts';
import { type LevelKind, QueueSet, type QueueSetSettings } from './queue-set.ts';
import { RetryAfter } from './retry-after.ts';
import { SeatDemand } from './seat-demand.ts';

/** Maximum fraction of its seats that one request of a level with queues may use, as in Kubernetes. */
const WIDEST_PART = 0.15;

/** How many seats a flow controller has, and all that share with it. */
interface Seats {
  readonly own: number;
  readonly all: number;
}

interface PriorityLevelOptions {
  readonly clock: Clock;
  readonly metrics: FlowMetrics;
  /** Called when a level that is being removed has no more requests. */
  readonly onDrained: () => void;
  /** Called with the change of the seats that its requests use or wait for, unless they are exempt. */
  readonly onDemand: (change: number) => void;
}

export class PriorityLevel {
  readonly name: string;
  readonly requests: QueueSet;
  readonly retryAfter = new RetryAfter();
  readonly demand: SeatDemand;
  readonly series: LevelSeries;
  /** Of the object; changes when it is recreated. */
  uid = '';
  /** Finishes its requests and gets no new ones: its object was deleted. */
  quiescing = false;
  nominal = 0;
  lower = 0;
  upper = 0;
  /** Its current seats. */
  current = 0;
  #spec: PriorityLevelSpec;
  #isNew = true;

  /** @param configuration must be valid, see `isSound` */
  constructor(
    configuration: PriorityLevelConfiguration,
    { clock, metrics, onDrained, onDemand }: PriorityLevelOptions,
  ) {
    this.name = configuration.name;
    this.series = new LevelSeries(metrics, this.name);
    this.demand = new SeatDemand(clock);
    this.#spec = configuration.spec;
    const onIdle = () => {
      if (this.quiescing) onDrained();
    };
    const wants = this.isExempt ? () => {} : onDemand;
    this.requests = new QueueSet({ clock, series: this.series, demand: this.demand, onIdle, onDemand: wants });
    this.take(configuration);
  }

  /** Applies the current object. */
  take({ uid, spec }: PriorityLevelConfiguration): void {
    this.uid = uid;
    this.#spec = spec;
    this.quiescing = false;
  }

  get isExempt(): boolean {
    return this.#spec.type === 'Exempt';
  }

  get shares(): number {
    const { limited, exempt } = this.#spec;
    return (limited ?? exempt)?.nominalConcurrencyShares ?? 0;
  }

  /** The deck for shuffle sharding; undefined for levels without queues. */
  get queuing() {
    return this.#spec.limited?.limitResponse.queuing;
  }

  /** The maximum number of seats of a request, as far as the level limits it. */
  get widestRequest(): number | undefined {
    const { queuing } = this;
    if (queuing === undefined) return undefined;
    const part = Math.min(Math.ceil(this.nominal * WIDEST_PART), Math.floor(this.nominal / queuing.handSize));
    return Math.max(1, part);
  }

  /**
   * Computes the limits from the level's share of the seats of its controller; metrics tell those in the seats of all
   * controllers, which do not change with requests.
   */
  divide({ own, all }: Seats, totalShares: number): void {
    const { nominal, lower, upper } = this.#limitsIn(own, totalShares);
    Object.assign(this, { nominal, lower, upper });
    this.series.limits(this.#limitsIn(all, totalShares));
    if (!this.#isNew) return;
    this.#isNew = false;
    this.current = nominal - Math.floor((nominal - lower) / 2);
  }

  #limitsIn(totalSeats: number, totalShares: number) {
    const { limited, exempt } = this.#spec;
    const nominal = totalShares === 0 ? 0 : Math.ceil((totalSeats * this.shares) / totalShares);
    const lent = Math.round((nominal * ((limited ?? exempt)?.lendablePercent ?? 0)) / 100);
    const borrowing = limited?.borrowingLimitPercent;
    const borrowed = borrowing === undefined ? totalSeats : Math.round((nominal * borrowing) / 100);
    return { nominal, lower: nominal - lent, upper: nominal + borrowed };
  }

  /**
   * Sets the number of available seats.
   *
   * @param spare denominator of utilization if there are no seats
   * @param target for metrics
   */
  allow(seats: number, { spare, target }: { spare: number; target: number }): void {
    this.current = seats;
    const { highWatermark, average, deviation, smoothed } = this.demand;
    this.series.adjusted({ highWatermark, average, deviation, smoothed, target, current: seats });
    const whole = seats > 0 ? seats : spare;
    this.series.demand.setDenominator(whole);
    this.requests.configure(this.#settings(), seats, whole);
  }

  #settings(): QueueSetSettings {
    const { queuing } = this;
    const kind = kindOf(this.#spec);
    return { kind, queues: queuing?.queues ?? 0, queueLength: queuing?.queueLengthLimit ?? 0 };
  }
}

function kindOf({ limited }: PriorityLevelSpec): LevelKind {
  if (limited === undefined) return 'exempt';
  return limited.limitResponse.queuing === undefined ? 'reject' : 'queue';
}

/** Whether the configuration of a level is consistent; otherwise it is treated as absent. */
export function isSound({ name, spec }: PriorityLevelConfiguration): boolean {
  const { type, limited, exempt } = spec;
  if ((type === 'Limited') !== (limited !== undefined)) return false;
  if ((type === 'Exempt') !== (exempt !== undefined) || (type === 'Exempt') !== (name === 'exempt')) return false;
  if (limited === undefined) return true;
  const { limitResponse } = limited;
  return (limitResponse.type === 'Reject') === (limitResponse.queuing === undefined);
}
