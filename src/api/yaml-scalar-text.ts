// Scanning of YAML scalars: plain, quoted and block scalars, with folding and escapes.

import { lookup } from '../base/lookup.ts';
import type { Steps } from '../base/steps.ts';
import type { YamlError } from './yaml-error.ts';

/** The text, and the current offset. */
interface ScalarText {
  readonly text: string;
  at: number;
  readonly column: number;
  /** The indentation of the enclosing block; -1 at the top level. */
  readonly indent: number;
  /** The number of enclosing flow collections. */
  readonly flowLevel: number;
  /** Whether the scalar may be a key. */
  mayBeKey: boolean;
  /** A character code; NaN after the end. */
  code(offset?: number): number;
  isBlank(offset?: number): boolean;
  isBreakOrEnd(): boolean;
  isDocumentMark(): boolean;
  takeBreak(): void;
  fault(message: string, line?: number): YamlError;
}

const ESCAPES: Readonly<Record<string, string>> = lookup({
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
});
const HEX_DIGITS: Readonly<Record<string, number>> = lookup({ x: 2, u: 4, U: 8 });

/** Pieces of a scalar after which others get their turn. */
const PIECES_IN_STEP = 2_048;

/** The text of a scalar, joined now and then: joining half a million pieces takes long. */
class Text {
  readonly pieces: string[] = [];
  #joined = '';

  /** Whether the step is over. */
  get isLong(): boolean {
    return this.pieces.length >= PIECES_IN_STEP;
  }

  joined(): string {
    this.#joined += this.pieces.join('');
    this.pieces.length = 0;
    return this.#joined;
  }
}

/** A plain scalar, with continuation lines folded. @throws YamlError */
export function* scanPlainScalar(scanner: ScalarText): Steps<string> {
  const indent = scanner.indent + 1;
  const text = new Text();
  let between = '';
  for (;;) {
    if (scanner.isDocumentMark() || scanner.code() === 0x23) return text.joined();
    const start = scanner.at;
    const end = endOfWords(scanner);
    if (end === start) return text.joined();
    const words = scanner.text.slice(start, end);
    scanner.mayBeKey = false;
    const isOver = scanner.at >= scanner.text.length || !scanner.isBreakOrEnd();
    // Nearly all are on one line.
    if (isOver && between === '') return words;
    text.pieces.push(between, words);
    if (isOver) return text.joined();
    between = foldedLines(scanner, indent) as string;
    // After a line break the next token may be a key.
    scanner.mayBeKey = true;
    if (scanner.flowLevel === 0 && scanner.column < indent) return text.joined();
    if (text.isLong) yield void text.joined();
  }
}

/** The end of the last word of a plain scalar on this line; trailing blanks are skipped too. */
function endOfWords(scanner: ScalarText): number {
  let end = scanner.at;
  for (;;) {
    const word = scanner.at;
    passLetters(scanner);
    while (!scanner.isBlank() && !endsPlain(scanner)) scanner.at++;
    if (scanner.at === word) return end;
    end = scanner.at;
    while (scanner.code() === 0x20 || scanner.code() === 0x09) scanner.at++;
    if (scanner.at === end || scanner.isBreakOrEnd() || scanner.code() === 0x23) return end;
  }
}

/** Skips what has no special meaning in any scalar, most of most texts: letters, and single spaces between them. */
function passLetters(scanner: ScalarText): void {
  const { text } = scanner;
  let { at } = scanner;
  for (;;) {
    const code = text.charCodeAt(at);
    if (isLetter(code)) at++;
    else if (code === 0x20 && isLetter(text.charCodeAt(at + 1))) at += 2;
    else break;
  }
  scanner.at = at;
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);
}

/** Whether a plain scalar ends at a character other than a blank. */
function endsPlain(scanner: ScalarText): boolean {
  const character = scanner.text[scanner.at] as string;
  if (scanner.flowLevel === 0) return character === ':' && scanner.isBlank(1);
  if (character === ':') return scanner.isBlank(1) || ',?[]{}'.includes(scanner.text[scanner.at + 1] as string);
  return ',?[]{}'.includes(character);
}

/** Skips spaces and line breaks; returns their folded form if there was a line break, otherwise undefined. */
function foldedLines(scanner: ScalarText, indent: number): string | undefined {
  let breaks = 0;
  while (scanner.isBlank() && scanner.at < scanner.text.length) {
    if (scanner.isBreakOrEnd()) {
      breaks++;
      scanner.takeBreak();
      continue;
    }
    if (breaks > 0 && indent >= 0 && scanner.column < indent && scanner.code() === 0x09) {
      throw scanner.fault('found a tab character that violates indentation');
    }
    scanner.at++;
  }
  if (breaks === 0) return undefined;
  return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
}

/** A quoted scalar. @throws YamlError */
export function* scanQuotedScalar(scanner: ScalarText): Steps<string> {
  const quote = scanner.text[scanner.at] as string;
  const text = new Text();
  const { pieces } = text;
  scanner.at++;
  for (;;) {
    if (scanner.isDocumentMark()) throw scanner.fault('found unexpected document indicator');
    if (scanner.at >= scanner.text.length) throw scanner.fault('found unexpected end of stream');
    if (text.isLong) yield void text.joined();
    const line = quotedLine(scanner, quote, pieces);
    if (line === 'goes on') continue;
    if (scanner.text[scanner.at] === quote) {
      scanner.at++;
      return text.joined();
    }
    const spaces = scanner.at;
    const folded = foldedLines(scanner, -1);
    if (folded === undefined) pieces.push(scanner.text.slice(spaces, scanner.at));
    else if (line === 'ends') pieces.push(folded);
    else pieces.push(folded === ' ' ? '\n' : `${folded}\n`);
  }
}

