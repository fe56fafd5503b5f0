// A watch of a resource. It is either live, and receives each event as it happens; or behind, and reads the history at
// its sink's pace until it has caught up. Its position is a revision, so a sink that does not read costs nothing. Long
// selectors, and long searches for a selected object, are evaluated in turns.

import { limits } from '../base/limits.ts';
import type { History } from './history.ts';
import { selects } from './snapshot.ts';
import type { CachedObject, CacheEvent, EventType, Selection, Watcher, WatchSink } from './types.ts';

/** The cache as seen by a watcher. */
export interface WatchSource {
  readonly history: History;
  /** Everything up to this revision has been offered to the live watchers. */
  readonly offeredRevision: number;
  /** Calls `run` when other work has had its turn. */
  later(run: () => void): void;
  /** Removes the watcher from the index. */
  forget(watcher: CacheWatcher): void;
}

interface WatchStart {
  readonly selection: Selection;
  readonly sink: WatchSink;
  /** Events after this revision are delivered. */
  readonly revision: number;
  /** The objects in scope at `revision`, if they are to be delivered before the events. */
  readonly objects: Iterator<CachedObject, void> | undefined;
}

/** 'initial': the initial objects are being delivered. 'behind': events are read from the history. */
type Phase = 'initial' | 'behind' | 'live' | 'ended';

export class CacheWatcher implements Watcher {
  readonly selection: Selection;
  readonly #sink: WatchSink;
  readonly #source: WatchSource;
  #objects: Iterator<CachedObject, void> | undefined;
  #phase: Phase;
  /** Events up to this revision are done. Live watchers are not notified of events outside their scope. */
  #position: number;
  /** Events up to this revision are skipped. */
  readonly #after: number;
  /** The sequence number, in the history, of the first event that is not done. */
  #next: number;
  #insideSink = false;
  #resumedInside = false;
  /** Comparisons since the last turn. */
  #compared = 0;
  #isWaiting = false;

  constructor(source: WatchSource, start: WatchStart) {
    this.#source = source;
    this.selection = start.selection;
    this.#sink = start.sink;
    this.#position = start.revision;
    this.#after = start.revision;
    this.#next = source.history.after(start.revision);
    this.#objects = start.objects;
    this.#phase = start.objects === undefined ? 'behind' : 'initial';
  }

  get revision(): number {
    if (this.#phase === 'initial') return 0;
    return this.#phase === 'live' ? Math.max(this.#position, this.#source.offeredRevision) : this.#position;
  }

  get isLagging(): boolean {
    return this.#phase === 'initial' || this.#phase === 'behind';
  }

  resume(): void {
    if (this.#insideSink) this.#resumedInside = true;
    else if (this.#isWaiting) return;
    else if (this.#phase === 'behind' || (this.#phase === 'initial' && this.#deliverObjects())) this.#catchUp();
  }

  close(): void {
    this.#phase = 'ended';
    this.#objects = undefined;
    this.#source.forget(this);
  }

  /** Closes, and notifies the sink. */
  end(reason: 'expired' | 'closed'): void {
    this.close();
    this.#sink.end(reason);
  }

  /**
   * Receives an event that just happened, if the watcher is live. Others will find it in the history.
   * @param sequence its number there
   */
  offer(event: CacheEvent, sequence: number): void {
    if (this.#phase !== 'live' || sequence < this.#next) return;
    if (this.#cost > limits.promptRequirements) {
      this.#phase = 'behind';
      this.#next = sequence;
      this.#position = Math.max(this.#position, event.revision - 1);
      this.#wait();
      return;
    }
    this.#next = sequence + 1;
    if (!this.#deliver(event) && this.#phase === 'live') this.#phase = 'behind';
  }

  /** Delivers the initial objects. Returns whether events may follow now. */
  #deliverObjects(): boolean {
    for (;;) {
      const next = this.#objects?.next();
      if (next === undefined || next.done) break;
      const { value } = next;
      const { matches } = this.selection;
      if (matches !== undefined && !matches(value)) {
        if (this.#isTurnOver(1)) return false;
        continue;
      }
      this.#enterSink();
      if (!this.#leaveSink(this.#sink.initial(value))) return false;
    }
    this.#objects = undefined;
    if (this.#phase === 'ended') return false;
    this.#phase = 'behind';
    this.#enterSink();
    return this.#leaveSink(this.#sink.initialEnd(this.#position));
  }

  /** Delivers history until it is exhausted or the sink is full. */
  #catchUp(): void {
    const { history } = this.#source;
    while (this.#next < history.end) {
      // Checked every time, because the sink may have caused writes that push events out.
      const event = history.event(this.#next);
      if (event === undefined) {
        this.end('expired');
        return;
      }
      this.#next += 1;
      if (!this.#deliver(event) || this.#isTurnOver(2)) return;
    }
    this.#phase = 'live';
  }

  /** Delivers the event if it is selected. Returns whether more may follow. */
  #deliver(event: CacheEvent): boolean {
    if (event.revision <= this.#after) return true;
    this.#position = event.revision;
    const type = changeOf(this.selection, event);
    if (type === undefined) return true;
    const object = (type === 'DELETED' ? event.previous : event.current)!;
    this.#enterSink();
    return this.#leaveSink(this.#sink.event(type, object, event));
  }

  get #cost(): number {
    return this.selection.cost ?? 1;
  }

  /** Counts evaluations of the selector. If others are to have their turn, the watcher resumes after them. */
  #isTurnOver(evaluations: number): boolean {
    this.#compared += evaluations * Math.max(1, this.#cost);
    if (this.#compared < limits.requirementsInStep) return false;
    this.#wait();
    return true;
  }

  #wait(): void {
    this.#isWaiting = true;
    this.#source.later(() => {
      this.#isWaiting = false;
      this.#compared = 0;
      this.resume();
    });
  }

  /** Wraps every call of the sink: a resume() during the call counts even if the call returns false. */
  #enterSink(): void {
    this.#insideSink = true;
    this.#resumedInside = false;
  }

  /** Whether more may follow. */
  #leaveSink(wantsMore: boolean): boolean {
    this.#insideSink = false;
    return (wantsMore || this.#resumedInside) && this.#phase !== 'ended';
  }
}

/** The event from the perspective of the selection; undefined for none. */
export function changeOf(selection: Selection, { current, previous }: CacheEvent): EventType | undefined {
  const was = previous !== undefined && selects(selection, previous);
  const is = current !== undefined && selects(selection, current);
  if (is) return was ? 'MODIFIED' : 'ADDED';
  return was ? 'DELETED' : undefined;
}
