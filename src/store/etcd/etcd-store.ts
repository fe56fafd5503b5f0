// The store that keeps its data in etcd, possibly shared with other servers. A write is one transaction; it is
// acknowledged when its own event has arrived on the feed, so that state derived from events never lags behind a writer
// of this process. To see the writes of others, it asks etcd for its revision, once for all concurrent reads.

import type { Clock, Timer } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import { isLater, type Soon, whenThere } from '../../base/soon.ts';
import { History, type HistoryOptions } from '../history.ts';
import {
  CompactedError,
  type Entry,
  type Expected,
  FutureRevisionError,
  type ListOptions,
  type ListResult,
  type Store,
  StoreError,
  type StoreEvent,
  StoreLagError,
  type StoreStatistics,
  StoreTimeoutError,
  type StoreWatch,
  type WatchOptions,
  type WriteResult,
} from '../store.ts';
import { CLOSED } from '../timeline.ts';
import { messageTooLarge, REQUEST_TOO_LARGE, StoreTooLargeError } from '../too-large.ts';
import { Watches } from '../watches.ts';
import { Feed } from './feed.ts';
import { FeedEvent } from './feed-event.ts';
import { KeyQueues } from './key-queues.ts';
import { Leases } from './leases.ts';
import {
  decodeRange,
  decodeWrite,
  encodeCompaction,
  encodeRange,
  encodeWrite,
  type KeyValue,
  prefixEnd,
  type RangeRequest,
  type RangeResponse,
  type WatchEvent,
} from './messages.ts';
import { type CallObserver, type Rpc, RpcError, type StoreCall } from './rpc.ts';
import type { ValueFormat } from './value-format.ts';
import { type OwnWrite, type StoreWrite, writtenRevision } from './write-outcome.ts';

export interface EtcdStoreOptions extends HistoryOptions {
  readonly rpc: Rpc;
  readonly clock: Clock;
  readonly log: Log;
  readonly format: ValueFormat;
  /** How long one lease may be shared by entries with a TTL, in seconds. */
  readonly leaseReuseSeconds: number;
  /** Follows the calls of requests; undefined if nobody does. */
  readonly observeCall?: CallObserver | undefined;
}

/** How long a write waits for its own event, and a read for the required revision. */
const FEED_WAIT_MS = limits.freshnessWaitMs;
const CATCH_UP_WAIT_MS = limits.freshnessWaitMs;
/** Usually the event is already on its way. */
const BEFORE_MARK_MS = 100;
/** A round of catching up that takes longer than this is no longer shared. */
const SLOW_CATCH_UP_MS = 250;
/** Of entries whose values are not read. */
const NO_VALUE = Buffer.alloc(0);
/** Events are kept until etcd is compacted, which happens after twice its interval. */
const KEPT_MS = 2 * limits.historyMs;

interface Beginning {
  /** The revision from which on the store's events are complete. */
  readonly begins: number;
  readonly answersProgress: boolean;
}

export class EtcdStore implements Store {
  readonly limitsRequests = true;
  readonly #options: EtcdStoreOptions;
  readonly #rpc: Rpc;
  readonly #format: ValueFormat;
  readonly #history: History;
  readonly #watches = new Watches();
  readonly #feed: Feed;
  readonly #queues = new KeyQueues();
  readonly #leases: Leases;
  readonly #answersProgress: boolean;
  readonly #own = new Map<string, OwnWrite[]>();
  #catchingUp: Promise<void> | undefined;
  /** When the current round began. */
  #caughtUpAtMs = 0;
  #nextCatchUp: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #sweep: Timer;

