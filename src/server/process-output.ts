// Standard output and standard error of the process. A write fails on a full disk, beyond a quota, on a broken disk or
// when the reader has gone; that is no reason to stop serving. What is lost is counted, and told when output is possible
// again.

import { fstatSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { isatty } from 'node:tty';
import type { LineOutput } from '../audit/log-writer.ts';

/** Where text goes. `done` is called once, at once or later, with the error if not all of the text was written. */
type OutputSink = (text: string, done: (error: Error | undefined) => void) => void;

interface LostOutput {
  /** The number of writes, each one entry of a log. */
  readonly writes: number;
  /** The first error. */
  readonly error: string;
}

/** @internal */
export class ProcessOutput implements LineOutput {
  /** `stdout` or `stderr` */
  readonly name: string;
  readonly #sink: OutputSink;
  #lost: LostOutput | undefined;
  #failures = 0;
  #onRecovered: (lost: LostOutput) => void = () => {};

  constructor(name: string, sink: OutputSink) {
    this.name = name;
    this.#sink = sink;
  }

  /** How many writes have failed. */
  get failures(): number {
    return this.#failures;
  }

  /** What has been lost since the last write that succeeded. */
  get lost(): LostOutput | undefined {
    return this.#lost;
  }

  /** Calls back after the first write that succeeds behind others that were lost. */
  onRecovered(recovered: (lost: LostOutput) => void): void {
    this.#onRecovered = recovered;
  }

  /** Never throws. */
  put(text: string): void {
    this.#sink(text, (error) => this.#settle(error));
  }

  write(lines: readonly string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#sink(lines.join(''), (error) => {
        this.#settle(error);
        if (error === undefined) resolve();
        else reject(error);
      });
    });
  }

  async close(): Promise<void> {}

  #settle(error: Error | undefined): void {
    if (error !== undefined) {
      this.#failures += 1;
      this.#lost = { writes: (this.#lost?.writes ?? 0) + 1, error: this.#lost?.error ?? error.message };
      return;
    }
    const lost = this.#lost;
    if (lost === undefined) return;
    this.#lost = undefined;
    this.#onRecovered(lost);
  }
}

export interface ProcessOutputs {
  readonly out: ProcessOutput;
  readonly err: ProcessOutput;
}

/** The outputs of this process. Nothing else may write to them after a failure, which could leave half a line. */
export function processOutputs(): ProcessOutputs {
  return {
    out: new ProcessOutput(
      'stdout',
      sinkOf(1, () => process.stdout),
    ),
    err: new ProcessOutput(
      'stderr',
      sinkOf(2, () => process.stderr),
    ),
  };
}

/** Node's own streams for files take a part of a text for all of it. */
function sinkOf(descriptor: number, stream: () => Writable): OutputSink {
  return isFile(descriptor) ? fileSink((bytes, from) => writeSync(descriptor, bytes, from)) : streamSink(stream());
}

function isFile(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() || (stats.isCharacterDevice() && !isatty(descriptor));
  } catch {
    return false;
  }
}

const LINE_FEED = 0x0a;

/**
 * Writes whole texts, of which each ends with a line feed. Text behind one that was cut off begins on a line of its own.
 * @param write writes bytes from an offset on, and returns how many
 * @internal
 */
export function fileSink(write: (bytes: Buffer, from: number) => number): OutputSink {
  let isCutOff = false;
  return (text, done) => {
    const bytes = Buffer.from(isCutOff ? `\n${text}` : text);
    let written = 0;
    let failure: Error | undefined;
    try {
      while (written < bytes.length) {
        const more = write(bytes, written);
        if (more === 0) throw new Error('nothing could be written');
        written += more;
      }
    } catch (error) {
      failure = error as Error;
    }
    if (written > 0) isCutOff = failure !== undefined && bytes[written - 1] !== LINE_FEED;
    done(failure);
  };
}

/** Writes to a pipe, a socket or a terminal. @internal */
export function streamSink(stream: Writable): OutputSink {
  // The callback of each write has the error, too.
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
  return (text, done) => {
    stream.write(text, (error) => done(error ?? undefined));
  };
}

function ignore(): void {}
