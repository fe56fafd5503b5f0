// Writer that sends events as lists to a webhook, retrying with increasing delays.

import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { EventWriter, LossReport } from './sink.ts';
import type { StagedEvent } from './staged-event.ts';

const PLUGIN = 'webhook';
/** Kubernetes' values. */
const ATTEMPTS = 5;
const FACTOR = 1.5;
const JITTER = 0.2;

interface WebhookWriterOptions {
  /** Sends the JSON of a list. Rejects unless it was accepted. */
  readonly send: (list: string) => Promise<void>;
  readonly close: () => void;
  /** Delay after the first failure. */
  readonly initialBackoffMs: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: LossReport;
}

export class WebhookWriter implements EventWriter {
  readonly #options: WebhookWriterOptions;

  constructor(options: WebhookWriterOptions) {
    this.#options = options;
  }

  async write(events: readonly StagedEvent[]): Promise<void> {
    const { send, report } = this.#options;
    const items = events.map((event) => `{${event.members()}}`).join(',');
    const list = `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[${items}]}\n`;
    for (let attempt = 1; ; attempt++) {
      try {
        return await send(list);
      } catch (error) {
        if (attempt < ATTEMPTS) await this.#pause(attempt);
        else {
          report(PLUGIN, events, (error as Error).message);
          throw error;
        }
      }
    }
  }

  async close(): Promise<void> {
    this.#options.close();
  }

  #pause(attempt: number): Promise<void> {
    const { initialBackoffMs, random, clock } = this.#options;
    const jitter = 1 + (JITTER * random.below(1_000)) / 1_000;
    const pauseMs = initialBackoffMs * FACTOR ** (attempt - 1) * jitter;
    return new Promise((resolve) => clock.after(pauseMs, resolve));
  }
}
