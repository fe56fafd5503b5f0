// Priority and fairness as a whole: classifies requests by FlowSchema and priority level, and reallocates the server's
// seats among the levels every ten seconds. With several serving threads, each has such a controller, and seats follow the
// requests from thread to thread. Independent of HTTP and of the origin of objects.

import type { Clock, Timer } from '../base/clock.ts';
import type { FlowMetrics } from '../lifecycle/flow-metrics.ts';
import type { FlowSchemaConfiguration, PriorityLevelConfiguration } from './configuration.ts';
import { fairAllocation } from './fair-allocation.ts';
import type { FlowRequest } from './flow-request.ts';
import { type FlowHash, FlowSchema } from './flow-schema.ts';
import { isSound, PriorityLevel } from './priority-level.ts';
import type { SeatShare } from './seat-share.ts';
import type { Ticket } from './ticket.ts';
import type { WorkEstimate } from './work-estimate.ts';

/** Interval of seat allocation, as in Kubernetes. */
const ADJUSTMENT_MS = 10_000;
/** How often a controller looks for seats of others while it has too few, and whether others need those it got. */
const SHARE_MS = 100;

interface FlowConfiguration {
  readonly schemas: readonly FlowSchemaConfiguration[];
  readonly levels: readonly PriorityLevelConfiguration[];
}

interface FlowControllerOptions {
  readonly clock: Clock;
  readonly metrics: FlowMetrics;
  readonly hash: FlowHash;
  /** The seats of the server, or its share in those of several. */
  readonly share: SeatShare;
  /** The schemas and levels `exempt` and `catch-all`, which exist even without their objects. */
  readonly mandatory: FlowConfiguration;
  /** Called with the limits of queued and executing requests, over all levels, whenever they may have changed. */
  readonly onCapacity?: (capacity: { readonly waiting: number; readonly executing: number }) => void;
}

/** Why a request was not admitted immediately. */
type Refusal = 'queue-full' | 'concurrency-limit';

export class FlowController {
  readonly #options: FlowControllerOptions;
  #configuration: FlowConfiguration = { schemas: [], levels: [] };
  #schemas: readonly FlowSchema[] = [];
  #catchAll!: FlowSchema;
  #levels: ReadonlyMap<string, PriorityLevel> = new Map();
  #timer: Timer | undefined;
  #totalSeats: number;
  /** Seats that its requests use or wait for, except exempt ones. */
  #wanted = 0;
  /** Runs while it looks for seats of others. */
  #shareTimer: Timer | undefined;

  constructor(options: FlowControllerOptions) {
    this.#options = options;
    this.#totalSeats = options.share.equal;
    this.configure(this.#configuration);
  }

  /** The levels by name, including those being drained. */
  get levels(): ReadonlyMap<string, PriorityLevel> {
    return this.#levels;
  }

  /** Applies the current objects. Queued and executing requests stay with their level. */
  configure(configuration: FlowConfiguration): void {
    this.#configuration = configuration;
    const wanted = this.#wantedLevels(configuration.levels);
    this.#schemas = this.#wantedSchemas(configuration.schemas, wanted);
    this.#levels = new Map([...wanted, ...this.#quiescingLevels(wanted)]);
    this.#divide();
    this.#endPeriod();
  }

  /** The schema of a request: the first match, `catch-all` by default. */
  classify(request: FlowRequest): FlowSchema {
    for (const schema of this.#schemas) if (schema.matches(request)) return schema;
    return this.#catchAll;
  }

  /** Admits a request, to execute or to be queued, or rejects it. */
  start(schema: FlowSchema, request: FlowRequest, estimate: WorkEstimate): Ticket | Refusal {
    const { series, level } = schema;
    const distinguisher = schema.distinguisher(request);
    series.estimatedSeats.observe(Math.max(estimate.initialSeats, estimate.finalSeats));
    const hand = schema.hand(distinguisher);
    if (level.requests.isFull) this.#lookForSeats();
    const ticket = level.requests.start({ request, estimate, series, distinguisher, schema: schema.name, hand });
    if (level.isExempt) return ticket;
    if (typeof ticket === 'string') series.waited(0, false);
    else if (ticket.state === 'executing') series.waited(0, true);
    return ticket;
  }

  /** Reallocates seats periodically until `stop`. */
  run(): void {
    this.#timer = this.#options.clock.after(ADJUSTMENT_MS, () => {
      this.#takeShare();
      this.#endPeriod();
      this.run();
    });
  }

  stop(): void {
    this.#timer?.cancel();
    this.#shareTimer?.cancel();
  }

