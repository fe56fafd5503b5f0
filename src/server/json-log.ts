// JSON log: one object per line, with the fields of Kubernetes' components: ts in milliseconds, msg, v for entries that
// are not errors, err for the error, and other fields by name.

import type { Log, LogFields } from '../base/log.ts';
import type { ConsoleLogOptions } from './console-log.ts';

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

/** Logging must not fail because of a value: cycles and bigints have no JSON. */
function line(members: Readonly<Record<string, unknown>>): string {
  try {
    return `${JSON.stringify(members, shown)}\n`;
  } catch {
    const texts = Object.entries(members).map(([name, value]) => [
      name,
      typeof value === 'number' ? value : String(value),
    ]);
    return `${JSON.stringify(Object.fromEntries(texts))}\n`;
  }
}

function shown(_: string, value: unknown): unknown {
  return value instanceof Error ? (value.stack ?? value.message) : value;
}
