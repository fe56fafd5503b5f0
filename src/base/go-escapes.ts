// Escapes of one character that Go's quoted strings have in common, whatever their quotes.

import { lookup } from './lookup.ts';

/** By the character after the backslash. Quotes are not among them: which of them may be escaped differs. */
export const GO_ESCAPES: Readonly<Record<string, string>> = lookup({
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
});
