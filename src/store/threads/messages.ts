// The messages between the thread that owns a store and a thread that uses it: calls one way; events, answers and facts
// the other way, in the order in which they happened.

import type { MessagePort } from 'node:worker_threads';
import {
  CompactedError,
  type Expected,
  FutureRevisionError,
  type ListOptions,
  StoreBusyError,
  StoreError,
  StoreStalledError,
  type StoreStatistics,
} from '../store.ts';
import { StoreTooLargeError } from '../too-large.ts';

export type Call =
  | { readonly kind: 'get'; readonly key: string }
  | { readonly kind: 'list'; readonly prefix: string; readonly options: ListOptions | undefined }
  | { readonly kind: 'put'; readonly key: string; readonly value: Uint8Array; readonly expected: Expected }
  | { readonly kind: 'delete'; readonly key: string; readonly expected: Exclude<Expected, 'absent'> }
  /** The id of the call is that of the watch. */
  | { readonly kind: 'watch'; readonly prefix: string; readonly after: number }
  | { readonly kind: 'compact'; readonly revision: number };

export type FromThread =
  | { readonly id: number; readonly call: Call }
  /** The watch is no longer wanted. */
  | { readonly unwatch: number }
  /** So many bytes of events have been taken. */
  | { readonly taken: number };

/** An entry in a message. Its bytes are shared, not copied, if they are in shared memory. */
export interface SentEntry {
  readonly key: string;
  readonly value: Uint8Array;
  readonly revision: number;
}

/** One write, for one watch. */
interface SentEvent {
  readonly kind: 'event';
  readonly watch: number;
  readonly key: string;
  readonly revision: number;
  /** The value; undefined for a deletion. */
  readonly value: Uint8Array | undefined;
  /** The call of this thread that wrote the value, which is then not sent back. */
  readonly by: number | undefined;
}

type SentWrite =
  | { readonly written: true; readonly revision: number }
  | { readonly written: false; readonly current: SentEntry | undefined };

export type Sent =
  | SentEvent
  | { readonly kind: 'entry'; readonly id: number; readonly entry: SentEntry | undefined }
  | {
      readonly kind: 'entries';
      readonly id: number;
      readonly entries: readonly SentEntry[];
      readonly revision: number;
      readonly more: boolean;
    }
  | { readonly kind: 'write'; readonly id: number; readonly result: SentWrite }
  | { readonly kind: 'done'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SentError }
  | { readonly kind: 'ended'; readonly watch: number; readonly error: SentError | undefined };

/** What the store says of itself at the time of a delivery. */
export interface StoreFacts {
  /** Every event up to this revision has been delivered. */
  readonly revision: number;
  readonly compacted: number;
  readonly expired: number;
  readonly statistics: StoreStatistics;
  readonly fault: string | undefined;
}

export interface Delivery {
  readonly items: readonly Sent[];
  readonly facts: StoreFacts;
  /** The size of the events, which the thread confirms. */
  readonly bytes: number;
}

/** What a thread needs to use the store. */
export interface StoreSeat {
  readonly port: MessagePort;
  /** The revision of the latest write that the owner has acknowledged, as a BigInt64. */
  readonly committed: SharedArrayBuffer;
  readonly facts: StoreFacts;
}

/** An error of the store: which one, its message, and its revision if it has one. */
interface SentError {
  readonly kind: 'compacted' | 'future' | 'busy' | 'stalled' | 'large' | 'other';
  readonly message: string;
  readonly revision: number;
}

export function sentError(error: unknown): SentError {
  const { message } = error as Error;
  if (error instanceof CompactedError) return { kind: 'compacted', message, revision: error.compactedRevision };
  if (error instanceof FutureRevisionError) return { kind: 'future', message, revision: error.currentRevision };
  if (error instanceof StoreBusyError) return { kind: 'busy', message, revision: 0 };
  if (error instanceof StoreStalledError) return { kind: 'stalled', message, revision: 0 };
  if (error instanceof StoreTooLargeError) return { kind: 'large', message, revision: 0 };
  return { kind: 'other', message, revision: 0 };
}

export function receivedError({ kind, message, revision }: SentError): Error {
  switch (kind) {
    case 'compacted':
      return new CompactedError(revision);
    case 'future':
      return new FutureRevisionError(revision);
    case 'busy':
      return new StoreBusyError(message);
    case 'stalled':
      return new StoreStalledError(message);
    case 'large':
      return new StoreTooLargeError(message);
    default:
      return new StoreError(message);
  }
}