  constructor(options: EtcdStoreOptions, { begins, answersProgress }: Beginning) {
    this.#options = options;
    this.#rpc = options.rpc;
    this.#format = options.format;
    this.#answersProgress = answersProgress;
    const bytesOf = (event: StoreEvent) => (event as FeedEvent).bytes;
    this.#history = new History({ historyMs: KEPT_MS, ...options, bytesOf }, begins, () => {});
    this.#leases = new Leases(options);
    this.#feed = new Feed({
      ...options,
      prefix: `${this.#format.prefixInEtcd('')}/`,
      after: begins,
      tellsProgress: answersProgress,
      read: (event) => this.#read(event),
      onEvent: (event) => this.#take(event as FeedEvent),
      onGap: (compacted) => this.#lose(compacted),
    });
    this.#sweep = this.#sweepLater();
  }

  async isStale(key: string): Promise<boolean> {
    if (this.#format.isStale === undefined) return false;
    const [found] = (await this.#range({ key: this.#format.keyInEtcd(key) })).entries;
    return found !== undefined && (await this.#format.isStale(key, found.value));
  }

  async get(key: string): Promise<Entry | undefined> {
    const { entries } = await this.#range({ key: this.#format.keyInEtcd(key) });
    return entries[0] && this.#entry(key, entries[0]);
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ListResult> {
    this.#assertOpen();
    const { after, limit = Number.POSITIVE_INFINITY, keysOnly } = options;
    const etcdPrefix = this.#format.prefixInEtcd(prefix);
    const end = prefixEnd(etcdPrefix);
    const entries: Entry[] = [];
    let { revision } = options;
    let next = after === undefined || after < prefix ? etcdPrefix : `${this.#format.keyInEtcd(after)}\0`;
    for (;;) {
      const wanted = Math.min(limits.etcdPageKeys, limit - entries.length);
      const page = await this.#range({ key: next, end, revision, limit: wanted, keysOnly });
      revision ??= page.revision;
      for (const found of page.entries) {
        const key = this.#format.keyOf(found.key);
        if (key === undefined) continue;
        const entry =
          keysOnly === true ? { key, revision: found.modRevision, value: NO_VALUE } : this.#entry(key, found);
        entries.push(isLater(entry) ? await entry : entry);
      }
      const last = page.entries.at(-1);
      if (!page.more || last === undefined) return { entries, revision, more: false };
      if (entries.length >= limit) return { entries, revision, more: true };
      next = `${last.key}\0`;
    }
  }

  async put(key: string, value: Buffer, expected: Expected): Promise<WriteResult> {
    this.#assertOpen();
    const deadline = this.#deadline();
    return this.#queues.run({ key, value, expected }, () => this.#put(key, value, { expected, deadline }));
  }

  async delete(key: string, expected: Exclude<Expected, 'absent'>): Promise<WriteResult> {
    this.#assertOpen();
    const deadline = this.#deadline();
    const queued = { key, value: undefined, expected };
    return this.#queues.run(queued, () => this.#write(key, { ...queued, deadline }));
  }

  async watch(options: WatchOptions): Promise<StoreWatch> {
    this.#assertOpen();
    if (options.after < this.#history.compacted) throw new CompactedError(this.#history.compacted);
    return this.#watches.add(options, this.#history.after(options.after));
  }

  catchUp(): Promise<void> {
    const { clock } = this.#options;
    const running = this.#catchingUp;
    // A slow round is not waited for: etcd may be down, and later reads have their own timeout.
    if (running === undefined || clock.now() - this.#caughtUpAtMs > SLOW_CATCH_UP_MS) {
      const round = this.#catchUpOnce().finally(() => {
        if (this.#catchingUp === round) this.#catchingUp = undefined;
      });
      this.#catchingUp = round;
      this.#caughtUpAtMs = clock.now();
      return round;
    }
    // The current round may have started before the latest write: reads that arrive now share the next one.
    this.#nextCatchUp ??= this.#settled(running).then(() => {
      this.#nextCatchUp = undefined;
      return this.catchUp();
    });
    return this.#nextCatchUp;
  }

  /** Resolves when a round has ended, successfully or not, or takes too long. */
  #settled(round: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#options.clock.after(SLOW_CATCH_UP_MS + 1, resolve);
      const end = () => {
        timer.cancel();
        resolve();
      };
      round.then(end, end);
    });
  }

  currentRevision(): number {
    return this.#feed.revision;
  }

  compactedRevision(): number {
    return this.#history.compacted;
  }

  expiredRevision(): number {
    return this.#history.expired;
  }

  async compact(revision: number): Promise<void> {
    this.#assertOpen();
    try {
      await this.#call('KV/Compact', encodeCompaction(revision));
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error;
    }
    this.compacted(revision);
  }

  /** Drops history that has been compacted in etcd. */
  compacted(revision: number): void {
    this.#history.releaseTo(Math.min(revision, this.#feed.revision));
  }

  fault(): string | undefined {
    return this.#closing === undefined ? undefined : CLOSED;
  }

  statistics(): StoreStatistics {
    return { entries: 0, bytes: 0, historyEvents: this.#history.length, queuedWrites: this.#queues.size };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** The time that a write waits behind others of its key is its own. */
  #deadline(): number {
    return this.#options.clock.now() + limits.etcdCallMs;
  }

  async #put(
    key: string,
    value: Buffer,
    { expected, deadline }: Pick<StoreWrite, 'expected' | 'deadline'>,
  ): Promise<WriteResult> {
    const ttlSeconds = this.#format.ttlSeconds(key);
    const made = this.#format.write(key, value);
    const stored = isLater(made) ? await made : made;
    const own: OwnWrite = { stored, value };
    const etcdKey = this.#format.keyInEtcd(key);
    this.#own.set(etcdKey, [...(this.#own.get(etcdKey) ?? []), own]);
    try {
      const write = { value: stored, expected, deadline };
      if (ttlSeconds === undefined) return await this.#write(key, write);
      return await this.#leases.with(ttlSeconds, (lease) => this.#write(key, { ...write, lease }));
    } finally {
      const left = this.#own.get(etcdKey)?.filter((other) => other !== own) ?? [];
      if (left.length > 0) this.#own.set(etcdKey, left);
      else this.#own.delete(etcdKey);
    }
  }

  async #write(key: string, { value, expected, deadline, lease }: StoreWrite): Promise<WriteResult> {
    const modRevision = expected === 'absent' ? 0 : expected === 'any' ? undefined : expected;
    const request = { key: this.#format.keyInEtcd(key), value, modRevision, lease };
    let repeated = false;
    const onRetry = () => (repeated = true);
    const timeoutMs = deadline - this.#options.clock.now();
    if (timeoutMs <= 0) throw new StoreTimeoutError('the time was over before those that came before were written');
    const message = encodeWrite(request);
    if (message.length > limits.etcdMessageBytes) throw messageTooLarge(message.length);
    const response = decodeWrite(await this.#call('KV/Txn', message, { timeoutMs, onRetry, key }));
    const revision = writtenRevision(response, { value, modRevision, repeated });
    if (revision === undefined) {
      const { current } = response;
      return { written: false, current: current && (await this.#entry(key, current)) };
    }
    // Readers of this process see what it has written; if the feed has stopped, etcd's response suffices.
    const reached = this.#feed.reach(revision, FEED_WAIT_MS);
    if (reached !== true) await reached;
    return { written: true, revision, previous: undefined };
  }

  async #catchUpOnce(): Promise<void> {
    this.#assertOpen();
    const key = this.#format.prefixInEtcd('');
    const { revision } = decodeRange(await this.#call('KV/Range', encodeRange({ key, countOnly: true })));
    const reached = this.#feed.reach(revision, CATCH_UP_WAIT_MS);
    if (reached === true) return;
    if (this.#answersProgress) this.#feed.askForProgress();
    else if (!(await this.#feed.reach(revision, BEFORE_MARK_MS))) await this.#mark();
    if (!(await reached)) throw new StoreLagError('the etcd watch did not reach the current revision');
  }

  /** A dummy write, whose event follows all earlier ones. */
  async #mark(): Promise<void> {
    const key = `${this.#format.prefixInEtcd('')}/keelson/mark`;
    await this.#call('KV/Txn', encodeWrite({ key, value: Buffer.alloc(0) }));
  }

  /** The event for watches; undefined for keys that are not entries. */
  #read({ key: etcdKey, modRevision, value: stored }: WatchEvent): Soon<FeedEvent | undefined> {
    const key = this.#format.keyOf(etcdKey);
    if (key === undefined) return undefined;
    const event = { key, revision: modRevision, bytes: stored?.length ?? 0 };
    if (stored === undefined) return new FeedEvent(event, undefined);
    const own = this.#own.get(etcdKey)?.find((write) => stored.equals(write.stored));
    if (own !== undefined) return new FeedEvent(event, own);
    // Synchronous readers cannot wait.
    if (this.#format.readsLater?.(key) !== true)
      return new FeedEvent(event, () => this.#format.read(key, stored) as Buffer);
    return whenThere(this.#entry(key, { modRevision, value: stored }), (entry) => new FeedEvent(event, entry));
  }

  #take(event: FeedEvent): void {
    this.#history.append(event, this.#options.clock.now());
    this.#watches.dispatch(event);
  }

  /** Events up to `compacted` are unknown and will remain so. */
  #lose(compacted: number): void {
    this.#options.log.warn('etcd has compacted revisions that were not read yet', { compacted });
    this.#history.releaseTo(compacted);
    this.#watches.end(new CompactedError(compacted));
  }

  #entry(key: string, { modRevision: revision, value: stored }: Pick<KeyValue, 'modRevision' | 'value'>): Soon<Entry> {
    // All others are served.
    const fail = (error: unknown): Entry => ({ key, revision, value: Buffer.from(stored), unreadable: error as Error });
    try {
      const read = this.#format.read(key, stored);
      if (!isLater(read)) return { key, revision, value: read };
      return read.then((value) => ({ key, revision, value }), fail);
    } catch (error) {
      return fail(error);
    }
  }

  async #range(request: RangeRequest): Promise<RangeResponse> {
    this.#assertOpen();
    try {
      return decodeRange(await this.#call('KV/Range', encodeRange(request)));
    } catch (error) {
      if (error instanceof CompactedError) this.#history.releaseTo((request.revision ?? 0) + 1);
      throw error instanceof CompactedError ? new CompactedError(this.#history.compacted) : error;
    }
  }

  async #call(method: string, message: Uint8Array, { key, ...options }: StoreCall = {}): Promise<Uint8Array> {
    const over = this.#options.observeCall?.(method, key);
    try {
      const answer = await this.#rpc.call(method, message, { timeoutMs: limits.etcdCallMs, ...options });
      over?.(true);
      return answer;
    } catch (error) {
      over?.(false);
      throw this.#storeError(error as Error);
    }
  }

  #storeError(error: Error): Error {
    if (!(error instanceof RpcError)) return error;
    if (error.failure === 'closed') return new StoreError(CLOSED);
    if (error.failure === 'timeout' || error.failure === 'unavailable') return new StoreTimeoutError(error.message);
    if (error.failure === 'out-of-range' && error.message.includes('compacted')) {
      return new CompactedError(this.#history.compacted);
    }
    if (error.failure === 'out-of-range') return new FutureRevisionError(this.#feed.revision);
    return error.message === REQUEST_TOO_LARGE ? new StoreTooLargeError(error.message) : new StoreError(error.message);
  }

  async #close(): Promise<void> {
    this.#sweep.cancel();
    await this.#queues.idle();
    this.#feed.close();
    this.#watches.end(undefined);
    this.#rpc.close();
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new StoreError(CLOSED);
  }

  #sweepLater(): Timer {
    return this.#options.clock.after(this.#history.releaseEveryMs, () => {
      this.#history.releaseOld();
      this.#sweep = this.#sweepLater();
    });
  }
}
