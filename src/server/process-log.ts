// The log of a process, in the format and on the streams given by options.

import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { consoleLog } from './console-log.ts';
import { jsonLog } from './json-log.ts';
import type { LogLevels } from './log-levels.ts';
import { type LogOptions, splitsStreams } from './options/logs.ts';
import { type ProcessOutputs, processOutputs } from './process-output.ts';

interface LogNeeds {
  readonly clock: Clock;
  readonly levels: LogLevels;
  /** Those of the process by default. */
  readonly outputs?: ProcessOutputs;
}

/** Entries that could not be written are reported in the log as soon as an output takes text again. */
export function processLog(options: LogOptions, { clock, levels, outputs = processOutputs() }: LogNeeds): Log {
  const { out, err } = outputs;
  const write = (text: string): void => err.put(text);
  const writeInfo = splitsStreams(options) ? (text: string): void => out.put(text) : write;
  const make = options.loggingFormat === 'json' ? jsonLog : consoleLog;
  const log = make({ write, writeInfo, clock, levels });
  for (const output of [out, err]) {
    output.onRecovered(({ writes, error }) => {
      log.error('output was lost because it could not be written', { output: output.name, writes, error });
    });
  }
  return log;
}
