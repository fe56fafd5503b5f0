// One queue of a priority level: the requests that wait in it, oldest first, and what the queue is owed.

import type { Ticket } from './ticket.ts';

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
  readonly running = new Set<Ticket>();
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
