// A request in a priority level: it is queued, executes and releases its seats, each at most once. Also the queue, with
// its length and work.

import { SlotMap } from '../base/slot-map.ts';
import type { FlowSeries } from '../lifecycle/flow-metrics.ts';
import type { FlowRequest } from './flow-request.ts';
import { maxSeats, type WorkEstimate } from './work-estimate.ts';

/** What is known of a request when it arrives at its level. */
export interface Arrival {
  readonly request: FlowRequest;
  /** The name of its FlowSchema. */
  readonly schema: string;
  /** The flow distinguisher; '' for none. */
  readonly distinguisher: string;
  /** Queues that its flow may use, by index; empty for levels without queues. */
  readonly hand: readonly number[];
  readonly estimate: WorkEstimate;
  readonly series: FlowSeries;
}

/** Kubernetes' initial estimate of a request's duration. */
export const GUESSED_MS = 3;

type TicketState = 'waiting' | 'executing' | 'over';

/** The owner of tickets. */
export interface TicketHolder {
  cancel(ticket: Ticket): void;
  finish(ticket: Ticket, nowMs?: number): void;
}

export class Ticket {
  /** Its sequence number in the level. */
  readonly number: number;
  state: TicketState = 'waiting';
  readonly arrival: Arrival;
  /** The final stage may be made narrower and longer at dispatch. */
  estimate: WorkEstimate;
  /** Seats held until the end of the final stage. */
  seats: number;
  /** Estimated, in seat-milliseconds. */
  readonly work: number;
  readonly arrivedMs: number;
  /** Virtual time of its arrival. */
  readonly arrivalR: number;
  startedMs = 0;
  queue: FlowQueue | undefined;
  /** Neighbours in the queue. */
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

  /** Calls back once, when a queued request begins to execute (true) or leaves its queue (false). */
  onDecided(callback: (executes: boolean) => void): void {
    this.#onDecided = callback;
  }

  /** Called by the holder. */
  decide(executes: boolean): void {
    this.state = executes ? 'executing' : 'over';
    this.#onDecided?.(executes);
  }

  /**
   * Leaves the queue, or releases the seats. May be called more than once.
   *
   * @param nowMs the time, if known
   */
  release(nowMs?: number): void {
    if (this.state === 'waiting') this.#holder.cancel(this);
    else if (this.state === 'executing') this.#holder.finish(this, nowMs);
  }
}

/** A queue of a priority level: its requests, oldest first, and what the queue is owed. */
export class FlowQueue {
  /** Its index. */
  index: number;
  /** Virtual time at which its next request begins, in seat-milliseconds. */
  nextStart = 0;
  /** Requests that are executing, or in their final stage. */
  executing = 0;
  seatsInUse = 0;
  waiting = 0;
  /** Of queued requests. */
  waitingWork = 0;
  waitingInitialSeats = 0;
  waitingSeats = 0;
  readonly running = new SlotMap<Ticket>();
  /**
   * Of executing requests: their initial seats, and these multiplied by the time at which each reaches its estimate.
   */
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

  /** Work of executing requests beyond their estimates, in seat-milliseconds. */
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

  /** A request cannot begin before it arrived. */
  bound(): void {
    if (this.#head !== undefined && this.nextStart < this.#head.arrivalR) this.nextStart = this.#head.arrivalR;
  }

  #count({ work, estimate, seats }: Ticket, sign: 1 | -1): void {
    this.waiting += sign;
    this.waitingSeats += sign * seats;
    this.waitingInitialSeats += sign * estimate.initialSeats;
    // Without queued requests there is no work, whatever rounding left.
    this.waitingWork = this.waiting === 0 ? 0 : this.waitingWork + sign * work;
  }
}
