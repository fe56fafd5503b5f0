// The interface of the serving threads of a process to each other. One of them leads: it owns the store, keys and certificates,
// and runs what there is once, such as the controllers; the others only serve.

import type { EventCounter } from '../../admission/event-counts.ts';
import type { LineOutput } from '../../audit/log-writer.ts';
import type { ProcessChange } from '../../http/documents/debug-facts.ts';
import type { ServerCredentials } from '../credentials.ts';
import type { ThreadSeats } from './thread-seats.ts';

/** What the other threads ask of one. */
export interface ThreadAnswers {
  /** The text of /metrics, or of /metrics/slis, with or without native histograms. */
  metrics(path: string, withNative: boolean): string;
  change(change: ProcessChange): void;
}

export interface Team {
  /** The number of threads, among which limits of the process are divided. */
  readonly size: number;
  readonly leads: boolean;
  readonly seats: ThreadSeats;
  /** The current credentials, in a thread that does not lead; the leader loads them. */
  readonly credentials: ServerCredentials | undefined;
  /** The leader has new credentials. */
  publish(credentials: ServerCredentials): void;
  /** Calls back, in a thread that does not lead, for new credentials. */
  onCredentials(listener: (credentials: ServerCredentials) => void): void;
  /** From now on this thread can be asked by the others. */
  answerBy(answers: ThreadAnswers): void;
  /** The leader's audit log, which the others write to through it; called once a log is open, in the leader. */
  auditTo(output: LineOutput): void;
  /** The leader's audit log, in a thread that does not lead. */
  readonly auditLog: LineOutput | undefined;
  /** What counts the events of all threads, in the leader; called if they are limited. */
  countEventsBy(counter: EventCounter): void;
  /** The leader's counts, in a thread that does not lead. */
  readonly eventCounter: EventCounter | undefined;
  /** The texts of the other threads. */
  othersMetrics(path: string, withNative: boolean): Promise<readonly string[]>;
  changeOthers(change: ProcessChange): void;
  /** The leader asks the others to finish their requests and end; resolves when they have. */
  drain(): Promise<void>;
  /** The leader ends the others. */
  close(): Promise<void>;
}
