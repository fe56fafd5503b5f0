// Text log of a standalone server: one line per entry. Fields follow the message as name=value; text that could break
// the line is quoted.

import type { Clock } from '../base/clock.ts';
import type { Log, LogFields } from '../base/log.ts';
import type { LogLevels } from './log-levels.ts';
import { logMember, logText } from './log-text.ts';

export interface ConsoleLogOptions {
  /** Writes one line including its line feed, usually to standard error. */
  readonly write: (line: string) => void;
  readonly clock: Clock;
  /** Writes entries that are not errors; `write` by default. */
  readonly writeInfo?: (line: string) => void;
  /** Which debug entries are written. */
  readonly levels: Pick<LogLevels, 'shows'>;
}

export function consoleLog({ write, writeInfo = write, clock, levels }: ConsoleLogOptions): Log {
  const entry = (level: string, message: string, fields: LogFields | undefined): void => {
    const put = level === 'ERROR' ? write : writeInfo;
    put(`${new Date(clock.now()).toISOString()} ${level} ${plain(message)}${fieldsText(fields)}\n`);
  };
  return {
    error: (message, fields) => entry('ERROR', message, fields),
    warn: (message, fields) => entry('WARN ', message, fields),
    info: (message, fields) => entry('INFO ', message, fields),
    debug: (source, message, fields) => {
      if (levels.shows(source)) entry('DEBUG', message, typeof fields === 'function' ? fields() : fields);
    },
  };
}

function fieldsText(fields: LogFields | undefined): string {
  if (fields === undefined) return '';
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${fieldText(value)}`)
    .join('');
}

function fieldText(value: unknown): string {
  if (typeof value === 'string') return textOf(logText(value));
  if (value instanceof Error) return JSON.stringify(logText(errorText(value)));
  if (typeof value === 'object' && value !== null) return objectText(value);
  return String(value);
}

function textOf(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : JSON.stringify(text);
}

/** The stack, which starts with name and message, and its causes. */
function errorText(error: Error): string {
  const text = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause instanceof Error ? `${text}\ncaused by ${errorText(error.cause)}` : text;
}

/** Logging must not fail because of a value: cycles and bigints have no JSON. */
function objectText(value: object): string {
  try {
    return logText(JSON.stringify(value, logMember) ?? String(value));
  } catch {
    return JSON.stringify(logText(String(value)));
  }
}

function plain(message: string): string {
  const text = logText(message);
  return /[\x00-\x1f\x7f]/.test(text) ? JSON.stringify(text) : text;
}
