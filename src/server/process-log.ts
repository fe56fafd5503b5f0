// The log of a process, in the format and on the streams given by options.

import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { consoleLog } from './console-log.ts';
import { jsonLog } from './json-log.ts';
import type { LogLevels } from './log-levels.ts';
import { type LogOptions, splitsStreams } from './options/logs.ts';

export function processLog(options: LogOptions, clock: Clock, levels: LogLevels): Log {
  const write = (text: string): void => void process.stderr.write(text);
  const writeInfo = splitsStreams(options) ? (text: string): void => void process.stdout.write(text) : write;
  const make = options.loggingFormat === 'json' ? jsonLog : consoleLog;
  return make({ write, writeInfo, clock, levels });
}
