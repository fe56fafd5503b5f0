// Events of the spans of verbs and of the store: the moments that kube-apiserver notes, with its names.

import { lookup } from '../../base/lookup.ts';
import { isSince } from '../../lifecycle/version.ts';
import type { SpanRelease } from './call-attributes.ts';

/** What is noted at each moment of a request. */
export interface VerbEvents {
  /** The handler begins. */
  readonly begins?: readonly string[];
  /** The body has been read. */
  readonly read?: readonly string[];
  /** The body has been decoded. */
  readonly decoded?: readonly string[];
  /** The object goes to admission or, without any, to the store. */
  readonly admitted?: readonly string[];
  readonly stored?: readonly string[];
  /** The object of the response is there. */
  readonly answers?: readonly string[];
}

const WRITE: VerbEvents = {
  read: ['limitedReadBody succeeded', 'About to convert to expected version'],
  decoded: ['Conversion done', 'About to store object in database'],
  stored: ['Write to database call succeeded'],
  answers: ['About to write a response'],
};
const DELETE: VerbEvents = {
  read: [
    'limitedReadBody succeeded',
    'Decoded delete options',
    'Recorded the audit event',
    'About to delete object from database',
  ],
  stored: ['Object deleted from database'],
  answers: ['About to write a response'],
};

/** The first minor release of Kubernetes 1 in which lists have no events, but watches that list have spans. */
const LISTS_IN_CACHE = 36;

/** The first one whose reads of single objects have spans where they happen: in etcd, or in the watch cache. */
const READS_IN_PLACE = 37;

/** The events of the span of a verb in a release. */
export function verbEvents(verb: string, release: SpanRelease): VerbEvents {
  return (verb === 'list' && tracesWatchLists(release) ? undefined : VERB_EVENTS[verb]) ?? NONE;
}

const NONE: VerbEvents = Object.freeze({});

/** Whether watches that begin with a list have spans for it. */
export function tracesWatchLists(release: SpanRelease): boolean {
  return isSince(release, LISTS_IN_CACHE);
}

/** By the verb of a request. */
const VERB_EVENTS: Readonly<Record<string, VerbEvents>> = lookup({
  get: { begins: ['About to Get from storage'], answers: ['About to write a response'] },
  list: { begins: ['About to List from storage'], answers: ['Listing from storage done'] },
  create: WRITE,
  update: WRITE,
  patch: {
    read: ['limitedReadBody succeeded', 'Recorded the audit event', 'About to apply patch'],
    admitted: ['About to check admission control'],
    stored: ['Object stored in database'],
    answers: ['About to write a response'],
  },
  delete: DELETE,
  deletecollection: DELETE,
});

/** The end of the response in the span of a verb; undefined where lists have no events. */
export function answeredEvent(verb: string, release: SpanRelease): string | undefined {
  return verb === 'list' && tracesWatchLists(release) ? undefined : 'Writing http response done';
}

/** The span of a write to etcd, or of the read of an object. */
export interface StoreWords {
  readonly name: string;
  /** The write begins; it is sent to etcd; etcd has answered. */
  readonly begins: readonly string[];
  readonly sent: readonly string[];
  readonly answered: readonly string[];
}

const DECODED = 'decode succeeded';
const UPDATE: StoreWords = {
  name: 'GuaranteedUpdate etcd3',
  begins: ['initial value restored', 'About to Encode'],
  sent: ['Encode succeeded', 'TransformToStorage succeeded', 'Transaction prepared'],
  answered: ['Txn call completed', 'Transaction committed', DECODED],
};

/** By the verb of a request. */
const WRITE_SPANS: Readonly<Record<string, StoreWords>> = lookup({
  create: {
    name: 'Create etcd3',
    begins: ['About to Encode'],
    sent: ['Encode succeeded', 'TransformToStorage succeeded'],
    answered: ['Txn call succeeded', DECODED],
  },
  update: UPDATE,
  patch: UPDATE,
});

/** The write to etcd for a verb; undefined if it does not write. */
export function writeWords(verb: string, release: SpanRelease): StoreWords | undefined {
  const words = WRITE_SPANS[verb];
  if (words === undefined || !isSince(release, READS_IN_PLACE)) return words;
  return { ...words, answered: words.answered.map((each) => (each === DECODED ? 'Decode succeeded' : each)) };
}

/** The read of one object of which the watch cache asks etcd. */
const THROUGH_CACHE: StoreWords = {
  ...{ name: 'cacher.Get', begins: ['About to Get from underlying storage'] },
  ...{ sent: [], answered: [] },
};

/** The same from `READS_IN_PLACE` on. */
const PAST_CACHE: StoreWords = {
  ...{ name: 'Get etcd3', begins: [], sent: [] },
  answered: ['Get call succeeded', 'TransformFromStorage succeeded', 'Decode succeeded'],
};

/** The read of one object of which etcd is asked, and whether it passes the watch cache by. */
export function readWords(release: SpanRelease): { readonly words: StoreWords; readonly isPastCache: boolean } {
  const isPastCache = isSince(release, READS_IN_PLACE);
  return { words: isPastCache ? PAST_CACHE : THROUGH_CACHE, isPastCache };
}

const FRESH = ['watchCache locked acquired', 'watchCache fresh enough'];

/** The read of an object, or of a list, from the watch cache. */
export interface CacheWords {
  readonly name: string;
  readonly events: readonly string[];
}

/** The read from the watch cache for a verb; undefined if it is not a read. */
export function cacheWords(verb: string, release: SpanRelease): CacheWords | undefined {
  const isInPlace = isSince(release, READS_IN_PLACE);
  if (verb === 'get') {
    const events = isInPlace ? [...FRESH, 'GetByKey success'] : ['About to fetch object from cache'];
    return { name: 'cacher.Get', events };
  }
  if (verb !== 'list') return undefined;
  const listed = ['Listed items from cache', 'Filtered items'];
  const events = isInPlace
    ? ['Ready', 'getCurrentRV success', ...FRESH, 'GetLatestSnapshotOrBuildLocked success', ...listed]
    : ['Ready', ...FRESH, ...listed];
  return { name: 'cacher.GetList', events };
}

/** The spans of a watch that begins with a list, from the outermost. */
export const WATCH_LIST = {
  verb: 'WatchList',
  cache: { name: 'cacher.Watch', events: FRESH },
  response: {
    name: 'WatchServer.HandleHTTP',
    begins: 'About to start writing response',
    listed: 'Writing initial events done',
  },
} as const;
