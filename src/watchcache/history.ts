// The recent writes of one resource. Watchers that are behind read their events here, and lists at an older revision get
// their state by taking writes back. Bounded by number, bytes and age.

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
  /** Newest events whose encodings are kept. */
  readonly watchEncodedEvents: number;
}

interface Step {
  readonly event: CacheEvent;
  readonly atMs: number;
}

/** The state before the event with a sequence number. */
interface State {
  readonly before: number;
  readonly objects: Objects;
}

const revisionOf = (step: Step): number => step.event.revision;

export class History {
  readonly #steps = new Ring<Step>();
  readonly #limits: HistoryLimits;
  readonly #clock: Clock;
  #oldestRevision: number;
  #bytes = 0;
  /** The older state that was looked up last: the pages of a list all ask for the same one. */
  #lookedUp: State | undefined;

  /** @param revision the newest write; history begins after it */
  constructor(revision: number, limits: HistoryLimits, clock: Clock) {
    this.#oldestRevision = revision;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Events after this revision are all here, and the states from it on. */
  get oldestRevision(): number {
    return this.#oldestRevision;
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

  append(event: CacheEvent): void {
    this.#steps.push({ event, atMs: this.#clock.now() });
    this.#bytes += supersededBytes(event);
    const past = this.event(this.end - 1 - this.#limits.watchEncodedEvents);
    if (past !== undefined) past.frames = undefined;
  }

  /** The event with that sequence number; undefined when it was dropped or is yet to come. */
  event(sequence: number): CacheEvent | undefined {
    return this.#steps.at(sequence)?.event;
  }

  /** The sequence number of the first event after `revision`. */
  after(revision: number): number {
    return this.#steps.after(revision, revisionOf);
  }

  /**
   * The newest state that is not newer than `revision`; undefined when that is no longer known. Costs about a microsecond
   * for each write since then, once for all pages of a list.
   *
   * @param newest the state after all events
   */
  objectsAt(revision: number, newest: Objects): Objects | undefined {
    if (revision < this.#oldestRevision) return undefined;
    const before = this.after(revision);
    if (before === this.end) return newest;
    const known = this.#lookedUp;
    const from = known !== undefined && known.before >= before ? known : { before: this.end, objects: newest };
    let { objects } = from;
    for (let at = from.before - 1; at >= before; at--) objects = takenBack(this.#steps.at(at)!.event, objects);
    this.#lookedUp = { before, objects };
    return objects;
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
      if (this.#lookedUp !== undefined && this.#lookedUp.before < this.#steps.first) this.#lookedUp = undefined;
      this.#bytes -= supersededBytes(oldest.event);
      this.#oldestRevision = oldest.event.revision;
    }
  }

  /** Drops all that happened up to `revision`: it can't be told any more what that was. */
  restart(revision: number): void {
    while (this.#steps.first < this.#steps.end) this.#steps.drop();
    this.#lookedUp = undefined;
    this.#bytes = 0;
    this.#oldestRevision = revision;
  }

  #exceedsLimits(oldest: Step): boolean {
    return (
      this.#steps.length > this.#limits.watchHistoryEvents ||
      this.#bytes > this.#limits.watchHistoryBytes ||
      this.#clock.now() - oldest.atMs >= this.#limits.historyMs
    );
  }
}

/** The state before an event, of that after it. */
function takenBack({ current, previous }: CacheEvent, objects: Objects): Objects {
  return previous === undefined ? objects.delete(current!.key) : objects.set(previous.key, previous);
}

function supersededBytes(event: CacheEvent): number {
  return event.previous?.bytes.length ?? 0;
}