  #wantedLevels(given: readonly PriorityLevelConfiguration[]): Map<string, PriorityLevel> {
    const { mandatory } = this.#options;
    const names = new Set(given.filter(isSound).map(({ name }) => name));
    const imagined = mandatory.levels.filter(({ name }) => !names.has(name));
    const wanted = new Map<string, PriorityLevel>();
    for (const configuration of [...given.filter(isSound), ...imagined]) {
      const level = this.#levels.get(configuration.name) ?? this.#newLevel(configuration);
      level.take(configuration);
      wanted.set(level.name, level);
    }
    return wanted;
  }

  #newLevel(configuration: PriorityLevelConfiguration): PriorityLevel {
    const { clock, metrics } = this.#options;
    return new PriorityLevel(configuration, {
      clock,
      metrics,
      onDrained: () => this.configure(this.#configuration),
      onDemand: (change) => {
        this.#wanted += change;
        this.#options.share.want(this.#wanted);
      },
    });
  }

  /** Levels whose object was deleted and that still have requests. */
  #quiescingLevels(wanted: ReadonlyMap<string, PriorityLevel>): [string, PriorityLevel][] {
    return [...this.#levels].filter(([name, level]) => {
      if (wanted.has(name) || level.requests.isIdle) return false;
      level.quiescing = true;
      return true;
    });
  }

  /** In order of matching, without those whose level does not exist. */
  #wantedSchemas(
    given: readonly FlowSchemaConfiguration[],
    levels: ReadonlyMap<string, PriorityLevel>,
  ): readonly FlowSchema[] {
    const { hash, metrics, mandatory } = this.#options;
    const usable = given.filter(({ spec }) => levels.has(spec.priorityLevelConfiguration.name));
    const sorted = usable.toSorted((one, other) => {
      const precedence = one.spec.matchingPrecedence - other.spec.matchingPrecedence;
      return precedence !== 0 ? precedence : one.name < other.name ? -1 : 1;
    });
    const missing = (name: string) =>
      sorted.some((schema) => schema.name === name) ? [] : mandatory.schemas.filter((schema) => schema.name === name);
    const all = [...missing('exempt'), ...sorted, ...missing('catch-all')].map(
      (schema) => new FlowSchema(schema, levels.get(schema.spec.priorityLevelConfiguration.name)!, { hash, metrics }),
    );
    this.#catchAll = all.find(({ name }) => name === 'catch-all')!;
    return all;
  }

  /** Takes seats that others do not need, now and as long as requests wait or it has more than an equal share. */
  #lookForSeats(): void {
    if (this.#shareTimer !== undefined) return;
    const { clock, share } = this.#options;
    this.#takeShare();
    this.#shareTimer = clock.after(SHARE_MS, () => {
      this.#shareTimer = undefined;
      const isWaiting = this.#levels.values().some(({ requests }) => requests.waiting > 0);
      if (isWaiting || this.#totalSeats > share.equal) this.#lookForSeats();
    });
  }

  /** Takes its present share of the seats of several controllers. */
  #takeShare(): void {
    const seats = this.#options.share.seats();
    if (seats === this.#totalSeats) return;
    this.#totalSeats = seats;
    this.#divide();
    this.#shareOut();
  }

  /** Sets the limits of each level. */
  #divide(): void {
    const levels = [...this.#levels.values()];
    const totalShares = levels.reduce((sum, { shares }) => sum + shares, 0);
    const seats = { own: this.#totalSeats, all: this.#options.share.total };
    for (const level of levels) level.divide(seats, totalShares);
    this.#noteCapacity(levels);
  }

  #endPeriod(): void {
    for (const level of this.#levels.values()) level.demand.endPeriod();
    this.#shareOut();
  }

  /** Sets the current seats of each level, based on its demand in the last period. */
  #shareOut(): void {
    const { metrics } = this.#options;
    const totalSeats = this.#totalSeats;
    const levels = [...this.#levels.values()];
    const limited = levels.filter(({ isExempt }) => !isExempt);
    const exempt = levels.filter(({ isExempt }) => isExempt);
    const nominalSum = sum(levels, ({ nominal }) => nominal);
    const left = nominalSum - sum(exempt, exemptSeats);
    const spare = Math.max(1, Math.round(totalSeats / 10));
    const { seats, fraction } = seatsFor(limited, { left, nominalSum });
    metrics.fairFraction.with({}).set(fraction);
    for (const level of exempt) level.allow(exemptSeats(level), { spare, target: targetOf(level) });
    for (const [index, level] of limited.entries()) level.allow(seats[index]!, { spare, target: targetOf(level) });
  }

  #noteCapacity(levels: readonly PriorityLevel[]): void {
    this.#options.onCapacity?.({
      waiting: sum(levels, ({ queuing }) => (queuing === undefined ? 0 : queuing.queues * queuing.queueLengthLimit)),
      executing: sum(levels, ({ nominal }) => nominal),
    });
  }
}

/** Seats that are unavailable to others because exempt requests used them. */
function exemptSeats({ lower, demand }: PriorityLevel): number {
  return Math.max(lower, demand.highWatermark);
}

/** Seats that a level does not lend: those of its own that it used. */
function floorOf({ lower, nominal, demand }: PriorityLevel): number {
  return Math.max(lower, Math.min(nominal, demand.highWatermark));
}

function targetOf(level: PriorityLevel): number {
  return Math.max(floorOf(level), level.demand.smoothed);
}

/**
 * The seats of each limited level.
 *
 * @param left what exempt requests left of the sum of nominal limits
 */
function seatsFor(
  levels: readonly PriorityLevel[],
  { left, nominalSum }: { left: number; nominalSum: number },
): { seats: readonly number[]; fraction: number } {
  const lowerSum = sum(levels, ({ lower }) => lower);
  const floorSum = sum(levels, floorOf);
  if (left <= lowerSum) return { seats: levels.map(({ lower }) => lower), fraction: 0 };
  if (left <= floorSum) {
    const part = (left - lowerSum) / (floorSum - lowerSum);
    return {
      seats: levels.map((level) => level.lower + Math.round((floorOf(level) - level.lower) * part)),
      fraction: 0,
    };
  }
  const claims = levels.map((level) => ({ lower: floorOf(level), upper: level.upper, target: targetOf(level) }));
  const allocation = fairAllocation(nominalSum, claims);
  if (allocation === undefined) return { seats: levels.map(({ current }) => current), fraction: 0 };
  return { seats: allocation.seats.map(Math.round), fraction: allocation.fraction };
}

function sum<Value>(values: readonly Value[], of: (value: Value) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
