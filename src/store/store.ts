// The storage interface: keys, bytes and revisions, independent of Kubernetes. test/contract/store.ts is the test suite
// that every driver passes.
//
// Revisions are one strictly increasing counter for the whole store. A new store starts at FIRST_REVISION, so that
// small numbers are always history (Kubernetes clients expect revision 1 to be expired). Each write has its own
// revision. With a durable driver, an acknowledged write is on disk.

/** The revision of an empty store. */
export const FIRST_REVISION = 100;

export interface Entry {
  readonly key: string;
  readonly value: Buffer;
  /** The revision of the write of this value. */
  readonly revision: number;
  /** Why `value` is the stored value rather than the original one: it cannot be decrypted. */
  readonly unreadable?: Error | undefined;
}

/**
 * One write, as seen by watches. `value` is undefined for a deletion; `previous` is the value before, if the driver
 * knows it.
 */
export interface StoreEvent {
  readonly key: string;
  readonly revision: number;
  readonly value: Buffer | undefined;
  readonly previous: Entry | undefined;
  /** Like that of an entry, for `value`. */
  readonly unreadable?: Error | undefined;
}

/** The expected state before a write: nothing ('absent'), exactly one revision, or anything ('any'). */
export type Expected = 'absent' | 'any' | number;

/** `previous` is the entry before, if the driver knows it. */
export type WriteResult =
  | { readonly written: true; readonly revision: number; readonly previous: Entry | undefined }
  /** The expectation did not hold; `current` is the current entry, durable like any read. */
  | { readonly written: false; readonly current: Entry | undefined };

export interface ListOptions {
  /** The state at exactly this revision; the latest by default. Throws CompactedError or FutureRevisionError. */
  readonly revision?: number;
  /** Only entries with keys greater than this one. */
  readonly after?: string;
  readonly limit?: number;
  /**
   * Only keys and revisions are needed: values are empty, or, from a driver that has them at hand, as they are stored.
   * Nothing is decrypted, so that no entry is unreadable.
   */
  readonly keysOnly?: boolean;
}

export interface ListResult {
  readonly entries: readonly Entry[];
  /** The revision of the listed state. */
  readonly revision: number;
  /** Whether entries beyond `limit` were omitted. */
  readonly more: boolean;
}

export interface WatchOptions {
  readonly prefix: string;
  /** Events with a greater revision are delivered, beginning with those in history. */
  readonly after: number;
  /**
   * Receives events in revision order without gaps, each exactly once; called synchronously, before the write is
   * acknowledged. Must not throw.
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
  /** Entries with the key prefix `prefix`, in the order of the keys' UTF-8 bytes. */
  list(prefix: string, options?: ListOptions): Promise<ListResult>;
  /** Resolves once the value is durable. Rejects with StoreError if it may not be. */
  put(key: string, value: Buffer, expected: Expected): Promise<WriteResult>;
  /** Like put; deleting an absent key returns `written: false` without a current entry, whatever was expected. */
  delete(key: string, expected: Exclude<Expected, 'absent'>): Promise<WriteResult>;
  /** Throws CompactedError if `after` is older than the history. A future revision is allowed. */
  watch(options: WatchOptions): Promise<StoreWatch>;
  /**
   * Catches up with other writers; absent in drivers that are the only writer. When it resolves, every write that any
   * store had acknowledged before the call has been delivered to the watches, and `currentRevision` is not older.
   * Rejects with StoreTimeoutError, which is a StoreLagError if only the events are late.
   */
  readonly catchUp?: (() => Promise<void>) | undefined;
  /** The revision of the latest acknowledged write that has been delivered to the watches. */
  currentRevision(): number;
  /** States and events up to this revision may be gone; later ones are complete. */
  compactedRevision(): number;
  /**
   * States before this revision have expired, even if nothing has changed since: it was the latest one when history
   * began. Lists that continue from an earlier one have to restart.
   */
  expiredRevision(): number;
  /** Releases history up to and including `revision`. */
  compact(revision: number): Promise<void>;
  /** Why the store is unhealthy; undefined if it is healthy. */
  fault?(): string | undefined;
  /** Sizes for metrics. */
  statistics(): StoreStatistics;
  /** Whether writing the same `value` that was read at `key` would store other bytes, for example with a newer key. */
  isStale?(key: string, value: Buffer): Promise<boolean>;
  /** The value in memory where the store keeps such values; to be put in its place. Absent if any memory will do. */
  placed?(value: Buffer): Buffer;
  /** Whether the store itself refuses requests that are too large, as etcd does. */
  readonly limitsRequests?: true;
  /** Completes waiting writes and releases all resources. Further calls reject with StoreError. */
  close(): Promise<void>;
}

export interface StoreStatistics {
  readonly entries: number;
  readonly bytes: number;
  readonly historyEvents: number;
  readonly queuedWrites: number;
}

/** The store cannot perform the operation: closed, disk full, file damaged. The message says why, and what to do. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** Nothing of a write is on disk, for example because it is full; a later write succeeds once there is space. */
export class StoreStalledError extends StoreError {
  override name = 'StoreStalledError';
}

/** The storage did not respond in time; the outcome of a write is unknown. */
export class StoreTimeoutError extends StoreError {
  override name = 'StoreTimeoutError';
}

/** The storage responds, but its events are late: reads from it show what watches have not received. */
export class StoreLagError extends StoreTimeoutError {
  override name = 'StoreLagError';
}

/** Too many writes are waiting for the disk; the same request may succeed a moment later. */
export class StoreBusyError extends StoreError {
  override name = 'StoreBusyError';
}

/** The requested revision is older than the history. */
export class CompactedError extends Error {
  override name = 'CompactedError';
  readonly compactedRevision: number;
  constructor(compactedRevision: number) {
    super(`required revision has been compacted: history starts after ${compactedRevision}`);
    this.compactedRevision = compactedRevision;
  }
}

/** The requested revision has not been written yet. */
export class FutureRevisionError extends Error {
  override name = 'FutureRevisionError';
  readonly currentRevision: number;
  constructor(currentRevision: number) {
    super(`required revision is a future revision: the newest is ${currentRevision}`);
    this.currentRevision = currentRevision;
  }
}
