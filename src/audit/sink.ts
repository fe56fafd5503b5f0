// Sinks of audit events: a sink takes events one by one, in their order, and says of each what became of it. Sinks stand
// behind each other: truncation before a queue before a file.

import type { Soon } from '../base/soon.ts';
import type { StagedEvent } from './staged-event.ts';

export interface AuditSink {
  /** @param done is called once, when the event is stored or is sure not to be; at once where nobody has to wait */
  take(event: StagedEvent, done?: (stored: boolean) => void): void;
  /** Whether a request may not go on before its first event is stored or given up. */
  readonly holdsRequests: boolean;
  /** Whether it is refused where its first event cannot be stored. */
  readonly isStrict: boolean;
  /** Whether answers wait until their events are stored. */
  readonly isBlocking: boolean;
  /** Resolves when everything taken so far is stored or given up; nothing is taken afterwards. */
  close(): Promise<void>;
}

/** Stores events in one go: lines of a file, a list sent to a webhook. */
export interface EventWriter {
  /** @throws Error, or rejects with one, when not all could be stored. It has told of it. */
  write(events: readonly StagedEvent[]): Soon<void>;
  close(): Promise<void>;
}

/** Tells of events that were lost: how many, and what failed. */
export type LossReport = (plugin: string, events: readonly StagedEvent[], why: string) => void;
