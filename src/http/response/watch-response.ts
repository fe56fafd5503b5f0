// Watch responses: a stream of events until the watch times out, its client leaves or the server drains. A client that
// does not read makes its watcher fall behind; when it reads again it is served from history, or gets 410 if history no
// longer reaches back that far.

import { ApiError, errors } from '../../api/errors.ts';
import type { Timer } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { Turn } from '../../base/short-turns.ts';
import type { Soon } from '../../base/soon.ts';
import type { Counter, Histogram } from '../../lifecycle/metrics.ts';
import type { StoredObject } from '../../verbs/resource-request.ts';
import {
  type CachedObject,
  type CacheEvent,
  type EventType,
  selectedChange,
  startWatch,
  tooOld,
  type Watcher,
  type WatchPlan,
  type WatchSink,
} from '../../verbs/watch.ts';
import type { BodyWriter } from '../exchange/transport.ts';
import type { RequestContext } from '../request-context.ts';
import type { FrameOutbox, Outlet } from './frame-outbox.ts';
import type { WatchFrames } from './watch-frames.ts';

interface WatchResponse {
  readonly plan: WatchPlan;
  /** The kind of the objects. */
  readonly kind: string;
  readonly frames: WatchFrames;
  readonly writer: BodyWriter;
  /** The watch ends cleanly when one of these is aborted: the client has gone, or the server drains. */
  readonly endings: readonly AbortSignal[];
  readonly outbox: FrameOutbox;
  /** Whether frames may be joined; false if each must be a message of its own. */
  readonly joins?: boolean;
}

/** Feeds the writer until the watch has ended. */
export async function runWatch(context: RequestContext, response: WatchResponse): Promise<void> {
  await new WatchStream(context, response).run();
}

class WatchStream implements WatchSink, Outlet {
  readonly #context: RequestContext;
  readonly #plan: WatchPlan;
  readonly #frames: WatchFrames;
  readonly #writer: BodyWriter;
  readonly #endings: readonly AbortSignal[];
  readonly #outbox: FrameOutbox;
  readonly joins: boolean;
  readonly #turn: Turn;
  #gathered: Buffer[] = [];
  #gatheredBytes = 0;
  #wantsMore = false;
  #endTimer: Timer | undefined;
  #bookmarkTimer: Timer | undefined;
  readonly #events: Counter;
  readonly #eventBytes: Histogram;
  #initialEvents = 0;
  #watcher: Watcher | undefined;
  /** The start of the watch, whose version needs no bookmark. */
  #startRevision = 0;
  #lastBookmarkMs = Number.POSITIVE_INFINITY;
  /** Whether an event that counts as delivered has not been written yet. */
  #isPreparing = false;
  /** Whether all initial events have been written, and whether they have been sent. */
  #isInitialised = false;
  #awaitsBeginning = false;
  #hasBegun = false;
  #beginTimer: Timer | undefined;
  #over = false;
  #finish: () => void = () => {};

  constructor(context: RequestContext, { plan, kind, frames, writer, endings, outbox, joins = true }: WatchResponse) {
    this.#context = context;
    this.#plan = plan;
    this.#frames = frames;
    this.#writer = writer;
    this.#endings = endings;
    this.#outbox = outbox;
    this.joins = joins;
    this.#turn = context.services.turns.begin(context);
    const { group, version, resource } = context.info;
    const { events, eventSizes } = context.services.metrics.watches;
    this.#events = events.with({ group, version, kind, resource });
    this.#eventBytes = eventSizes.with({ group, version, kind, resource });
  }

