// The requests of a priority level: executing, queued, and the next one. Seats are shared among queues by fair queuing
// in virtual time: all active queues are owed the same, and the queue whose next request would finish first is next.

import type { Clock } from '../base/clock.ts';
import { SlotMap } from '../base/slot-map.ts';
import type { LevelSeries } from '../lifecycle/flow-metrics.ts';
import type { SeatDemand } from './seat-demand.ts';
import { type Arrival, FlowQueue, GUESSED_MS, Ticket, type TicketHolder } from './ticket.ts';

/** `exempt` levels admit everything, `reject` levels have no queues. */
export type LevelKind = 'exempt' | 'reject' | 'queue';

export interface QueueSetSettings {
  readonly kind: LevelKind;
  /** 0 unless requests can be queued. */
  readonly queues: number;
  readonly queueLength: number;
}

interface QueueSetOptions {
  readonly clock: Clock;
  readonly series: LevelSeries;
  readonly demand: SeatDemand;
  /** Called whenever there are no more executing or queued requests. */
  readonly onIdle: () => void;
  /** Called with the change of the seats in use or waited for. */
  readonly onDemand: (change: number) => void;
}

/** Requests since the start, by outcome. */
interface Totals {
  dispatched: number;
  rejected: number;
  timedOut: number;
  cancelled: number;
}

export class QueueSet implements TicketHolder {
  readonly totals: Totals = { dispatched: 0, rejected: 0, timedOut: 0, cancelled: 0 };
  executing = 0;
  waiting = 0;
  seatsInUse = 0;
  seatsWaiting = 0;
  readonly #options: QueueSetOptions;
  #settings: QueueSetSettings = { kind: 'reject', queues: 0, queueLength: 0 };
  #limit = 0;
  #queues: FlowQueue[] = [];
  /** Requests that execute without a queue. */
  readonly #queueless = new SlotMap<Ticket>();
  #wanted = 0;
  #tickets = 0;
  #activeQueues = 0;
  /** Virtual time: what each active queue has been owed, in seat-milliseconds. */
  #r = 0;
  #syncedMs: number;
  /** The queue that was served last. */
  #robin = 0;
  #turns = 0;

  constructor(options: QueueSetOptions) {
    this.#options = options;
    this.#syncedMs = options.clock.now();
  }

  get queues(): readonly FlowQueue[] {
    return this.#queues;
  }

  get queueless(): Pick<SlotMap<Ticket>, 'values' | 'size'> {
    return this.#queueless;
  }

  get isIdle(): boolean {
    return this.waiting === 0 && this.executing === 0;
  }

  /** Whether the next request has to wait or is rejected. */
  get isFull(): boolean {
    return this.#settings.kind !== 'exempt' && this.seatsInUse >= this.#limit;
  }

