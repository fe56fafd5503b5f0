// Events of the spans of verbs and of the store: the moments that kube-apiserver notes, with its names.

import { lookup } from '../../base/lookup.ts';

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

/** By the verb of a request. */
export const VERB_EVENTS: Readonly<Record<string, VerbEvents>> = lookup({
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

export const ANSWERED = 'Writing http response done';

/** The span of a write to etcd. */
interface WriteSpan {
  readonly name: string;
  /** The write begins; it is sent to etcd; etcd has answered. */
  readonly begins: readonly string[];
  readonly sent: readonly string[];
  readonly answered: readonly string[];
}

const UPDATE: WriteSpan = {
  name: 'GuaranteedUpdate etcd3',
  begins: ['initial value restored', 'About to Encode'],
  sent: ['Encode succeeded', 'TransformToStorage succeeded', 'Transaction prepared'],
  answered: ['Txn call completed', 'Transaction committed', 'decode succeeded'],
};

/** By the verb of a request. */
export const WRITE_SPANS: Readonly<Record<string, WriteSpan>> = lookup({
  create: {
    name: 'Create etcd3',
    begins: ['About to Encode'],
    sent: ['Encode succeeded', 'TransformToStorage succeeded'],
    answered: ['Txn call succeeded', 'decode succeeded'],
  },
  update: UPDATE,
  patch: UPDATE,
});

/** The read of one object of which the watch cache asks etcd. */
export const CACHED_GET = { name: 'cacher.Get', begins: 'About to Get from underlying storage' } as const;
