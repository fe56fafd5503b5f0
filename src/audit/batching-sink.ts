// Sink that batches events, by number or time, limited by a throttle. Events that do not fit into the queue are dropped
// and reported.

import type { Clock, Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { AuditSink, EventWriter, LossReport } from './sink.ts';
import type { StagedEvent } from './staged-event.ts';

export interface BatchOptions {
  /** Maximum number of queued events. */
  readonly bufferSize: number;
  readonly maxBatchSize: number;
  /** How long an incomplete batch waits. */
  readonly maxBatchWaitMs: number;
  /** Batches per second, and burst size; undefined for no throttle. */
  readonly throttle: { readonly qps: number; readonly burst: number } | undefined;
  /** Maximum number of concurrent batches. */
  readonly maxWrites: number;
  /** Characters of queued events, beyond which further ones are dropped. */
  readonly maxCharacters: number;
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
  /** Start time of the current batch. */
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
    const { bufferSize, maxBatchSize, maxCharacters, report } = this.#options;
    if (this.#isClosing) report(PLUGIN, [event], 'audit backend shut down');
    // A batch being sent is no longer in the buffer.
    else if (this.#waiting.length >= bufferSize + maxBatchSize || this.#characters >= maxCharacters) {
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

  /** Sends batches while there are events and free slots. */
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

  /** How long the next batch has to wait: until it is full or its time has come, and for the throttle. */
  #waitMs(): number {
    if (this.#isClosing) return 0;
    const { maxBatchSize, maxBatchWaitMs, clock } = this.#options;
    if (this.#waiting.length < maxBatchSize && !this.#isDue) {
      const passedMs = clock.now() - this.#sinceMs;
      const waitMs = maxBatchWaitMs <= 0 ? 0 : maxBatchWaitMs - (passedMs % maxBatchWaitMs);
      if (waitMs > 0) return waitMs;
    }
    // The time of the batch has come, regardless of the throttle.
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
      // The writer has reported the dropped events.
    }
    this.#writes--;
    this.#send();
    if (this.#writes === 0 && this.#waiting.length === 0) this.#onIdle?.();
  }
}
