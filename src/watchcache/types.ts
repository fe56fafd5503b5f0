// Types of the watch cache.

import type { Buffer } from 'node:buffer';
import type { KeptForms } from './kept-forms.ts';
import type { UnreadableEntries } from './unreadable-entries.ts';

/** What selectors evaluate, extracted from the object once. */
export interface Attributes {
  readonly name: string;
  /** '' for cluster-scoped objects. */
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** Values of the resource's own selectable fields, in addition to metadata.name and metadata.namespace. */
  readonly fields: Readonly<Record<string, string>> | undefined;
}

/** The input of a selection. */
export interface Selectable extends Attributes {
  /** As in CachedObject; absent for what is not stored. */
  readonly bytes?: Buffer;
}

/** A version of an object. Immutable and shared by all readers. */
export interface CachedObject extends Attributes {
  /** The store's key. */
  readonly key: string;
  readonly revision: number;
  /** The object's JSON in its storage version, without resourceVersion. */
  readonly bytes: Buffer;
  /** Where metadata ends in the bytes; 0 until computed. */
  metadataEnd: number;
}

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One write in the cache. `previous` is undefined for additions, `current` for deletions. */
export interface CacheEvent {
  readonly revision: number;
  readonly current: CachedObject | undefined;
  readonly previous: CachedObject | undefined;
  /**
   * Cached encodings of this event, by type, version and media type, shared by all watchers. Filled by the encoder on
   * first use, dropped when the event is no longer among the latest.
   */
  frames: Map<string, Buffer> | undefined;
}

/** A selection of objects. */
export interface Selection {
  /** Objects of one namespace; undefined for all. */
  readonly namespace: string | undefined;
  /** One object by name; undefined for all. */
  readonly name: string | undefined;
  /** Labels and fields; undefined if everything in scope is selected. */
  readonly matches: ((object: Selectable) => boolean) | undefined;
  /** What `matches` compares for one object: the number of its requirements. 1 if absent. */
  readonly cost?: number;
}

/** The state of a resource at one revision. Taking one is free; holding one keeps its objects in memory. */
export interface Snapshot {
  readonly revision: number;
  /** Objects in scope, matching or not; with `after`, those with greater keys. */
  count(selection: Selection, after?: string): number;
  /** Matching objects in scope, in the order of their keys' bytes, starting after the key `after`. */
  objects(selection: Selection, after?: string): Iterable<CachedObject>;
  /**
   * Objects in scope, matching or not, in the order of their keys' bytes from the key `start` on, in groups of a few, some
   * of them empty: whoever looks through many pauses between groups.
   */
  candidates(selection: Selection, start?: string): Iterable<readonly CachedObject[]>;
  get(key: string): CachedObject | undefined;
}

export interface WatchRequest {
  readonly selection: Selection;
  /** Events after this revision; 'state': existing objects first, as ADDED, then changes. */
  readonly from: number | 'state';
  readonly sink: WatchSink;
}

/** The receiver of a watcher's events. Called synchronously; must not throw. */
export interface WatchSink {
  /** An existing object, of a 'state' watch. False means: no more until `resume()`. */
  initial(object: CachedObject): boolean;
  /** All initial objects have been delivered; they were the state at `revision`. */
  initialEnd(revision: number): boolean;
  /** `object` is the new object, or for DELETED the last state that was selected. */
  event(type: EventType, object: CachedObject, event: CacheEvent): boolean;
  /** The watcher fell behind the history, or the cache closed; no more events come. */
  end(reason: 'expired' | 'closed'): void;
}

export interface Watcher {
  /** Everything up to this revision has been delivered: the version of a bookmark. */
  readonly revision: number;
  /** The sink can receive more. */
  resume(): void;
  close(): void;
}

export interface WatchCache {
  /** The revision up to which the cache is complete. */
  readonly revision: number;
  /** Identical as long as nothing is written to the resource: a cache key for results. */
  readonly state: object;
  /** The latest version of an object. */
  get(key: string): CachedObject | undefined;
  /** Entries of the latest state that cannot be read; `get` has at best an older version of them. */
  readonly unreadable: Pick<UnreadableEntries, 'get' | 'within'>;
  /** Reads all entries again, because keys have changed; the last state of those that can't be read remains. */
  readAgain(): Promise<void>;
  /**
   * Corrects, in turns, what differs from the store because an event was lost. All watches end as expired if anything did.
   * Rejects like the store.
   */
  readAnew(): Promise<void>;
  /** Cached forms of the latest objects. */
  readonly forms: KeptForms;
  /** The latest state. */
  snapshot(): Snapshot;
  /** The state at exactly `revision`, which must not be greater than `this.revision`; undefined if it has expired. */
  snapshotAt(revision: number): Snapshot | undefined;
  /**
   * Resolves to true once the cache is complete up to `revision`; false if that took longer than `waitMs`, or the
   * signal was aborted.
   */
  waitFor(revision: number, waitMs: number, signal?: AbortSignal): Promise<boolean>;
  /**
   * Throws ExpiredError if `from` is older than the history. A future revision is allowed and silent until then.
   * Pending events are delivered before this returns. On a closed cache the watch ends at once.
   */
  watch(request: WatchRequest): Watcher;
  /** The number of objects, and the bytes of their values. */
  readonly totals: { readonly objects: number; readonly bytes: number };
  /** Numbers for metrics. */
  statistics(): {
    objects: number;
    bytes: number;
    historyEvents: number;
    receivedEvents: number;
    watchers: number;
    lagging: number;
  };
  close(): void;
}

/** The revision is older than the history. */
export class ExpiredError extends Error {
  override name = 'ExpiredError';
}
