// A sink that nobody waits for: events are gathered and stored in batches, by number or by time, no faster than the
// throttle lets through. What finds the queue full is lost and told of.

import type { Clock, Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { AuditSink, EventWriter, LossReport } from './sink.ts';
import type { StagedEvent } from './staged-event.ts';

export interface BatchOptions {
  /** Events that may wait. */
  readonly bufferSize: number;
  readonly maxBatchSize: number;
  /** How long a batch that is not full waits for more. */
  readonly maxBatchWaitMs: number;
  /** Batches a second, and how many at once after a pause; undefined for no throttle. */
  readonly throttle: { readonly qps: number; readonly burst: number } | undefined;
  /** Batches that may be on their way at once. */
  readonly maxWrites: number;
}

interface BatchingSinkOptions extends BatchOptions {
  readonly writer: EventWriter;
  readonly clock: Clock;
  readonly report: LossReport;
}

const PLUGIN = 'buffered';

export class BatchingSink implements AuditSink {
  readonly holdsRequests = false;
  readonly isStrict = false;
  readonly isBlocking = false;
  readonly #options: BatchingSinkOptions;
  #waiting: StagedEvent[] = [];
  #characters = 0;
  #writes = 0;
  #timer: Timer | undefined;
  #isDue = false;
  #tokens: number;
  #tokensAtMs: number;
  /** From when on the time of batches is counted. */
  #sinceMs: number;
  #isClosing = false;
  #onIdle: (() => void) | undefined;

  constructor(options: BatchingSinkOptions) {
    this.#options = options;
    this.#tokens = options.throttle?.burst ?? 0;
    this.#tokensAtMs = options.clock.now();
    this.#sinceMs = this.#tokensAtMs;
  }

  take(event: StagedEvent, done?: (stored: boolean) => void): void {
    const { bufferSize, maxBatchSize, report } = this.#options;
    if (this.#isClosing) report(PLUGIN, [event], 'audit backend shut down');
    // A batch that is being gathered is not in the buffer any more.
    else if (this.#waiting.length >= bufferSize + maxBatchSize || this.#characters >= limits.auditQueuedCharacters) {
      report(PLUGIN, [event], 'audit buffer queue blocked');
    } else {
      this.#waiting.push(event);
      this.#characters += event.characters;
      this.#send();
    }
    done?.(true);
  }

  async close(): Promise<void> {
    const { clock, writer, report } = this.#options;
    this.#isClosing = true;
    this.#send();
    if (this.#writes > 0 || this.#waiting.length > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
        clock.after(limits.auditFlushMs, resolve);
      });
    }
    if (this.#waiting.length > 0) report(PLUGIN, this.#waiting.splice(0), 'audit backend shut down');
    this.#timer?.cancel();
    await writer.close();
  }

  /** Sends batches as long as there is something to send and somebody to send it. */
  #send(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const { maxBatchSize, maxWrites } = this.#options;
    while (this.#waiting.length > 0 && this.#writes < maxWrites) {
      const waitMs = this.#waitMs();
      if (waitMs > 0) {
        this.#timer = this.#options.clock.after(waitMs, () => this.#wake());
        return;
      }
      this.#spendToken();
      this.#isDue = false;
      this.#sinceMs = this.#options.clock.now();
      const batch = this.#waiting.splice(0, maxBatchSize);
      for (const { characters } of batch) this.#characters -= characters;
      this.#writes++;
      void this.#store(batch);
    }
  }

  #wake(): void {
    this.#timer = undefined;
    if (this.#waiting.length > 0) this.#isDue = true;
    this.#send();
  }

  /** How long the next batch has to wait: till it is full or its time has come, and till the throttle lets it through. */
  #waitMs(): number {
    if (this.#isClosing) return 0;
    const { maxBatchSize, maxBatchWaitMs, clock } = this.#options;
    if (this.#waiting.length < maxBatchSize && !this.#isDue) {
      const passedMs = clock.now() - this.#sinceMs;
      const waitMs = maxBatchWaitMs <= 0 ? 0 : maxBatchWaitMs - (passedMs % maxBatchWaitMs);
      if (waitMs > 0) return waitMs;
    }
    // Time has come, whatever the throttle says.
    this.#isDue = true;
    return this.#throttleMs();
  }

  #throttleMs(): number {
    const { throttle, clock } = this.#options;
    if (throttle === undefined) return 0;
    const now = clock.now();
    this.#tokens = Math.min(throttle.burst, this.#tokens + ((now - this.#tokensAtMs) / 1_000) * throttle.qps);
    this.#tokensAtMs = now;
    return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) / throttle.qps) * 1_000);
  }

  #spendToken(): void {
    if (this.#options.throttle !== undefined) this.#tokens--;
  }

  async #store(batch: readonly StagedEvent[]): Promise<void> {
    try {
      await this.#options.writer.write(batch);
    } catch {
      // The writer has told of what was lost.
    }
    this.#writes--;
    this.#send();
    if (this.#writes === 0 && this.#waiting.length === 0) this.#onIdle?.();
  }
}