  /** Applies new settings; surplus queues are removed when they are empty. Utilization is relative to `whole`. */
  configure(settings: QueueSetSettings, limit: number, whole: number): void {
    this.#sync();
    this.#settings = settings;
    this.#limit = limit;
    for (let index = this.#queues.length; index < settings.queues; index++) this.#queues.push(new FlowQueue(index));
    const { waiting, executing, seats } = this.#options.series;
    waiting.setDenominator(Math.max(1, settings.queueLength) * Math.max(1, settings.queues));
    executing.setDenominator(whole);
    seats.setDenominator(whole);
    this.#dispatch();
  }

  /** Admits a request, to execute or to be queued; otherwise returns why not. */
  start(arrival: Arrival): Ticket | 'queue-full' | 'concurrency-limit' {
    const nowMs = this.#sync();
    const ticket = new Ticket(this, arrival, { number: ++this.#tickets, nowMs, r: this.#r });
    if (this.#settings.kind !== 'queue') {
      if (!this.#fits(ticket.seats)) return this.#reject(arrival, 'concurrency-limit');
      this.#queueless.set(ticket.number, ticket);
      this.#execute(ticket, nowMs);
      return ticket;
    }
    const queue = this.#queueFor(arrival.hand);
    if (this.seatsInUse >= this.#limit && queue.waiting >= this.#settings.queueLength) {
      return this.#reject(arrival, 'queue-full');
    }
    if (!queue.active) {
      queue.nextStart = this.#r;
      this.#activeQueues++;
    }
    ticket.queue = queue;
    if (this.waiting === 0 && this.seatsInUse < this.#limit && this.#fits(ticket.seats)) {
      this.#passThrough(ticket, queue, nowMs);
    } else {
      this.#enqueue(ticket, queue, nowMs);
      this.#dispatch();
    }
    return ticket;
  }

  /** Removes a queued request. */
  cancel(ticket: Ticket): void {
    const queue = ticket.queue!;
    const nowMs = this.#sync();
    this.#leaveQueue(ticket, queue, nowMs);
    if (!queue.active) this.#activeQueues--;
    queue.bound();
    this.totals.rejected++;
    this.totals.cancelled++;
    ticket.arrival.series.refused('time-out');
    this.#noteDemand(nowMs);
    ticket.decide(false);
    // It may have been too wide for the free seats, and blocked others that are not.
    this.#dispatch();
    if (this.isIdle) this.#options.onIdle();
  }

  /** Ends an executing request; its seats are released after its final stage. */
  finish(ticket: Ticket, knownMs?: number): void {
    const nowMs = this.#sync(knownMs);
    const { queue, estimate } = ticket;
    ticket.state = 'over';
    this.executing--;
    ticket.arrival.series.executingRequests.add(-1);
    this.#options.series.executing.set(this.executing, nowMs);
    if (queue === undefined) this.#queueless.delete(ticket.number);
    else {
      queue.running.delete(ticket.number);
      queue.ran(ticket);
      queue.executing--;
      if (!queue.active) this.#activeQueues--;
      // The actual work instead of the estimate.
      queue.nextStart -= estimate.initialSeats * (GUESSED_MS - (nowMs - ticket.startedMs));
      queue.bound();
    }
    if (estimate.additionalMs > 0) {
      this.#options.clock.after(estimate.additionalMs, () => {
        this.#freeSeats(ticket, this.#sync());
        this.#dispatch();
      });
    } else this.#freeSeats(ticket, nowMs);
    this.#dispatch();
    if (this.isIdle) this.#options.onIdle();
  }

  /** The fast path of fair queuing if nothing is queued: the request executes immediately. */
  #passThrough(ticket: Ticket, queue: FlowQueue, nowMs: number): void {
    ticket.arrival.series.queue.length.observe(1);
    queue.nextStart = Math.max(queue.nextStart, this.#r);
    this.#robin = queue.index;
    this.#noteProgress(queue, queue);
    this.#begin(ticket, queue, nowMs);
  }

  #enqueue(ticket: Ticket, queue: FlowQueue, nowMs: number): void {
    queue.push(ticket);
    queue.bound();
    this.waiting++;
    this.seatsWaiting += ticket.seats;
    const { requests, seats, length } = ticket.arrival.series.queue;
    requests.add(1);
    seats.add(ticket.seats);
    length.observe(queue.waiting);
    this.#options.series.waiting.set(this.waiting, nowMs);
    this.#noteDemand(nowMs);
  }

  #leaveQueue(ticket: Ticket, queue: FlowQueue, nowMs: number): void {
    queue.remove(ticket);
    this.waiting--;
    this.seatsWaiting -= ticket.seats;
    const { requests, seats } = ticket.arrival.series.queue;
    requests.add(-1);
    seats.add(-ticket.seats);
    this.#options.series.waiting.set(this.waiting, nowMs);
  }

