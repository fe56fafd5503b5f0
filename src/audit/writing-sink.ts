// Sink that stores events immediately. During a write, new events are collected for the next one, so that a slow disk
// only delays requests that wait for it.

import type { AuditSink, EventWriter, LossReport } from './sink.ts';
import type { EventFacts, StagedEvent } from './staged-event.ts';

interface WritingSinkOptions {
  readonly writer: EventWriter;
  /** The name under which dropped events are reported. */
  readonly plugin: string;
  readonly isStrict: boolean;
  /** Maximum number of events per write, and of concurrent writes. */
  readonly maxEvents: number;
  readonly maxWrites: number;
  /** Characters of queued events, beyond which further ones are dropped. */
  readonly maxCharacters: number;
  /** Schedules a function at the end of this turn of the event loop. */
  readonly defer: (run: () => void) => void;
  readonly report: LossReport;
}

interface Waiting {
  readonly event: StagedEvent;
  readonly done: ((stored: boolean) => void) | undefined;
}

export class WritingSink implements AuditSink {
  readonly isBlocking = true;
  readonly #options: WritingSinkOptions;
  #waiting: Waiting[] = [];
  #waitingCharacters = 0;
  #writes = 0;
  /** The requests with events in concurrent writes. */
  readonly #inFlight = new Set<EventFacts>();
  #isDue = false;
  #onIdle: (() => void) | undefined;

  constructor(options: WritingSinkOptions) {
    this.#options = options;
  }

  /** Requests wait for a webhook, which answers late. */
  get holdsRequests(): boolean {
    return this.#options.isStrict || this.#options.maxWrites > 1;
  }

  get isStrict(): boolean {
    return this.#options.isStrict;
  }

  take(event: StagedEvent, done?: (stored: boolean) => void): void {
    const { plugin, maxCharacters, report } = this.#options;
    if (this.#waitingCharacters >= maxCharacters) {
      report(plugin, [event], 'too many events wait to be written');
      done?.(false);
      return;
    }
    this.#waiting.push({ event, done });
    this.#waitingCharacters += event.characters;
    this.#writeSoon();
  }

  /** At the end of the turn, so that one write includes all events of it. */
  #writeSoon(): void {
    // If the maximum number of writes is in progress, the end of one continues here.
    if (this.#isDue || this.#writes >= this.#options.maxWrites) return;
    this.#isDue = true;
    this.#options.defer(() => {
      this.#isDue = false;
      this.#write();
    });
  }

  async close(): Promise<void> {
    this.#write();
    if (this.#writes > 0 || this.#waiting.length > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    await this.#options.writer.close();
  }

  #write(): void {
    const { maxEvents, maxWrites } = this.#options;
    while (this.#writes < maxWrites && this.#waiting.length > 0) {
      const batch = this.#next(maxEvents);
      if (batch.length === 0) return;
      for (const { event } of batch) this.#waitingCharacters -= event.characters;
      this.#writes++;
      void this.#store(batch);
    }
  }

  /** Removes the next events from those that wait. Events of a request are stored in order. */
  #next(maxEvents: number): readonly Waiting[] {
    const waiting = this.#waiting;
    if (this.#inFlight.size === 0) {
      const batch = waiting.length <= maxEvents ? waiting : waiting.slice(0, maxEvents);
      this.#waiting = waiting.slice(batch.length);
      return batch;
    }
    const batch: Waiting[] = [];
    this.#waiting = waiting.filter((each) => {
      if (batch.length === maxEvents || this.#inFlight.has(each.event.facts)) return true;
      batch.push(each);
      return false;
    });
    return batch;
  }

  async #store(batch: readonly Waiting[]): Promise<void> {
    const requests = this.#options.maxWrites > 1 ? batch.map(({ event }) => event.facts) : [];
    for (const request of requests) this.#inFlight.add(request);
    let stored = true;
    try {
      await this.#options.writer.write(batch.map(({ event }) => event));
    } catch {
      stored = false;
    }
    this.#writes--;
    for (const request of requests) this.#inFlight.delete(request);
    for (const { done } of batch) done?.(stored);
    if (this.#waiting.length > 0) this.#writeSoon();
    else if (this.#writes === 0) this.#onIdle?.();
  }
}
