// The durable embedded store: state and history in memory, and every write in a log on disk before anybody sees it.

import type { Clock, Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { Log } from '../base/log.ts';
import { type CommitLog, type CommitLogOptions, openCommitLog } from './commit-log.ts';
import type { HistoryOptions } from './history.ts';
import type { Commit } from './log-rows.ts';
import { ReleasedRows } from './released-rows.ts';
import {
  type Entry,
  type Expected,
  type ListOptions,
  type ListResult,
  type Store,
  StoreBusyError,
  StoreError,
  StoreStalledError,
  type StoreStatistics,
  type StoreWatch,
  type WatchOptions,
  type WriteResult,
} from './store.ts';
import { CLOSED, holds, type TimedWrite, Timeline } from './timeline.ts';

export interface EmbeddedStoreOptions extends HistoryOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum number of writes waiting for the disk. */
  readonly queuedWrites?: number;
  /** Maximum bytes of writes waiting for the disk. */
  readonly queuedBytes?: number;
}

type OpenEmbeddedStoreOptions = EmbeddedStoreOptions & CommitLogOptions;

/** Rows that a commit removes in addition to its writes, once so many are waiting; and if there is nothing to write. */
const RELEASED_ROWS = 64;
const RELEASED_ROWS_IDLE = 512;

/** Opens the store in a directory, creating it if necessary. Rejects with StoreError. */
export async function openEmbeddedStore(options: OpenEmbeddedStoreOptions): Promise<Store> {
  const commitLog = await openCommitLog(options);
  try {
    return await EmbeddedStore.over(commitLog, options);
  } catch (error) {
    // The first error is the one to report.
    await commitLog.close().catch(() => {});
    throw error;
  }
}

interface Caller {
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: StoreError) => void;
}

/** A write that has its revision and waits for the disk. */
interface PendingWrite extends Caller {
  readonly key: string;
  readonly value: Buffer | undefined;
  readonly revision: number;
  readonly bytes: number;
  /** The entry of the key after it. */
  readonly entry: Entry | undefined;
  /** Writes whose expectation failed because of this write; they are notified once it is durable. */
  refused: Caller[] | undefined;
}

interface Compaction {
  readonly revision: number;
  readonly resolve: () => void;
  readonly reject: (error: StoreError) => void;
}

/** @internal */
export class EmbeddedStore implements Store {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #commitLog: CommitLog;
  readonly #queuedWrites: number;
  readonly #queuedBytes: number;
  readonly #timeline: Timeline;
  /** The latest revision assigned to a write. */
  #assigned = 0;
  /** The latest waiting write of each key. */
  readonly #pending = new Map<string, PendingWrite>();
  /** Writes that are not part of a commit yet, in the order of their revisions. */
  #waiting: PendingWrite[] = [];
  #waitingBytes = 0;
  /** Writes and bytes that are not durable yet. */
  #unsettled = 0;
  #unsettledBytes = 0;
  readonly #released = new ReleasedRows();
  #compactions: Compaction[] = [];
  /** The compacted revision last recorded in the log. */
  #recorded: number;
  /** Rows are being removed until none is left. */
  #sweeping = false;
  /** Commits that have not settled. */
  #underWay = 0;
  #scheduled = false;
  #failure: StoreError | undefined;
  /** The error of the last commit, if later writes may succeed. */
  #stall: StoreStalledError | undefined;
  /** Forces a commit even if there is nothing to write, to test whether commits are possible. */
  #probing = false;
  #probeTimer: Timer | undefined;
  #closed = false;
  #closing: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;
  #timer: Timer | undefined;

  private constructor(commitLog: CommitLog, options: EmbeddedStoreOptions) {
    this.#clock = options.clock;
    this.#log = options.log;
    this.#commitLog = commitLog;
    this.#queuedWrites = options.queuedWrites ?? limits.storeQueuedWrites;
    this.#queuedBytes = options.queuedBytes ?? limits.storeQueuedBytes;
    const { compacted } = commitLog;
    this.#recorded = compacted;
    this.#timeline = new Timeline({ ...options, compacted, onRelease: (event) => this.#released.add(event) });
  }

