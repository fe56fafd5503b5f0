// Interface of audit sinks, which receive events in order and report the outcome of each. Sinks can be chained:
// truncation before a queue before a file.

import type { Soon } from '../base/soon.ts';
import type { StagedEvent } from './staged-event.ts';

export interface AuditSink {
  /** @param done is called once, when the event is stored or dropped; synchronously if possible */
  take(event: StagedEvent, done?: (stored: boolean) => void): void;
  /** Whether a request waits until its first event is stored or dropped. */
  readonly holdsRequests: boolean;
  /** Whether it is rejected if its first event cannot be stored. */
  readonly isStrict: boolean;
  /** Whether responses wait until their events are stored. */
  readonly isBlocking: boolean;
  /** Resolves when all events are stored or dropped; no more are accepted. */
  close(): Promise<void>;
}

/** Stores events together: as lines of a file, or a list for a webhook. */
export interface EventWriter {
  /** @throws Error, or rejects with one, if not all could be stored. It has reported that. */
  write(events: readonly StagedEvent[]): Soon<void>;
  close(): Promise<void>;
}

/** Reports dropped events: their number and the cause. */
export type LossReport = (plugin: string, events: readonly StagedEvent[], why: string) => void;
