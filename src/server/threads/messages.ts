// The messages between the leading thread and another serving thread.

import type { ProcessChange } from '../../http/documents/debug-facts.ts';
import type { StoreSeat } from '../../store/threads/messages.ts';
import type { ServerCredentials } from '../credentials.ts';
import type { ServerOptions } from '../options.ts';

/** What a serving thread starts with. */
export interface ThreadData {
  /** How many threads serve. */
  readonly threads: number;
  readonly options: ServerOptions;
  readonly ephemeral: boolean;
  readonly flags: ReadonlyMap<string, string> | undefined;
  readonly hostname: string;
  readonly credentials: ServerCredentials;
  /** The memory of ThreadSeats, and the place of this thread. */
  readonly seats: { readonly memory: SharedArrayBuffer; readonly index: number };
  /** The signing key of service account tokens, if it is not in a file. */
  readonly tokenKeyPem: string | undefined;
  /** Undefined for a thread that opens etcd itself. */
  readonly seat: StoreSeat | undefined;
}

/** For the texts of a path of metrics, with or without native histograms. */
export interface MetricsQuestion {
  readonly path: string;
  readonly withNative: boolean;
}

/** For metrics, to write lines to the leader's audit log, or to count an event by the keys of its limits. */
export type Question =
  | MetricsQuestion
  | { readonly lines: readonly string[] }
  | { readonly eventKeys: readonly string[] };

/** The texts, the error for which lines were not written, or the limits that an event exceeds. */
export interface Answer {
  readonly texts?: readonly string[];
  readonly error?: string | undefined;
  readonly exceeded?: readonly number[];
}

/** What goes both ways. */
export type SharedMessage =
  | { readonly kind: 'asked'; readonly id: number; readonly question: Question }
  | { readonly kind: 'told'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'change'; readonly change: ProcessChange };

export type ToThread =
  | SharedMessage
  | { readonly kind: 'credentials'; readonly credentials: ServerCredentials }
  | { readonly kind: 'drain' };

export type FromThread =
  | SharedMessage
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'output'; readonly name: 'out' | 'err'; readonly text: string }
  | { readonly kind: 'ended' };
