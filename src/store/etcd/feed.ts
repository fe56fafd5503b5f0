// All events below the driver's prefix, in the order of their revisions, without gaps or duplicates, however often the
// connection breaks: a single etcd watch shared by all watches of the store. Because it covers all resources, its
// progress holds for every cache.

import type { Clock, Timer } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { isLater, type Soon } from '../../base/soon.ts';
import type { StoreEvent } from '../store.ts';
import {
  decodeWatch,
  encodeWatchCreation,
  encodeWatchProgress,
  prefixEnd,
  type WatchEvent,
  type WatchResponse,
} from './messages.ts';
import type { Rpc, RpcStream } from './rpc.ts';

interface FeedOptions {
  readonly rpc: Rpc;
  readonly clock: Clock;
  readonly log: Log;
  /** Prefix of all keys, as in etcd. */
  readonly prefix: string;
  /** Events after this revision are delivered. */
  readonly after: number;
  /** Converts an event; undefined for keys that are not entries. The feed waits for it. Never rejects. */
  readonly read: (event: WatchEvent) => Soon<StoreEvent | undefined>;
  readonly onEvent: (event: StoreEvent) => void;
  /** Whether a response without events means that there were none before it. */
  readonly tellsProgress: boolean;
  /** Events up to this revision are lost. The feed continues after it. */
  readonly onGap: (compactedRevision: number) => void;
}

/** How often the feed is asked for its progress while somebody is waiting for it. */
const PROGRESS_EVERY_MS = 20;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;

interface Waiter {
  readonly revision: number;
  readonly resolve: (reached: boolean) => void;
}

export class Feed {
  readonly #options: FeedOptions;
  /** Everything up to this revision has been delivered. */
  #revision: number;
  #stream: RpcStream | undefined;
  /** Whether etcd has confirmed the watch on the open stream. */
  #established = false;
  /** Fragments of one response, until the last one has arrived. */
  #pieces: WatchEvent[] = [];
  /** Responses that arrive while an earlier one is being read; undefined if none is. */
  #behind: WatchResponse[] | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #retry: Timer | undefined;
  #waiters: Waiter[] = [];
  #asking: Timer | undefined;
  #closed = false;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#revision = options.after;
    this.#open();
  }

  get revision(): number {
    return this.#revision;
  }

  /** Whether the connection that delivers events is up. */
  get connected(): boolean {
    return this.#established;
  }

  /** Resolves to true once the feed has reached a revision, to false if that took too long or the feed was closed. */
  reach(revision: number, waitMs: number): Promise<boolean> | true {
    if (revision <= this.#revision) return true;
    if (this.#closed) return Promise.resolve(false);
    return new Promise((resolve) => {
      const timer = this.#options.clock.after(waitMs, () => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        resolve(false);
      });
      const waiter: Waiter = {
        revision,
        resolve: (reached) => {
          timer.cancel();
          resolve(reached);
        },
      };
      this.#waiters.push(waiter);
    });
  }

  /** Asks for the feed's progress repeatedly until nobody is waiting. */
  askForProgress(): void {
    if (this.#asking !== undefined || this.#closed) return;
    if (this.#established) this.#stream?.send(encodeWatchProgress());
    this.#asking = this.#options.clock.after(PROGRESS_EVERY_MS, () => {
      this.#asking = undefined;
      if (this.#waiters.length > 0) this.askForProgress();
    });
  }

  close(): void {
    this.#closed = true;
    this.#stream?.close();
    this.#retry?.cancel();
    this.#asking?.cancel();
    this.#wake();
  }

  #open(): void {
    const { rpc, prefix } = this.#options;
    this.#established = false;
    this.#pieces = [];
    this.#behind = undefined;
    const stream = rpc.stream('Watch/Watch', {
      onMessage: (message) => {
        if (this.#stream === stream) this.#receive(decodeWatch(message));
      },
      onEnd: (error) => {
        if (this.#stream === stream) this.#reopen(error.message);
      },
    });
    this.#stream = stream;
    stream.send(encodeWatchCreation({ key: prefix, end: prefixEnd(prefix), startRevision: this.#revision + 1 }));
  }

  #receive(response: WatchResponse): void {
    if (this.#behind === undefined) this.#take(response);
    else this.#behind.push(response);
  }

  #reopen(reason: string): void {
    if (this.#closed) return;
    if (this.#established) this.#options.log.warn('the etcd watch failed and is being reopened', { reason });
    this.#established = false;
    this.#behind = undefined;
    this.#stream?.close();
    this.#stream = undefined;
    this.#retry = this.#options.clock.after(this.#pauseMs, () => this.#open());
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
  }

  #take(response: WatchResponse): void {
    if (response.canceled) {
      this.#canceled(response);
      return;
    }
    if (response.created) {
      this.#established = true;
      this.#pauseMs = FIRST_PAUSE_MS;
      if (this.#waiters.length > 0) this.askForProgress();
      return;
    }
    if (response.fragment) {
      this.#pieces.push(...response.events);
      return;
    }
    const events = this.#pieces.length === 0 ? response.events : [...this.#pieces, ...response.events];
    this.#pieces = [];
    const last = events.at(-1);
    if (last === undefined && this.#options.tellsProgress) this.#progressed(response.revision);
    if (last === undefined) return;
    const before = this.#revision;
    this.#deliver(events.filter(({ modRevision }) => modRevision > before));
  }

  /** All events of a revision arrive in one response; those that have been delivered are skipped. */
  #deliver(events: readonly WatchEvent[]): void {
    const reads = events.map(this.#options.read);
    if (reads.some((read) => isLater(read))) void this.#giveLater(events, reads);
    else this.#give(events, reads as readonly (StoreEvent | undefined)[]);
  }

  #give(events: readonly WatchEvent[], reads: readonly (StoreEvent | undefined)[]): void {
    for (const [index, { modRevision }] of events.entries()) {
      this.#revision = modRevision;
      const event = reads[index];
      if (event !== undefined) this.#options.onEvent(event);
    }
    this.#progressed(this.#revision);
  }

  /** Later responses wait for the current one; after a broken connection the watch resumes from it. */
  async #giveLater(events: readonly WatchEvent[], reads: readonly Soon<StoreEvent | undefined>[]): Promise<void> {
    const stream = this.#stream;
    const behind: WatchResponse[] = [];
    this.#behind = behind;
    stream?.pause();
    const ready = await Promise.all(reads);
    if (this.#closed || this.#behind !== behind) return;
    this.#behind = undefined;
    this.#give(events, ready);
    for (const response of behind) this.#receive(response);
    if (this.#behind === undefined) stream?.resume();
  }

  #progressed(revision: number): void {
    this.#revision = Math.max(this.#revision, revision);
    if (this.#waiters.length > 0) this.#wake();
  }

  #canceled({ compactRevision, cancelReason }: WatchResponse): void {
    if (compactRevision > this.#revision) {
      this.#revision = compactRevision;
      this.#options.onGap(compactRevision);
    }
    this.#reopen(cancelReason);
  }

  #wake(): void {
    const reached = this.#waiters.filter(({ revision }) => this.#closed || revision <= this.#revision);
    if (reached.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => !reached.includes(waiter));
    for (const { revision, resolve } of reached) resolve(revision <= this.#revision);
  }
}
