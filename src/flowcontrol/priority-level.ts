// One priority level at work: its limits, what it lends and borrows, and its requests.

import type { Clock } from '../base/clock.ts';
import { type FlowMetrics, LevelSeries } from '../lifecycle/flow-metrics.ts';
import type { PriorityLevelConfiguration, PriorityLevelSpec } from './configuration.ts';
import { type LevelKind, QueueSet, type QueueSetSettings } from './queue-set.ts';
import { RetryAfter } from './retry-after.ts';
import { SeatDemand } from './seat-demand.ts';

/** The part of its seats that one request of a level with queues may take. Kubernetes' own number. */
const WIDEST_PART = 0.15;

interface PriorityLevelOptions {
  readonly clock: Clock;
  readonly metrics: FlowMetrics;
  /** Called when a level that is not wanted any more has nothing left to do. */
  readonly onDrained: () => void;
}

export class PriorityLevel {
  readonly name: string;
  readonly requests: QueueSet;
  readonly retryAfter = new RetryAfter();
  readonly demand: SeatDemand;
  readonly series: LevelSeries;
  /** Of the object; changes when it is made anew. */
  uid = '';
  /** Serves what it has and gets nothing new: its object was deleted. */
  quiescing = false;
  nominal = 0;
  lower = 0;
  upper = 0;
  /** Seats that it has for now. */
  current = 0;
  #spec: PriorityLevelSpec;
  #isNew = true;

  /** @param configuration must be sound, see `isSound` */
  constructor(configuration: PriorityLevelConfiguration, { clock, metrics, onDrained }: PriorityLevelOptions) {
    this.name = configuration.name;
    this.series = new LevelSeries(metrics, this.name);
    this.demand = new SeatDemand(clock);
    this.#spec = configuration.spec;
    const onIdle = () => {
      if (this.quiescing) onDrained();
    };
    this.requests = new QueueSet({ clock, series: this.series, demand: this.demand, onIdle });
    this.take(configuration);
  }

  /** Takes over what its object says now. */
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

  /** Queues among which a flow's hand is dealt; undefined for levels without. */
  get queuing() {
    return this.#spec.limited?.limitResponse.queuing;
  }

  /** The most seats that one request may take, as far as the level has a say. */
  get widestRequest(): number | undefined {
    const { queuing } = this;
    if (queuing === undefined) return undefined;
    const part = Math.min(Math.ceil(this.nominal * WIDEST_PART), Math.floor(this.nominal / queuing.handSize));
    return Math.max(1, part);
  }

  /** Works out the limits from the level's shares of all. */
  divide(totalSeats: number, totalShares: number): void {
    const { limited, exempt } = this.#spec;
    const nominal = totalShares === 0 ? 0 : Math.ceil((totalSeats * this.shares) / totalShares);
    const lent = Math.round((nominal * ((limited ?? exempt)?.lendablePercent ?? 0)) / 100);
    const borrowing = limited?.borrowingLimitPercent;
    const borrowed = borrowing === undefined ? totalSeats : Math.round((nominal * borrowing) / 100);
    this.nominal = nominal;
    this.lower = nominal - lent;
    this.upper = nominal + borrowed;
    this.series.limits(this);
    if (!this.#isNew) return;
    this.#isNew = false;
    this.current = nominal - Math.floor(lent / 2);
  }

  /**
   * Lets so many seats be taken from now on.
   *
   * @param spare what utilization is told in parts of, where there are no seats
   * @param target told in metrics
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

/** Whether the parts of a level fit together; what does not is treated as if it were not there. */
export function isSound({ name, spec }: PriorityLevelConfiguration): boolean {
  const { type, limited, exempt } = spec;
  if ((type === 'Limited') !== (limited !== undefined)) return false;
  if ((type === 'Exempt') !== (exempt !== undefined) || (type === 'Exempt') !== (name === 'exempt')) return false;
  if (limited === undefined) return true;
  const { limitResponse } = limited;
  return (limitResponse.type === 'Reject') === (limitResponse.queuing === undefined);
}