  async run(): Promise<void> {
    const finished = new Promise<void>((resolve) => {
      this.#finish = resolve;
    });
    const stop = () => this.#end();
    for (const ending of this.#endings) ending.addEventListener('abort', stop);
    const { clock, settings } = this.#context.services;
    if (this.#plan.from !== 'state') {
      this.#startRevision = this.#plan.from;
      this.#begun();
    }
    // A client that does not read the initial events within a request's timeout would occupy a place among those in
    // flight.
    else this.#beginTimer = clock.after(settings.requestTimeoutMs, () => this.#giveUp());
    try {
      if (this.#endings.some(({ aborted }) => aborted)) this.#end();
      else await this.#start();
      await finished;
    } finally {
      for (const ending of this.#endings) ending.removeEventListener('abort', stop);
    }
  }

  async #start(): Promise<void> {
    try {
      if (this.#frames.converts) await this.#prepareState();
      const watcher = await startWatch(this.#plan, this);
      if (this.#over) {
        watcher.close();
        return;
      }
      this.#watcher = watcher;
      // Waiting for a future resource version does not count towards the timeout of the watch.
      this.#endTimer = this.#context.services.clock.after(this.#plan.timeoutMs, () => this.#end());
      // Objects that were ready before the watcher existed could not request more.
      if (this.#frames.converts && !this.#isPreparing && !this.#wantsMore) watcher.resume();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#fail(error);
      return;
    }
    if (this.#plan.bookmarks) this.#scheduleBookmarks();
  }

  /** Prepares all initial objects at once rather than one by one. */
  #prepareState(): Soon<void> {
    const { cache, selection, from } = this.#plan;
    return from === 'state'
      ? this.#frames.prepare(cache.snapshot().objects(selection.candidates ?? selection))
      : undefined;
  }

  initial(object: CachedObject): boolean {
    if (this.#frames.converts && this.#awaits([object], () => this.initial(object))) return false;
    const { candidates, matches } = this.#plan.selection;
    if (candidates !== undefined && matches?.(object) === false) return true;
    this.#initialEvents++;
    return this.#write(this.#frames.initial(object)) && !this.#isTurnOver();
  }

  initialEnd(revision: number): boolean {
    this.#isInitialised = true;
    this.#startRevision = revision;
    this.#countInitial();
    const wantsMore = this.#plan.marksInitialEnd ? this.#write(this.#frames.bookmark(revision, true)) : true;
    if (this.#gathered.length === 0) this.#begun();
    return wantsMore;
  }

  #countInitial(): void {
    const { services, info, startMs } = this.#context;
    const { initialEvents, listDuration } = services.metrics.watches;
    const { group, version, resource, namespace } = info;
    if (this.#initialEvents > 0) initialEvents.with({ group, resource }).add(this.#initialEvents);
    if (!this.#plan.marksInitialEnd) return;
    this.#context.trace?.listed(this.#frames.contentType);
    const scope = namespace === '' ? 'cluster' : 'namespace';
    listDuration.with({ group, version, resource, scope }).observe((services.clock.now() - startMs) / 1000);
  }

  event(type: EventType, object: CachedObject, event: CacheEvent): boolean {
    if (this.#plan.selection.candidates === undefined) return this.#show(type, object, event);
    const changed = [event.previous, event.current].filter((each) => each !== undefined);
    if (this.#awaits(changed, () => this.event(type, object, event))) return false;
    const change = selectedChange(this.#plan, event);
    return change === undefined || this.#show(change.type, change.object, event);
  }

  #show(type: EventType, object: StoredObject, event: CacheEvent): boolean {
    // A deleted object is sent in its last state, with the version of its deletion.
    const shown = object.revision === event.revision ? object : { bytes: object.bytes, revision: event.revision };
    if (this.#frames.converts && this.#awaits([shown], () => this.#show(type, object, event))) return false;
    return this.#write(this.#frames.event(type, shown, event));
  }

  /** Whether objects must be prepared first; the watcher then pauses until their event is delivered. */
  #awaits(objects: Iterable<StoredObject>, deliver: () => boolean): boolean {
    const preparing = this.#frames.prepare(objects);
    if (preparing === undefined) return false;
    this.#isPreparing = true;
    const go = () => {
      this.#isPreparing = false;
      if (!this.#over && deliver()) this.#resume();
    };
    preparing.then(go, (error: unknown) => this.#fail(error));
    return true;
  }

  end(reason: 'expired' | 'closed'): void {
    if (reason === 'expired') this.#fail(tooOld(this.#watcher?.revision ?? 0, this.#plan.cache));
    else this.#end();
  }

  #write(frame: Buffer): boolean {
    if (this.#over) return false;
    if (!this.#frames.canShow) {
      this.#end();
      return false;
    }
    this.#context.sent(frame.length);
    this.#events.add();
    this.#eventBytes.observe(frame.length);
    if (this.#gathered.length === 0) this.#outbox.add(this);
    this.#gathered.push(frame);
    this.#gatheredBytes += frame.length;
    const mayWait = this.#writer.crowded === true ? 0 : limits.watcherBufferedBytes;
    if (this.#writer.bufferedBytes + this.#gatheredBytes < mayWait) return true;
    this.#wantsMore = true;
    return false;
  }

  takeFrames(): Buffer[] {
    const frames = this.#gathered;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    return frames;
  }

  send(bytes: Buffer): void {
    const taken = this.#writer.write(bytes);
    if (this.#isInitialised && !this.#hasBegun) this.#awaitBeginning(taken);
    if (!this.#wantsMore) return;
    this.#wantsMore = false;
    if (taken) {
      if (!this.#isTurnOver()) queueMicrotask(() => this.#resume());
    } else this.#writer.onDrain(() => this.#resume());
  }

  /** Whether other requests run now; the watch resumes by itself afterwards. */
  #isTurnOver(): boolean {
    const wait = this.#turn.over();
    if (wait === undefined) return false;
    void wait.then(() => this.#resume());
    return true;
  }

  /** Waits until the initial events have been sent; `taken` reports that. */
  #awaitBeginning(taken: boolean): void {
    if (taken) this.#begun();
    else if (!this.#awaitsBeginning) this.#writer.onDrain(() => this.#begun());
    this.#awaitsBeginning = true;
  }

  /** The initial events have been sent: from now on the watch stays open without counting as in flight. */
  #begun(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#beginTimer?.cancel();
    this.#context.releaseSeat();
  }

  /** Requests more events, after every kind of wait. Later events must not overtake one that is being prepared. */
  #resume(): void {
    if (this.#over || this.#isPreparing) return;
    this.#context.services.turns.enter(this.#context);
    this.#watcher?.resume();
  }

  #scheduleBookmarks(): void {
    const now = this.#context.services.clock.now();
    this.#lastBookmarkMs = now + this.#plan.timeoutMs - limits.lastBookmarkBeforeEndMs;
    // Clients waiting for the end of the initial events soon get a bookmark for what happened meanwhile.
    this.#bookmarkAfter(this.#plan.marksInitialEnd ? limits.firstBookmarkMs : this.#untilBookmark());
  }

  /** Time until the next bookmark: the interval, or less if the watch ends before. */
  #untilBookmark(): number {
    const last = this.#lastBookmarkMs - this.#context.services.clock.now();
    return last > 0 ? Math.min(last, limits.bookmarkIntervalMs) : limits.bookmarkIntervalMs;
  }

  #bookmarkAfter(waitMs: number): void {
    this.#bookmarkTimer = this.#context.services.clock.after(waitMs, () => {
      this.#sendBookmark();
      this.#bookmarkAfter(this.#untilBookmark());
    });
  }

  #sendBookmark(): void {
    // No bookmarks during the initial events: a client that resumed from one would miss the rest.
    const revision = this.#watcher?.revision ?? 0;
    if (this.#over || this.#isPreparing || revision <= this.#startRevision) return;
    this.#write(this.#frames.bookmark(revision, false));
  }

  #fail(error: unknown): void {
    const known = error instanceof ApiError ? error : errors.internal('the watch met an unexpected condition', error);
    if (!this.#over) this.#write(this.#frames.error(known.status));
    this.#end();
  }

  #giveUp(): void {
    this.#end();
    this.#writer.destroy();
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    for (const timer of [this.#endTimer, this.#beginTimer, this.#bookmarkTimer]) timer?.cancel();
    this.#watcher?.close();
    this.#outbox.deliver(this);
    this.#writer.end();
    this.#finish();
  }
}
