// One request's stay with a priority level: it waits, runs and gives its seats back, each at most once.

import type { FlowSeries } from '../lifecycle/flow-metrics.ts';
import type { FlowQueue } from './flow-queue.ts';
import type { FlowRequest } from './flow-request.ts';
import { maxSeats, type WorkEstimate } from './work-estimate.ts';

/** What is known of a request when it comes to its level. */
export interface Arrival {
  readonly request: FlowRequest;
  /** The name of its flow schema. */
  readonly schema: string;
  /** What tells its flow from others of the schema; '' where nothing does. */
  readonly distinguisher: string;
  /** Queues that its flow may use, by index; empty for levels without queues. */
  readonly hand: readonly number[];
  readonly estimate: WorkEstimate;
  readonly series: FlowSeries;
}

/** Kubernetes' guess of how long a request takes. */
export const GUESSED_MS = 3;

type TicketState = 'waiting' | 'executing' | 'over';

/** What decides about tickets. */
export interface TicketHolder {
  cancel(ticket: Ticket): void;
  finish(ticket: Ticket): void;
}

export class Ticket {
  state: TicketState = 'waiting';
  readonly arrival: Arrival;
  /** The last stage may be made narrower and longer when the request begins. */
  estimate: WorkEstimate;
  /** Held from the beginning to the end of the last stage. */
  seats: number;
  /** In seat-milliseconds, as it was guessed. */
  readonly work: number;
  readonly arrivedMs: number;
  /** Virtual time when it came. */
  readonly arrivalR: number;
  startedMs = 0;
  queue: FlowQueue | undefined;
  /** Neighbours in the queue, while it waits. */
  previous: Ticket | undefined;
  next: Ticket | undefined;
  readonly #holder: TicketHolder;
  #onDecided: ((executes: boolean) => void) | undefined;

  constructor(holder: TicketHolder, arrival: Arrival, { nowMs, r }: { nowMs: number; r: number }) {
    const { estimate } = arrival;
    this.#holder = holder;
    this.arrival = arrival;
    this.estimate = estimate;
    this.seats = maxSeats(estimate);
    this.work = estimate.initialSeats * GUESSED_MS + estimate.finalSeats * estimate.additionalMs;
    this.arrivedMs = nowMs;
    this.arrivalR = r;
  }

  /** Calls back once, when a request that waits begins (true) or left its queue (false). */
  onDecided(callback: (executes: boolean) => void): void {
    this.#onDecided = callback;
  }

  /** Called by the holder. */
  decide(executes: boolean): void {
    this.state = executes ? 'executing' : 'over';
    this.#onDecided?.(executes);
  }

  /** Gives up its place: leaves the queue, or gives its seats back. May be called more than once. */
  release(): void {
    if (this.state === 'waiting') this.#holder.cancel(this);
    else if (this.state === 'executing') this.#holder.finish(this);
  }
}
