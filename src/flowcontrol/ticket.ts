// One request's stay with a priority level: it waits, runs and gives its seats back, each at most once. And the queue
// that it may wait in, whose length and work the level goes by.

import { SlotMap } from '../base/slot-map.ts';
import type { FlowSeries } from '../lifecycle/flow-metrics.ts';
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
  finish(ticket: Ticket, nowMs?: number): void;
}

export class Ticket {
  /** Its number among those of its level. */
  readonly number: number;
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

  constructor(holder: TicketHolder, arrival: Arrival, begin: { number: number; nowMs: number; r: number }) {
    const { estimate } = arrival;
    const { number, nowMs, r } = begin;
    this.number = number;
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

  /**
   * Gives up its place: leaves the queue, or gives its seats back. May be called more than once.
   *
   * @param nowMs the time, for callers that know it
   */
  release(nowMs?: number): void {
    if (this.state === 'waiting') this.#holder.cancel(this);
    else if (this.state === 'executing') this.#holder.finish(this, nowMs);
  }
}

/** One queue of a priority level: the requests that wait in it, oldest first, and what the queue is owed. */
export class FlowQueue {
  /** The place in its set. */
  index: number;
  /** Virtual time at which its next request begins, in seat-milliseconds. */
  nextStart = 0;
  /** Requests that run now, or that are done but for their last stage. */
  executing = 0;
  seatsInUse = 0;
  waiting = 0;
  /** Of the requests that wait. */
  waitingWork = 0;
  waitingInitialSeats = 0;
  waitingSeats = 0;
  readonly running = new SlotMap<Ticket>();
  /** Of the requests that run: their initial seats, and these times when each will have taken what was guessed. */
  #runningSeats = 0;
  #guessedEnds = 0;
  #head: Ticket | undefined;
  #tail: Ticket | undefined;

  constructor(index: number) {
    this.index = index;
  }

  get head(): Ticket | undefined {
    return this.#head;
  }

  get active(): boolean {
    return this.waiting > 0 || this.executing > 0;
  }

  /** What the requests that run have taken beyond what was guessed, in seat-milliseconds. */
  uncharged(nowMs: number): number {
    return Math.max(0, this.#runningSeats * nowMs - this.#guessedEnds);
  }

  runs(ticket: Ticket): void {
    this.#noteRunning(ticket, 1);
  }

  ran(ticket: Ticket): void {
    this.#noteRunning(ticket, -1);
    if (this.running.size === 0) this.#guessedEnds = 0;
  }

  #noteRunning({ estimate, startedMs }: Ticket, sign: 1 | -1): void {
    this.#runningSeats += sign * estimate.initialSeats;
    this.#guessedEnds += sign * estimate.initialSeats * (startedMs + GUESSED_MS);
  }

  push(ticket: Ticket): void {
    ticket.previous = this.#tail;
    if (this.#tail === undefined) this.#head = ticket;
    else this.#tail.next = ticket;
    this.#tail = ticket;
    this.#count(ticket, 1);
  }

  remove(ticket: Ticket): void {
    const { previous, next } = ticket;
    if (previous === undefined) this.#head = next;
    else previous.next = next;
    if (next === undefined) this.#tail = previous;
    else next.previous = previous;
    ticket.previous = undefined;
    ticket.next = undefined;
    this.#count(ticket, -1);
  }

  /** The oldest first. */
  *tickets(): Generator<Ticket, void, undefined> {
    for (let ticket = this.#head; ticket !== undefined; ticket = ticket.next) yield ticket;
  }

  /** What begins cannot begin before it came. */
  bound(): void {
    if (this.#head !== undefined && this.nextStart < this.#head.arrivalR) this.nextStart = this.#head.arrivalR;
  }

  #count({ work, estimate, seats }: Ticket, sign: 1 | -1): void {
    this.waiting += sign;
    this.waitingSeats += sign * seats;
    this.waitingInitialSeats += sign * estimate.initialSeats;
    // Nothing waiting is not work, whatever was lost in rounding.
    this.waitingWork = this.waiting === 0 ? 0 : this.waitingWork + sign * work;
  }
}
