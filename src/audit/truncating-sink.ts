// Sink that limits the size of events for another sink: large events lose their bodies, and those that are still too
// large are dropped.

import { byteLength } from '../base/byte-length.ts';
import type { AuditSink, LossReport } from './sink.ts';
import type { StagedEvent } from './staged-event.ts';

const PLUGIN = 'truncate';

interface TruncatingSinkOptions {
  readonly next: AuditSink;
  /** Size of an event as a line of JSON. */
  readonly maxEventSize: number;
  readonly report: LossReport;
}

export class TruncatingSink implements AuditSink {
  readonly #options: TruncatingSinkOptions;

  constructor(options: TruncatingSinkOptions) {
    this.#options = options;
  }

  get holdsRequests(): boolean {
    return this.#options.next.holdsRequests;
  }

  get isStrict(): boolean {
    return this.#options.next.isStrict;
  }

  get isBlocking(): boolean {
    return this.#options.next.isBlocking;
  }

  take(event: StagedEvent, done?: (stored: boolean) => void): void {
    const { next, report } = this.#options;
    const small = this.#truncated(event);
    if (small !== undefined) {
      next.take(small, done);
      return;
    }
    report(PLUGIN, [event], 'event is too large even after truncating');
    // The request continues without it.
    done?.(true);
  }

  close(): Promise<void> {
    return this.#options.next.close();
  }

  #truncated(event: StagedEvent): StagedEvent | undefined {
    const { maxEventSize } = this.#options;
    if (sizeOf(event) <= maxEventSize) return event;
    const { level } = event.facts;
    if (level !== 'Request' && level !== 'RequestResponse') return undefined;
    const small = event.withoutBodies();
    return sizeOf(small) <= maxEventSize ? small : undefined;
  }
}

function sizeOf(event: StagedEvent): number {
  return byteLength(event.line());
}
