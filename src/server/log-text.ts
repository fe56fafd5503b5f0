// Texts in log entries: a client's path, user name or message can have a megabyte, and entries are written to disk.

import { limits } from '../base/limits.ts';

/** The beginning of a long text, and its length. */
export function logText(text: string): string {
  const { logTextCharacters } = limits;
  if (text.length <= logTextCharacters) return text;
  return `${text.slice(0, logTextCharacters)}… (${text.length} characters)`;
}

/** For JSON.stringify: every text in a value is shortened, and so are errors. */
export function logMember(_: string, value: unknown): unknown {
  if (value instanceof Error) return logText(value.stack ?? value.message);
  return typeof value === 'string' ? logText(value) : value;
}