  /**
   * Dispatches as many as there are seats for. One that does not fit blocks others, so that wide requests are not
   * starved.
   */
  #dispatch(): void {
    while (this.waiting > 0 && this.seatsInUse < this.#limit) {
      const queue = this.#nextQueue();
      const ticket = queue.head!;
      if (!this.#fits(ticket.seats)) {
        ticket.arrival.series.noAccommodation.add();
        return;
      }
      this.#robin = queue.index;
      const nowMs = this.#options.clock.now();
      this.#noteProgress(queue);
      this.#leaveQueue(ticket, queue, nowMs);
      this.#begin(ticket, queue, nowMs);
      queue.bound();
      ticket.decide(true);
    }
  }

  #begin(ticket: Ticket, queue: FlowQueue, nowMs: number): void {
    this.#narrow(ticket);
    queue.running.set(ticket.number, ticket);
    queue.executing++;
    queue.seatsInUse += ticket.seats;
    queue.nextStart += ticket.work;
    this.#execute(ticket, nowMs);
    queue.runs(ticket);
  }

  /** The final stage must not be wider than the level: it becomes longer instead. */
  #narrow(ticket: Ticket): void {
    const { initialSeats, finalSeats, additionalMs } = ticket.estimate;
    const limit = Math.max(1, this.#limit);
    if (finalSeats <= limit) return;
    ticket.estimate = { initialSeats, finalSeats: limit, additionalMs: (finalSeats * additionalMs) / limit };
    ticket.seats = Math.max(initialSeats, limit);
  }

  #execute(ticket: Ticket, nowMs: number): void {
    const { series } = ticket.arrival;
    ticket.state = 'executing';
    ticket.startedMs = nowMs;
    this.executing++;
    this.seatsInUse += ticket.seats;
    this.totals.dispatched++;
    series.dispatched.add();
    series.executingRequests.add(1);
    series.executingSeats.add(ticket.seats);
    const level = this.#options.series;
    level.executing.set(this.executing, nowMs);
    level.seats.set(this.seatsInUse, nowMs);
    this.#noteDemand(nowMs);
  }

  #freeSeats(ticket: Ticket, nowMs: number): void {
    const { queue, seats } = ticket;
    this.seatsInUse -= seats;
    ticket.arrival.series.executingSeats.add(-seats);
    this.#options.series.seats.set(this.seatsInUse, nowMs);
    this.#noteDemand(nowMs);
    if (queue === undefined) return;
    queue.seatsInUse -= seats;
    if (this.#queues.length > this.#settings.queues && !queue.active) this.#drop(queue);
  }

  #drop({ index }: FlowQueue): void {
    this.#queues.splice(index, 1);
    for (let later = index; later < this.#queues.length; later++) this.#queues[later]!.index = later;
    if (this.#robin >= index) this.#robin--;
  }

  #reject(arrival: Arrival, reason: 'queue-full' | 'concurrency-limit'): typeof reason {
    this.totals.rejected++;
    arrival.series.refused(reason);
    return reason;
  }

  /** The queue of the hand with the least queued work; overlapping hands must not all begin with the same. */
  #queueFor(hand: readonly number[]): FlowQueue {
    const offset = this.#turns++ % hand.length;
    let best: FlowQueue | undefined;
    for (let card = 0; card < hand.length; card++) {
      const queue = this.#queues[hand[(offset + card) % hand.length]!]!;
      if (best === undefined || queue.waitingWork < best.waitingWork) best = queue;
      if (best.waiting === 0) break;
    }
    return best!;
  }

  /**
   * The queue whose first request would finish first in virtual time; among equals the one that is owed most, then the
   * one after the last served. Two differences from Kubernetes prevent a flood of long requests from delaying the short
   * ones of others: executing requests are charged while they execute, not only when they finish, and no request starts
   * in the virtual past.
   */
  #nextQueue(): FlowQueue {
    const nowMs = this.#syncedMs;
    const count = this.#queues.length;
    let next: FlowQueue | undefined;
    let least = Number.POSITIVE_INFINITY;
    let leastStart = Number.POSITIVE_INFINITY;
    for (let step = 1; step <= count; step++) {
      const queue = this.#queues[(this.#robin + step) % count]!;
      const { head } = queue;
      if (head === undefined) continue;
      const start = queue.nextStart + queue.uncharged(nowMs);
      const end = Math.max(start, this.#r) + head.work;
      if (end > least || (end === least && start >= leastStart)) continue;
      least = end;
      leastStart = start;
      next = queue;
    }
    return next!;
  }

  /** @param only the single queue with requests, if known */
  #noteProgress({ nextStart }: FlowQueue, only?: FlowQueue): void {
    let least = only?.nextStart ?? Number.POSITIVE_INFINITY;
    let greatest = only?.nextStart ?? Number.NEGATIVE_INFINITY;
    let leastDiscounted = only === undefined ? least : discountedStart(only);
    let greatestDiscounted = only === undefined ? greatest : leastDiscounted;
    for (const queue of only === undefined ? this.#queues : []) {
      if (queue.waiting === 0) continue;
      const discounted = discountedStart(queue);
      least = Math.min(least, queue.nextStart);
      greatest = Math.max(greatest, queue.nextStart);
      leastDiscounted = Math.min(leastDiscounted, discounted);
      greatestDiscounted = Math.max(greatestDiscounted, discounted);
    }
    this.#options.series.dispatched({
      r: this.#r / 1000,
      start: nextStart / 1000,
      least: least / 1000,
      greatest: greatest / 1000,
      leastDiscounted: leastDiscounted / 1000,
      greatestDiscounted: greatestDiscounted / 1000,
    });
  }

  /** Whether so many seats are free. A request wider than the level executes alone. */
  #fits(seats: number): boolean {
    if (this.#settings.kind === 'exempt') return true;
    if (seats > this.#limit) return this.executing === 0;
    return this.seatsInUse + seats <= this.#limit;
  }

  #noteDemand(nowMs: number): void {
    const seats = this.seatsInUse + this.seatsWaiting;
    this.#options.demand.set(seats, nowMs);
    this.#options.series.demand.set(seats, nowMs);
    const change = seats - this.#wanted;
    this.#wanted = seats;
    this.#options.onDemand(change);
  }

  /** Advances virtual time to now with the current state; returns the real time. */
  #sync(nowMs = this.#options.clock.now()): number {
    const elapsed = nowMs - this.#syncedMs;
    if (elapsed === 0) return nowMs;
    this.#syncedMs = nowMs;
    if (elapsed > 0 && this.#activeQueues > 0) {
      this.#r += (elapsed * Math.min(this.seatsInUse + this.seatsWaiting, this.#limit)) / this.#activeQueues;
      this.#options.series.currentR.set(this.#r / 1000);
    }
    return nowMs;
  }
}

/** The virtual start of a queue, minus its work in progress. */
function discountedStart({ nextStart, seatsInUse }: FlowQueue): number {
  return nextStart - seatsInUse * GUESSED_MS;
}