/**
 * Reads to the end of the line or the closing quote, or as much of a long line as is read in one step. A backslash at the
 * end of a line joins it to the next.
 */
function quotedLine(scanner: ScalarText, quote: string, pieces: string[]): 'ends' | 'joins' | 'goes on' {
  let start = scanner.at;
  const flush = () => pieces.push(scanner.text.slice(start, scanner.at));
  for (;;) {
    passLetters(scanner);
    if (scanner.isBlank() && !passBlanks(scanner)) break;
    const character = scanner.text[scanner.at] as string;
    if (character === quote) {
      flush();
      if (quote === '"' || scanner.text[scanner.at + 1] !== "'") return 'ends';
      pieces.push("'");
      scanner.at += 2;
      start = scanner.at;
    } else if (character === '\\' && quote === '"') {
      flush();
      scanner.at++;
      if (scanner.at < scanner.text.length && scanner.isBreakOrEnd()) {
        scanner.takeBreak();
        while (scanner.code() === 0x20 || scanner.code() === 0x09) scanner.at++;
        return 'joins';
      }
      pieces.push(escaped(scanner));
      start = scanner.at;
      if (pieces.length >= PIECES_IN_STEP) return 'goes on';
    } else scanner.at++;
  }
  flush();
  return 'ends';
}

/** Skips blanks between two words of a line; those at its end are kept, and false is returned. */
function passBlanks(scanner: ScalarText): boolean {
  const { at } = scanner;
  while (scanner.code() === 0x20 || scanner.code() === 0x09) scanner.at++;
  if (!scanner.isBreakOrEnd()) return true;
  scanner.at = at;
  return false;
}

function escaped(scanner: ScalarText): string {
  const character = scanner.text[scanner.at] ?? '';
  const plain = Object.hasOwn(ESCAPES, character) ? ESCAPES[character] : undefined;
  const digits = HEX_DIGITS[character];
  if (plain === undefined && digits === undefined) throw scanner.fault('found unknown escape character');
  scanner.at++;
  if (digits === undefined) return plain as string;
  const hex = scanner.text.slice(scanner.at, scanner.at + digits);
  if (hex.length < digits || !/^[0-9a-fA-F]*$/.test(hex)) {
    throw scanner.fault('did not find expected hexdecimal number');
  }
  const code = Number.parseInt(hex, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    throw scanner.fault('found invalid Unicode character escape code');
  }
  scanner.at += digits;
  return String.fromCodePoint(code);
}

/** A block scalar after `|` or `>`. @throws YamlError */
export function* scanBlockScalar(scanner: ScalarText): Steps<string> {
  const isLiteral = scanner.text[scanner.at] === '|';
  scanner.at++;
  const { chomping, increment } = blockHeader(scanner);
  const least = Math.max(scanner.indent, 0) + increment;
  let indent = increment === 0 ? 0 : scanner.indent >= 0 ? least : increment;
  const text = new Text();
  const { pieces } = text;
  let leading = '';
  let [trailing, found] = blockBreaks(scanner, indent);
  if (indent === 0) indent = Math.max(found, scanner.indent + 1, 1);
  let wasBlank = false;
  while (scanner.column === indent && scanner.at < scanner.text.length) {
    if (text.isLong) yield void text.joined();
    const isBlank = scanner.code() === 0x20 || scanner.code() === 0x09;
    const folds = !isLiteral && leading.startsWith('\n') && !wasBlank && !isBlank;
    if (!folds) pieces.push(leading);
    else if (trailing === '') pieces.push(' ');
    pieces.push(trailing);
    wasBlank = isBlank;
    const start = scanner.at;
    do passLetters(scanner);
    while (!scanner.isBreakOrEnd() && ++scanner.at);
    pieces.push(scanner.text.slice(start, scanner.at));
    leading = scanner.at < scanner.text.length ? '\n' : '';
    if (leading !== '') scanner.takeBreak();
    [trailing, found] = blockBreaks(scanner, indent);
  }
  if (chomping !== '-') pieces.push(leading);
  if (chomping === '+') pieces.push(trailing);
  return text.joined();
}

function blockHeader(scanner: ScalarText): { chomping: string; increment: number } {
  let chomping = '';
  let increment = 0;
  for (let index = 0; index < 2; index++) {
    const character = scanner.text[scanner.at] ?? '';
    if (chomping === '' && (character === '+' || character === '-')) chomping = character;
    else if (increment === 0 && character >= '0' && character <= '9') increment = Number(character);
    else break;
    if (character === '0') throw scanner.fault('found an indentation indicator equal to 0');
    scanner.at++;
  }
  while (scanner.code() === 0x20 || scanner.code() === 0x09) scanner.at++;
  if (scanner.code() === 0x23) while (!scanner.isBreakOrEnd()) scanner.at++;
  if (!scanner.isBreakOrEnd()) throw scanner.fault('did not find expected comment or line break');
  if (scanner.at < scanner.text.length) scanner.takeBreak();
  return { chomping, increment };
}

/** Skips empty lines and indentation; returns the line breaks, and the deepest column. */
function blockBreaks(scanner: ScalarText, indent: number): [breaks: string, column: number] {
  let breaks = 0;
  let deepest = 0;
  for (;;) {
    while ((indent === 0 || scanner.column < indent) && scanner.code() === 0x20) scanner.at++;
    deepest = Math.max(deepest, scanner.column);
    if ((indent === 0 || scanner.column < indent) && scanner.code() === 0x09) {
      throw scanner.fault('found a tab character where an indentation space is expected');
    }
    if (scanner.at >= scanner.text.length || !scanner.isBreakOrEnd()) return ['\n'.repeat(breaks), deepest];
    scanner.takeBreak();
    breaks++;
  }
}
