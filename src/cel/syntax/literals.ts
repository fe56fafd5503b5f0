// Values of literals: numbers within their range, strings and bytes without quotes and escapes. Errors are returned as
// the text of an issue.

import { lookup } from '../../base/lookup.ts';
import type { Literal } from './expression.ts';
import type { TokenType } from './tokens.ts';

const INT_MIN = -(2n ** 63n);
const INT_MAX = 2n ** 63n - 1n;
const UINT_MAX = 2n ** 64n - 1n;

/** Returns a literal, or its error. */
type LiteralOutcome = Literal | string;

/** The value of a literal's token; null for a token that is missing. */
export function literalOf(type: TokenType | undefined, text: string, negative: boolean): LiteralOutcome {
  switch (type) {
    case 'NUM_INT':
      return intLiteral(text, negative);
    case 'NUM_UINT':
      return uintLiteral(text);
    case 'NUM_FLOAT':
      return doubleLiteral(text, negative);
    case 'STRING':
      return stringLiteral(text);
    case 'BYTES':
      return bytesLiteral(text);
    case 'true':
    case 'false':
      return { type: 'bool', value: type === 'true' };
    default:
      return { type: 'null', value: null };
  }
}

/** An int literal with its sign, decimal or `0x`. */
function intLiteral(text: string, negative: boolean): LiteralOutcome {
  const value = negative ? -BigInt(text) : BigInt(text);
  return value < INT_MIN || value > INT_MAX ? 'invalid int literal' : { type: 'int', value };
}

/** An unsigned literal with its `u`. */
function uintLiteral(text: string): LiteralOutcome {
  const value = BigInt(text.slice(0, -1));
  return value > UINT_MAX ? 'invalid uint literal' : { type: 'uint', value };
}

function doubleLiteral(text: string, negative: boolean): LiteralOutcome {
  const value = negative ? -Number(text) : Number(text);
  return Number.isFinite(value) ? { type: 'double', value } : 'invalid double literal';
}

/** The fault of an escape for no character. */
export const NO_CODE_POINT = 'invalid unicode code point';

/** A string literal with its prefix and quotes. */
function stringLiteral(text: string): LiteralOutcome {
  const content = unquote(text);
  if (!content.escaped) {
    return { type: 'string', value: content.text };
  }
  let invalid = false;
  const value = content.text.replace(ESCAPE, (_, code: string) => {
    const point = escapedCode(code);
    invalid ||= point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff);
    return invalid ? '' : String.fromCodePoint(point);
  });
  return invalid ? NO_CODE_POINT : { type: 'string', value };
}

/** A bytes literal with its prefix and quotes; `\x` and octal escapes are single bytes. */
function bytesLiteral(text: string): LiteralOutcome {
  const content = unquote(text.slice(1));
  const encoder = new TextEncoder();
  if (!content.escaped) {
    return { type: 'bytes', value: encoder.encode(content.text) };
  }
  const bytes: number[] = [];
  let from = 0;
  for (const match of content.text.matchAll(ESCAPE)) {
    const code = match[1] as string;
    if (code.startsWith('u') || code.startsWith('U')) {
      return 'unable to unescape string';
    }
    append(bytes, encoder.encode(content.text.slice(from, match.index)));
    bytes.push(escapedCode(code) & 0xff);
    from = match.index + match[0].length;
  }
  append(bytes, encoder.encode(content.text.slice(from)));
  return { type: 'bytes', value: Uint8Array.from(bytes) };
}

const ESCAPE = /\\([0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])/g;
const SIMPLE_ESCAPES: Readonly<Record<string, number>> = lookup({ a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 });

/** Returns the code point for the text after a backslash; the lexer only accepts complete escapes. */
function escapedCode(code: string): number {
  const first = code[0] as string;
  if (code.length === 1) {
    return SIMPLE_ESCAPES[first] ?? code.charCodeAt(0);
  }
  return first >= '0' && first <= '3' ? Number.parseInt(code, 8) : Number.parseInt(code.slice(1), 16);
}

/** Returns the text between the quotes with line ends normalised to `\n`, and whether it contains escapes. */
function unquote(literal: string): { readonly text: string; readonly escaped: boolean } {
  const raw = literal.startsWith('r') || literal.startsWith('R');
  const quoted = raw ? literal.slice(1) : literal;
  const marks = quoted.length >= 6 && quoted.startsWith((quoted[0] as string).repeat(3)) ? 3 : 1;
  const text = quoted.slice(marks, -marks).replace(/\r\n?/g, '\n');
  return { text, escaped: !raw && text.includes('\\') };
}

function append(bytes: number[], more: Uint8Array): void {
  for (const byte of more) {
    bytes.push(byte);
  }
}
