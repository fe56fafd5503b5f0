// JSON log: one object per line, with the fields of Kubernetes' components: ts in milliseconds, msg, v for entries that
// are not errors, err for the error, and other fields by name.

import { limits } from '../base/limits.ts';
import type { Log, LogFields } from '../base/log.ts';
import type { ConsoleLogOptions } from './console-log.ts';
import { logMember, logText } from './log-text.ts';

export function jsonLog({ write, writeInfo = write, clock, levels }: ConsoleLogOptions): Log {
  const entry = (message: string, level: number, fields: LogFields = {}): string => {
    const { error, ...others } = fields;
    return line({ ts: clock.now(), msg: message, v: level, ...others, ...(error === undefined ? {} : { err: error }) });
  };
  return {
    error: (message, { error, ...others } = {}) =>
      write(line({ ts: clock.now(), msg: message, ...others, ...(error === undefined ? {} : { err: error }) })),
    warn: (message, fields) => writeInfo(entry(message, 0, fields)),
    info: (message, fields) => writeInfo(entry(message, 0, fields)),
    debug: (source, message, fields) => {
      if (!levels.shows(source)) return;
      writeInfo(entry(message, source.level, typeof fields === 'function' ? fields() : fields));
    },
  };
}

/** Logging must not fail because of a value: cycles and bigints have no JSON. Long values are shortened to text. */
function line(members: Readonly<Record<string, unknown>>): string {
  try {
    const text = JSON.stringify(members, logMember);
    if (text.length <= LONG_LINE) return `${text}\n`;
  } catch {
    // Texts of the values follow.
  }
  const texts = Object.entries(members).map(([name, value]) => [
    name,
    typeof value === 'number' ? value : textOf(value),
  ]);
  return `${JSON.stringify(Object.fromEntries(texts))}\n`;
}

/** Entries have several texts, but no values with many. */
const LONG_LINE = 4 * limits.logTextCharacters;

function textOf(value: unknown): unknown {
  if (typeof value === 'string' || value instanceof Error) return logMember('', value);
  try {
    return logText(JSON.stringify(value, logMember) ?? String(value));
  } catch {
    return logText(String(value));
  }
}
