// The recent writes of one resource and the state after each. Watchers that are behind read their events here, and
// lists at an older revision find their state. Bounded by number, bytes and age.

import type { Clock } from '../base/clock.ts';
import { Ring } from '../base/ring.ts';
import type { Objects } from './snapshot.ts';
import type { CacheEvent } from './types.ts';

export interface HistoryLimits {
  /** Events kept. */
  readonly watchHistoryEvents: number;
  /** Bytes of the superseded objects in the events kept. */
  readonly watchHistoryBytes: number;
  /** How long an event is kept. */
  readonly historyMs: number;
}

/** A state, and the revision of the write that made it. */
export interface State {
  readonly revision: number;
  readonly objects: Objects;
}

interface Step {
  readonly event: CacheEvent;
  /** The state after the event. */
  readonly objects: Objects;
  readonly atMs: number;
}

const revisionOf = (step: Step): number => step.event.revision;

export class History {
  readonly #steps = new Ring<Step>();
  readonly #limits: HistoryLimits;
  readonly #clock: Clock;
  /** The state before the oldest event kept. */
  #base: State;
  #bytes = 0;

  constructor(base: State, limits: HistoryLimits, clock: Clock) {
    this.#base = base;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Events after this revision are all here, and the states from it on. */
  get oldestRevision(): number {
    return this.#base.revision;
  }

  get length(): number {
    return this.#steps.length;
  }

  /** The sequence number that the next event will get. */
  get end(): number {
    return this.#steps.end;
  }

  /** When the oldest event will be too old, in the clock's milliseconds; undefined when there is none. */
  get expiresAtMs(): number | undefined {
    const oldest = this.#steps.at(this.#steps.first);
    return oldest && oldest.atMs + this.#limits.historyMs;
  }

  append(event: CacheEvent, objects: Objects): void {
    this.#steps.push({ event, objects, atMs: this.#clock.now() });
    this.#bytes += supersededBytes(event);
  }

  /** The event with that sequence number; undefined when it was dropped or is yet to come. */
  event(sequence: number): CacheEvent | undefined {
    return this.#steps.at(sequence)?.event;
  }

  /** The sequence number of the first event after `revision`. */
  after(revision: number): number {
    return this.#steps.after(revision, revisionOf);
  }

  /** The newest state that is not newer than `revision`; undefined when that is no longer known. */
  objectsAt(revision: number): Objects | undefined {
    if (revision < this.#base.revision) return undefined;
    return this.#steps.at(this.after(revision) - 1)?.objects ?? this.#base.objects;
  }

  /**
   * Drops what exceeds the limits and what the store has let go of.
   *
   * @param compactedRevision the store's
   * @param needed sequence number of the first event that must stay
   */
  trim(compactedRevision: number, needed: number): void {
    while (this.#steps.first < needed) {
      const oldest = this.#steps.at(this.#steps.first)!;
      if (!this.#exceedsLimits(oldest) && oldest.event.revision > compactedRevision) return;
      this.#steps.drop();
      this.#bytes -= supersededBytes(oldest.event);
      this.#base = { revision: oldest.event.revision, objects: oldest.objects };
    }
  }

  #exceedsLimits(oldest: Step): boolean {
    return (
      this.#steps.length > this.#limits.watchHistoryEvents ||
      this.#bytes > this.#limits.watchHistoryBytes ||
      this.#clock.now() - oldest.atMs >= this.#limits.historyMs
    );
  }
}

function supersededBytes(event: CacheEvent): number {
  return event.previous?.bytes.length ?? 0;
}
