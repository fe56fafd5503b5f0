// Quoted texts in JSONPath, with Go's escapes.

import { GO_ESCAPES } from '../../base/go-escapes.ts';
import { lookup } from '../../base/lookup.ts';

const SIMPLE: Readonly<Record<string, string>> = lookup({ ...GO_ESCAPES, "'": "'", '"': '"' });

/** `U` and eight digits. */
const LONGEST_ESCAPE = 9;
const ESCAPE = /^(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|([0-7]{3}))/i;

/** The text in double or single quotes; undefined for an invalid escape. */
export function unquote(quoted: string): string | undefined {
  const quote = quoted[0] as string;
  const text = quoted.slice(1, -1);
  if (quoted.length < 2) return undefined;
  let plain = '';
  for (let at = 0; at < text.length; at++) {
    const next = text[at] as string;
    if (next !== '\\') {
      plain += next;
      continue;
    }
    const escaped = text[at + 1] ?? '';
    const simple = SIMPLE[escaped];
    if (simple !== undefined) {
      // The other kind of quote is not escaped.
      if ((escaped === "'" || escaped === '"') && escaped !== quote) return undefined;
      plain += simple;
      at++;
      continue;
    }
    const coded = ESCAPE.exec(text.slice(at + 1, at + 1 + LONGEST_ESCAPE));
    const code = coded === null ? Number.NaN : codeOf(coded);
    if (coded === null || !(code <= 0x10_ff_ff) || (code >= 0xd8_00 && code < 0xe0_00)) return undefined;
    plain += String.fromCodePoint(code);
    at += coded[0].length;
  }
  return plain;
}

function codeOf([, byte, short, long, octal]: RegExpExecArray): number {
  if (octal === undefined) return Number.parseInt(byte ?? short ?? long ?? '', 16);
  const code = Number.parseInt(octal, 8);
  return code > 0xff ? Number.NaN : code;
}
