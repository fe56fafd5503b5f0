// The recent writes of one resource. Watchers that are behind read their events from it, and lists at an older revision
// are computed by reverting writes. Limited in number, bytes and age.

import type { Clock } from '../base/clock.ts';
import { Ring } from '../base/ring.ts';
import type { Objects } from './snapshot.ts';
import type { CacheEvent } from './types.ts';

export interface HistoryLimits {
  /** Maximum number of events. */
  readonly watchHistoryEvents: number;
  /** Maximum bytes of superseded objects. */
  readonly watchHistoryBytes: number;
  /** Maximum age of an event. */
  readonly historyMs: number;
  /** Number of the latest events with cached encodings. */
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
  /** The last older state: all pages of a list request the same one. */
  #lookedUp: State | undefined;

  /** @param revision of the latest write; history begins after it */
  constructor(revision: number, limits: HistoryLimits, clock: Clock) {
    this.#oldestRevision = revision;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Events after this revision are complete, and so are the states from it on. */
  get oldestRevision(): number {
    return this.#oldestRevision;
  }

  get length(): number {
    return this.#steps.length;
  }

  /** The sequence number of the next event. */
  get end(): number {
    return this.#steps.end;
  }

  /** When the oldest event will be too old, in the clock's milliseconds; undefined if there is none. */
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

  /** The event with a sequence number; undefined if it was dropped or does not exist yet. */
  event(sequence: number): CacheEvent | undefined {
    return this.#steps.at(sequence)?.event;
  }

  /** The sequence number of the first event after `revision`. */
  after(revision: number): number {
    return this.#steps.after(revision, revisionOf);
  }

  /** Whether a key was written after `revision`, or may have been, because not all writes since then are known. */
  mayHaveWritten(key: string, revision: number): boolean {
    if (revision < this.#oldestRevision) return true;
    for (let at = this.after(revision); at < this.end; at++) {
      const { current, previous } = this.#steps.at(at)!.event;
      if ((current ?? previous)!.key === key) return true;
    }
    return false;
  }

  /**
   * The latest state that is not newer than `revision`; undefined if it is no longer known. Costs about a microsecond
   * per write since then, once for all pages of a list.
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
   * Drops what exceeds the limits and what the store has released.
   *
   * @param compactedRevision of the store
   * @param needed sequence number of the first event that must be kept
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

  /** Drops everything up to `revision`, which is incomplete. */
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

/** The state before an event, given that after it. */
function takenBack({ current, previous }: CacheEvent, objects: Objects): Objects {
  return previous === undefined ? objects.delete(current!.key) : objects.set(previous.key, previous);
}

function supersededBytes(event: CacheEvent): number {
  return event.previous?.bytes.length ?? 0;
}
