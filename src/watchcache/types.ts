// Types of the watch cache.

import type { Buffer } from 'node:buffer';
import type { KeptForms } from './kept-forms.ts';
import type { UnreadableEntries } from './unreadable-entries.ts';

/** What selectors look at, taken from the object once. */
export interface Attributes {
  readonly name: string;
  /** '' for cluster-scoped objects. */
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** Values of the resource's own selectable fields, beyond metadata.name and metadata.namespace. */
  readonly fields: Readonly<Record<string, string>> | undefined;
}

/** What a selection is matched with. */
export interface Selectable extends Attributes {
  /** As of CachedObject; absent for what is not stored. */
  readonly bytes?: Buffer;
}

/** One version of one object. Immutable and shared by every reader. */
export interface CachedObject extends Attributes {
  /** The store's key. */
  readonly key: string;
  readonly revision: number;
  /** The object's JSON in its storage version, without resourceVersion. */
  readonly bytes: Buffer;
  /** Where metadata ends in the bytes; 0 until somebody has looked. */
  metadataEnd: number;
}

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One write, as the cache remembers it. `previous` is undefined for additions, `current` for deletions. */
export interface CacheEvent {
  readonly revision: number;
  readonly current: CachedObject | undefined;
  readonly previous: CachedObject | undefined;
  /**
   * Encodings made of this event, by type, version and media type, so that all watchers share the bytes. Filled by
   * whoever encodes; made on first use, dropped when the event is no longer among the newest.
   */
  frames: Map<string, Buffer> | undefined;
}

/** Which objects somebody is interested in. */
export interface Selection {
  /** Objects of one namespace; undefined for all. */
  readonly namespace: string | undefined;
  /** One object by name; undefined for all. */
  readonly name: string | undefined;
  /** Labels and fields; undefined when everything in scope is selected. */
  readonly matches: ((object: Selectable) => boolean) | undefined;
}

/** The state of a resource at one revision. Taking one costs nothing; holding one pins the objects in it. */
export interface Snapshot {
  readonly revision: number;
  /** Objects in scope, matching or not; with `after`, those whose keys are greater. */
  count(selection: Selection, after?: string): number;
  /**
   * Objects in scope and matching, in the order of their keys' bytes, from the first one whose key is greater than
   * `after`.
   */
  objects(selection: Selection, after?: string): Iterable<CachedObject>;
  get(key: string): CachedObject | undefined;
}

export interface WatchRequest {
  readonly selection: Selection;
  /** Events after this revision; 'state': first the objects there are, as ADDED, then what happens. */
  readonly from: number | 'state';
  readonly sink: WatchSink;
}

/** Where a watcher's events go. Called synchronously; must not throw. */
export interface WatchSink {
  /**
   * An object that was there at the start, of a 'state' watch. False means: no more until `resume()`.
   */
  initial(object: CachedObject): boolean;
  /** All initial objects have been given; they were the state at `revision`. */
  initialEnd(revision: number): boolean;
  /** `object` is what to show: the new object, or for DELETED the last state that was selected. */
  event(type: EventType, object: CachedObject, event: CacheEvent): boolean;
  /** The watcher fell behind all history, or the cache closed; no more events come. */
  end(reason: 'expired' | 'closed'): void;
}

export interface Watcher {
  /** Everything up to this revision has been delivered: what a bookmark says. */
  readonly revision: number;
  /** The sink can take more. */
  resume(): void;
  close(): void;
}

export interface WatchCache {
  /** The revision up to which the cache is complete. */
  readonly revision: number;
  /** The same one as long as nothing is written to the resource: what to remember results by. */
  readonly state: object;
  /** The newest version of an object. */
  get(key: string): CachedObject | undefined;
  /** Entries of the newest state that can't be read; `get` has at best an older version of them. */
  readonly unreadable: Pick<UnreadableEntries, 'get' | 'within'>;
  /** Forms of the newest objects that are kept for those who ask again. */
  readonly forms: KeptForms;
  /** The newest state. */
  snapshot(): Snapshot;
  /** The state at exactly `revision`, which must not be greater than `this.revision`; undefined when it has expired. */
  snapshotAt(revision: number): Snapshot | undefined;
  /**
   * Resolves to true once the cache is complete up to `revision`; false when that took longer than `waitMs`, or the
   * signal was aborted.
   */
  waitFor(revision: number, waitMs: number, signal?: AbortSignal): Promise<boolean>;
  /**
   * Throws ExpiredError when `from` is older than the history kept. A future revision is allowed and silent till then.
   * What there is to deliver already is given to the sink before this returns. On a closed cache the watch ends at
   * once.
   */
  watch(request: WatchRequest): Watcher;
  /** All objects that it knows, and the bytes of their values. */
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

/** The revision is older than the history kept. */
export class ExpiredError extends Error {
  override name = 'ExpiredError';
}
