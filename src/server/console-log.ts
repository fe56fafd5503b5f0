// The log of a server that runs by itself: one readable line an entry, to whatever takes lines. Fields follow the
// message as name=value; text that could break the line is quoted.

import type { Clock } from '../base/clock.ts';
import type { Log, LogFields } from '../base/log.ts';
import type { LogLevels } from './log-levels.ts';

export interface ConsoleLogOptions {
  /** Takes one line, its end included; the process's standard error, as a rule. */
  readonly write: (line: string) => void;
  readonly clock: Clock;
  /** Takes the lines of what is not an error; `write` does where it is not given. */
  readonly writeInfo?: (line: string) => void;
  /** Which entries for those who look for a fault are kept. */
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
  if (typeof value === 'string') return /^[\w./:@+-]+$/.test(value) ? value : JSON.stringify(value);
  if (value instanceof Error) return JSON.stringify(errorText(value));
  if (typeof value === 'object' && value !== null) return objectText(value);
  return String(value);
}

/** The stack, which opens with name and message, and what caused it. */
function errorText(error: Error): string {
  const text = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause instanceof Error ? `${text}\ncaused by ${errorText(error.cause)}` : text;
}

/** A log entry must not fail for what it was given: cycles and big integers have no JSON. */
function objectText(value: object): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return JSON.stringify(String(value));
  }
}

function plain(message: string): string {
  return /[\x00-\x1f\x7f]/.test(message) ? JSON.stringify(message) : message;
}
