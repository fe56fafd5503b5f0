// Quoting as by Go's %q, which messages use for values of clients.

import { lookup } from './lookup.ts';

const NAMED: Readonly<Record<string, string>> = lookup({
  '"': '\\"',
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
});

/** Everything except the ASCII space, letters, marks, numbers, punctuation and symbols is escaped. */
const ESCAPED = /["\\]|[^ \p{L}\p{M}\p{N}\p{P}\p{S}]/gu;

/** What most texts consist of, which is found much faster, in texts as long as a request. */
const PLAIN = /^[ !#-[\]-~]*$/;

export function goQuote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return `"${text.replace(ESCAPED, (character) => NAMED[character] ?? hexEscape(character))}"`;
}

/** A number as the character with that code. */
export function goQuoteCharacter(point: number): string {
  const isValid = point >= 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
  const character = isValid ? String.fromCodePoint(point) : '\ufffd';
  if (character === "'") return "'\\''";
  return `'${character === '"' ? character : goQuote(character).slice(1, -1)}'`;
}

/** `["a" "b"]`: a list formatted with %q. */
export function goQuoteList(values: readonly string[]): string {
  return `[${values.map(goQuote).join(' ')}]`;
}

function hexEscape(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return `\\x${point.toString(16).padStart(2, '0')}`;
  if (point < 0x10000) return `\\u${point.toString(16).padStart(4, '0')}`;
  return `\\U${point.toString(16).padStart(8, '0')}`;
}

/** A text as Go's package for times quotes it: the bytes of everything that is not printable ASCII are escaped. */
export function goTimeQuote(text: string): string {
  const escaped = text.replace(/["\\]/g, '\\$&').replace(/[^ -\x7f]/gu, (character) =>
    encodeURIComponent(character.isWellFormed() ? character : '\ufffd')
      .replace(/^[^%]$/, (ascii) => `%${ascii.charCodeAt(0).toString(16).padStart(2, '0')}`)
      .replaceAll('%', '\\x')
      .toLowerCase(),
  );
  return `"${escaped}"`;
}