  /** Reads the log and creates a store from it, which owns the log from then on. Rejects with StoreError. */
  static async over(commitLog: CommitLog, options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
    const store = new EmbeddedStore(commitLog, options);
    await commitLog.read((write) => store.#restore(write));
    store.#assigned = store.#timeline.revision;
    store.#sweepLater();
    const { entries, bytes } = store.#timeline.statistics();
    store.#log.info('store opened', { revision: store.#assigned, entries, bytes });
    return store;
  }

  async get(key: string): Promise<Entry | undefined> {
    this.#assertOpen();
    return this.#timeline.get(key);
  }

  async list(prefix: string, options?: ListOptions): Promise<ListResult> {
    this.#assertOpen();
    return this.#timeline.list(prefix, options);
  }

  put(key: string, value: Buffer, expected: Expected): Promise<WriteResult> {
    return this.#write(key, value, expected);
  }

  delete(key: string, expected: Exclude<Expected, 'absent'>): Promise<WriteResult> {
    return this.#write(key, undefined, expected);
  }

  async watch(options: WatchOptions): Promise<StoreWatch> {
    this.#assertOpen();
    return this.#timeline.watch(options);
  }

  currentRevision(): number {
    return this.#timeline.revision;
  }

  compactedRevision(): number {
    return this.#timeline.compacted;
  }

  expiredRevision(): number {
    return this.#timeline.expired;
  }

  async compact(revision: number): Promise<void> {
    this.#assertWritable();
    this.#timeline.releaseTo(revision);
    await new Promise<void>((resolve, reject) => {
      this.#compactions.push({ revision: this.#timeline.compacted, resolve, reject });
      this.#sweep();
    });
  }

  fault(): string | undefined {
    return this.#failure?.message ?? this.#stall?.message ?? (this.#closed ? CLOSED : undefined);
  }

  statistics(): StoreStatistics {
    return { ...this.#timeline.statistics(), queuedWrites: this.#unsettled };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #write(key: string, value: Buffer | undefined, expected: Expected): Promise<WriteResult> {
    return new Promise((resolve, reject) => {
      this.#assertWritable();
      const before = this.#pending.get(key);
      const current = before === undefined ? this.#timeline.get(key) : before.entry;
      if (!holds(expected, current) || (value === undefined && current === undefined)) {
        if (before === undefined) resolve({ written: false, current });
        else (before.refused ??= []).push({ resolve, reject });
        return;
      }
      const bytes = key.length + (value?.length ?? 0);
      this.#assertRoom(bytes);
      this.#assigned += 1;
      const revision = this.#assigned;
      const entry = value === undefined ? undefined : { key, value, revision };
      const write: PendingWrite = { key, value, revision, bytes, entry, refused: undefined, resolve, reject };
      this.#pending.set(key, write);
      this.#waiting.push(write);
      this.#unsettled += 1;
      this.#unsettledBytes += bytes;
      this.#waitingBytes += bytes;
      if (this.#waitingBytes >= limits.earlyCommitBytes) this.#commitNext();
      else this.#commitSoon();
    });
  }

  /** Commits at the end of this turn of the event loop, to include all writes of the turn, as long as they are few. */
  #commitSoon(): void {
    if (this.#scheduled || this.#isBusy()) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#commitNext();
    });
  }

  /** Commits waiting writes if there are any and the log is ready; otherwise they are in the next commit. */
  #commitNext(): void {
    if (this.#isBusy()) return;
    const writes = this.#takeWaiting();
    const released = this.#takeReleased(writes.length);
    this.#sweeping &&= this.#released.size > 0;
    if (writes.length === 0 && released.length === 0 && this.#compactions.length === 0 && !this.#probing) {
      if (this.#underWay === 0) this.#onIdle?.();
      return;
    }
    this.#probing = false;
    const timeMs = this.#clock.now();
    const timed = writes.map(({ revision, key, value }) => ({ revision, key, value, timeMs }));
    // Recorded no more often than necessary, because it costs a page on disk.
    if (released.length > 0 || this.#compactions.length > 0) this.#recorded = this.#timeline.compacted;
    const commit = { writes: timed, released, compacted: this.#recorded };
    this.#underWay += 1;
    this.#commitLog.commit(commit).then(
      () => this.#committed(writes, commit, timeMs),
      (error: unknown) => this.#failed(writes, released, error),
    );
  }

  /** Whether a commit is in progress that another one will follow. */
  #isBusy(): boolean {
    return this.#failure === undefined && !this.#commitLog.ready;
  }

  #committed(writes: readonly PendingWrite[], commit: Commit, timeMs: number): void {
    this.#underWay -= 1;
    if (this.#stall !== undefined) this.#recovered();
    // The disk gets its next work before this thread continues.
    if (this.#waiting.length > 0) this.#commitNext();
    for (const write of writes) this.#settle(write, timeMs);
    const recorded = this.#compactions.filter(({ revision }) => revision <= commit.compacted);
    this.#compactions = this.#compactions.filter(({ revision }) => revision > commit.compacted);
    for (const { resolve } of recorded) resolve();
    if (this.#sweeping || this.#compactions.length > 0 || this.#onIdle !== undefined) this.#commitSoon();
  }

  #settle(write: PendingWrite, timeMs: number): void {
    const { key, value, revision, entry, refused } = write;
    if (this.#pending.get(key) === write) this.#pending.delete(key);
    this.#unsettled -= 1;
    this.#unsettledBytes -= write.bytes;
    const { previous } = this.#timeline.apply({ key, value, revision, timeMs });
    write.resolve({ written: true, revision, previous });
    if (refused === undefined) return;
    for (const caller of refused) caller.resolve({ written: false, current: entry });
  }

  /** Waiting writes fail; reads continue. If nothing of the commit is on disk, writes continue too. */
  #failed(writes: readonly PendingWrite[], released: readonly number[], error: unknown): void {
    this.#underWay = 0;
    if (!(error instanceof StoreStalledError)) {
      const failure = error instanceof StoreError ? error : new StoreError(`the store failed: ${String(error)}`);
      this.#failure = failure;
      this.#log.error('the store no longer accepts writes', { error: failure.message });
      this.#rejectAll(writes, failure);
      return;
    }
    if (this.#stall === undefined)
      this.#log.error('the store does not accept writes for now', { error: error.message });
    this.#stall = error;
    this.#released.giveBack(released);
    this.#rejectAll(writes, error);
    // Revisions that nobody has seen are assigned again, so the log has no gaps.
    this.#assigned = this.#timeline.revision;
    this.#commitLog.resume();
    this.#probeLater();
  }

  /** Without writes, the health check must not keep failing. */
  #probeLater(): void {
    this.#probeTimer?.cancel();
    if (this.#closed) return;
    this.#probeTimer = this.#clock.after(limits.storeProbeMs, () => {
      this.#probing = true;
      this.#commitSoon();
    });
  }

  #recovered(): void {
    this.#stall = undefined;
    this.#probeTimer?.cancel();
    this.#log.info('the store accepts writes again', { revision: this.#timeline.revision });
  }

  #rejectAll(writes: readonly PendingWrite[], failure: StoreError): void {
    const lost = [...writes, ...this.#waiting];
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#pending.clear();
    this.#unsettled = 0;
    this.#unsettledBytes = 0;
    for (const write of lost) {
      write.reject(failure);
      for (const caller of write.refused ?? []) caller.reject(failure);
    }
    for (const { reject } of this.#compactions) reject(failure);
    this.#compactions = [];
    this.#sweeping = false;
    this.#onIdle?.();
  }

  #takeWaiting(): PendingWrite[] {
    let bytes = 0;
    let count = 0;
    while (count < this.#waiting.length && bytes < limits.commitBytes) bytes += this.#waiting[count++]!.bytes;
    this.#waitingBytes -= bytes;
    return this.#waiting.splice(0, count);
  }

  /** Some of the removable rows: few next to writes, so as not to delay them, but more than they leave behind. */
  #takeReleased(writes: number): number[] {
    if (this.#closed || this.#failure !== undefined) return [];
    if (!this.#sweeping && this.#released.size < RELEASED_ROWS) return [];
    return this.#released.take(writes === 0 ? RELEASED_ROWS_IDLE : Math.max(RELEASED_ROWS, 2 * writes));
  }

  #restore(found: TimedWrite): void {
    // If the clock was ahead when this was written, it must not stay in history for longer.
    const write = { ...found, timeMs: Math.min(found.timeMs, this.#clock.now()) };
    if (write.revision > this.#timeline.compacted) this.#timeline.apply(write);
    else this.#released.add(this.#timeline.restore(write));
  }

  #sweepLater(): void {
    this.#timer = this.#clock.after(this.#timeline.releaseEveryMs, () => {
      this.#timeline.releaseOld();
      this.#sweep();
      this.#sweepLater();
    });
  }

  /** Removes all removable rows, in small commits with room for writes in between. */
  #sweep(): void {
    this.#sweeping = this.#failure === undefined;
    this.#commitSoon();
  }

  async #close(): Promise<void> {
    this.#closed = true;
    this.#timer?.cancel();
    this.#probeTimer?.cancel();
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      this.#commitSoon();
    });
    this.#timeline.end(undefined);
    await this.#commitLog.close();
  }

  #assertOpen(): void {
    if (this.#closed) throw new StoreError(CLOSED);
  }

  #assertWritable(): void {
    this.#assertOpen();
    if (this.#failure !== undefined) throw this.#failure;
  }

  #assertRoom(bytes: number): void {
    if (this.#unsettled < this.#queuedWrites && this.#unsettledBytes + bytes <= this.#queuedBytes) return;
    throw new StoreBusyError(`${this.#unsettled} writes wait for the disk: try again in a moment`);
  }
}
