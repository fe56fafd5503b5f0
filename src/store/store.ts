// The storage contract: keys, bytes and revisions, nothing of Kubernetes. Every driver keeps it; test/contract/store.ts
// is the suite that each one passes.
//
// Revisions are one strictly rising count over the whole store. A fresh store starts at FIRST_REVISION, so that small
// numbers are always history (Kubernetes clients expect revision 1 to be expired). A write is one revision. A write
// that has been acknowledged is on the disk of a durable driver.

/** The revision of a store that nothing was written to. */
export const FIRST_REVISION = 100;

export interface Entry {
  readonly key: string;
  readonly value: Buffer;
  /** The revision of the write that made this value. */
  readonly revision: number;
  /** The reason why `value` is what is stored, not what was written: it can't be transformed back. */
  readonly unreadable?: Error | undefined;
}

/**
 * One write, as watches see it. `value` is undefined for a deletion; `previous` is what stood there before, where the
 * driver knows.
 */
export interface StoreEvent {
  readonly key: string;
  readonly revision: number;
  readonly value: Buffer | undefined;
  readonly previous: Entry | undefined;
  /** As that of an entry, for `value`. */
  readonly unreadable?: Error | undefined;
}

/** What a write expects to find: nothing ('absent'), exactly one revision, or whatever is there ('any'). */
export type Expected = 'absent' | 'any' | number;

/** `previous` is what stood there before, where the driver knows. */
export type WriteResult =
  | { readonly written: true; readonly revision: number; readonly previous: Entry | undefined }
  /** The expectation did not hold; `current` is what stands there now, durable like any read. */
  | { readonly written: false; readonly current: Entry | undefined };

export interface ListOptions {
  /** The state at exactly this revision; without it the newest. Throws CompactedError or FutureRevisionError. */
  readonly revision?: number;
  /** Entries with keys greater than this one only. */
  readonly after?: string;
  readonly limit?: number;
}

export interface ListResult {
  readonly entries: readonly Entry[];
  /** The revision of the state that was listed. */
  readonly revision: number;
  /** Whether entries beyond `limit` were left out. */
  readonly more: boolean;
}

export interface WatchOptions {
  readonly prefix: string;
  /** Events with a revision greater than this one are delivered, first those of history. */
  readonly after: number;
  /**
   * Gets events in revision order without a gap, each exactly once; called synchronously, before the write that
   * made the event is acknowledged. Must not throw.
   */
  readonly onEvent: (event: StoreEvent) => void;
  /** The watch has ended for good: the store failed or closed. Not called after `close()`. */
  readonly onEnd: (error: Error | undefined) => void;
}

export interface StoreWatch {
  close(): void;
}

export interface Store {
  get(key: string): Promise<Entry | undefined>;
  /** Entries whose keys begin with `prefix`, in the order of the keys' UTF-8 bytes. */
  list(prefix: string, options?: ListOptions): Promise<ListResult>;
  /** Resolves once the value is durable. Rejects with StoreError when it may not be. */
  put(key: string, value: Buffer, expected: Expected): Promise<WriteResult>;
  /** Like put; deleting what is not there is `written: false` with no current entry, whatever was expected. */
  delete(key: string, expected: Exclude<Expected, 'absent'>): Promise<WriteResult>;
  /** Throws CompactedError when `after` is older than the history kept. A future revision is allowed. */
  watch(options: WatchOptions): Promise<StoreWatch>;
  /**
   * Catches up with the writes of others; drivers whose writes are all their own have no such thing. When it resolves,
   * every write that anybody's store had acknowledged when it was called has been given to the watches, and
   * `currentRevision` is not older. Rejects with StoreTimeoutError.
   */
  readonly catchUp?: (() => Promise<void>) | undefined;
  /** The revision of the newest acknowledged write that the watches have been given. */
  currentRevision(): number;
  /** States and events up to this revision may be gone; those after it are complete. */
  compactedRevision(): number;
  /**
   * States before this revision have expired, whether anything happened since or not: it was the newest one when history
   * began. Who continues a list from before it begins again.
   */
  expiredRevision(): number;
  /** Lets go of history up to and including `revision`. */
  compact(revision: number): Promise<void>;
  /** What is wrong with the store, for its health check; undefined when nothing is. */
  fault?(): string | undefined;
  /** Sizes for metrics. */
  statistics(): StoreStatistics;
  /** Whether a write of the very `value` that was read at `key` would store other bytes, as with a newer key. */
  isStale?(key: string, value: Buffer): Promise<boolean>;
  /** Finishes waiting writes and lets go of all resources. Further calls reject with StoreError. */
  close(): Promise<void>;
}

export interface StoreStatistics {
  readonly entries: number;
  readonly bytes: number;
  readonly historyEvents: number;
  readonly queuedWrites: number;
}

/** The store can't do what was asked: closed, disk full, file damaged. The message says what, and what to do. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** The disk took nothing of a write, as when it is full; a later write succeeds once it has room. */
export class StoreStalledError extends StoreError {
  override name = 'StoreStalledError';
}

/** What keeps the data did not answer in time; a write may have been made or not. */
export class StoreTimeoutError extends StoreError {
  override name = 'StoreTimeoutError';
}

/** Too many writes wait for the disk; the same request may succeed a moment later. */
export class StoreBusyError extends StoreError {
  override name = 'StoreBusyError';
}

/** The revision asked for is older than the history kept. */
export class CompactedError extends Error {
  override name = 'CompactedError';
  readonly compactedRevision: number;
  constructor(compactedRevision: number) {
    super(`required revision has been compacted: history starts after ${compactedRevision}`);
    this.compactedRevision = compactedRevision;
  }
}

/** The revision asked for has not been written yet. */
export class FutureRevisionError extends Error {
  override name = 'FutureRevisionError';
  readonly currentRevision: number;
  constructor(currentRevision: number) {
    super(`required revision is a future revision: the newest is ${currentRevision}`);
    this.currentRevision = currentRevision;
  }
}
