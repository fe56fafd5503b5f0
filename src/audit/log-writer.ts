// Formatting of events as lines: JSON, or Kubernetes' legacy format.

import type { EventWriter, LossReport } from './sink.ts';
import type { StagedEvent } from './staged-event.ts';

export type LogFormat = 'json' | 'legacy';

/** The destination of lines: a file, or the output of the process. */
export interface LineOutput {
  /** Each line includes its line feed. Rejects if not all were written. */
  write(lines: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const PLUGIN = 'log';

export class LogWriter implements EventWriter {
  readonly #output: LineOutput;
  readonly #format: LogFormat;
  readonly #report: LossReport;

  constructor({ output, format, report }: { output: LineOutput; format: LogFormat; report: LossReport }) {
    this.#output = output;
    this.#format = format;
    this.#report = report;
  }

  async write(events: readonly StagedEvent[]): Promise<void> {
    const lines = events.map((event) => (this.#format === 'json' ? event.line() : `${event.legacyText()}\n`));
    try {
      await this.#output.write(lines);
    } catch (error) {
      this.#report(PLUGIN, events, (error as Error).message);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#output.close();
  }
}
