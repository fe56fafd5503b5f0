// Tokens of Go templates: texts, and the actions between `{{` and `}}`.

import { limits } from '../../../base/limits.ts';
import { lookup } from '../../../base/lookup.ts';
import { TemplateSyntaxError } from './error.ts';

export type TemplateToken = {
  /** Whether white space precedes it. */
  readonly isApart: boolean;
} & (
  | { readonly type: 'mark'; readonly text: string }
  /** `.name`, without the dot. */
  | { readonly type: 'field'; readonly text: string }
  /** `$name` with the dollar sign, or `$`. */
  | { readonly type: 'variable'; readonly text: string }
  | { readonly type: 'word'; readonly text: string }
  | { readonly type: 'string'; readonly text: string }
  | { readonly type: 'number'; readonly value: number }
);

export type TemplatePiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'action'; readonly tokens: readonly TemplateToken[]; readonly line: number };

const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const NUMBER = /[+-]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)/y;
const BLANK = /\s+/y;
const MARKS = [':=', '=', '|', '(', ')', ',', '.'];
const ESCAPES: Readonly<Record<string, string>> = lookup({
  ...{ a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  ...{ '\\': '\\', '"': '"', "'": "'" },
});

/** @throws TemplateSyntaxError */
export function templatePieces(source: string): TemplatePiece[] {
  if (source.length > limits.templateCharacters) throw new TemplateSyntaxError('the template is too long');
  const pieces: TemplatePiece[] = [];
  let at = 0;
  let line = 1;
  let trimsNext = false;
  const addText = (raw: string, trimsEnd: boolean): void => {
    const started = trimsNext ? raw.trimStart() : raw;
    const text = trimsEnd ? started.trimEnd() : started;
    if (text !== '') pieces.push({ type: 'text', text });
    line += countLines(raw);
  };
  for (;;) {
    const open = source.indexOf('{{', at);
    if (open < 0) {
      addText(source.slice(at), false);
      return pieces;
    }
    const trims = source[open + 2] === '-' && /\s/.test(source[open + 3] ?? '');
    addText(source.slice(at, open), trims);
    const start = open + (trims ? 3 : 2);
    const action = actionAt(source, start, line);
    if (action.tokens.length > 0) pieces.push({ type: 'action', tokens: action.tokens, line });
    else if (!action.isComment) throw new TemplateSyntaxError(`line ${line}: missing value for command`);
    line += countLines(source.slice(open, action.end));
    trimsNext = action.trims;
    at = action.end;
  }
}

interface Action {
  readonly tokens: TemplateToken[];
  readonly isComment: boolean;
  /** Whether white space after it is removed. */
  readonly trims: boolean;
  readonly end: number;
}

function actionAt(source: string, start: number, line: number): Action {
  const tokens: TemplateToken[] = [];
  const fault = (what: string) => new TemplateSyntaxError(`line ${line}: ${what}`);
  let at = start;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(source) ?? [];
    at += found?.length ?? 0;
    return found;
  };
  const startsComment = /^\s*\/\*/.test(source.slice(start, start + 200));
  if (startsComment) {
    const close = source.indexOf('*/', start);
    if (close < 0) throw fault('unclosed comment');
    at = close + 2;
  }
  for (;;) {
    const isApart = take(BLANK) !== undefined;
    if (source.startsWith('}}', at)) return { tokens, isComment: startsComment, trims: false, end: at + 2 };
    if (isApart && source.startsWith('-}}', at)) return { tokens, isComment: startsComment, trims: true, end: at + 3 };
    const first = source[at];
    if (first === undefined) throw fault('unclosed action');
    if (startsComment) throw fault('comment ends before closing delimiter');
    if (first === '"' || first === '`' || first === "'") {
      const { text, end } = quotedAt(source, at, fault);
      tokens.push(
        first === "'"
          ? { type: 'number', value: text.codePointAt(0) ?? 0, isApart }
          : { type: 'string', text, isApart },
      );
      at = end;
      continue;
    }
    if (first === '.' || first === '$') {
      const isDigit = first === '.' && /\d/.test(source[at + 1] ?? '');
      if (!isDigit) {
        at++;
        const name = take(NAME) ?? '';
        if (first === '$') tokens.push({ type: 'variable', text: `$${name}`, isApart });
        else if (name === '') tokens.push({ type: 'mark', text: '.', isApart });
        else tokens.push({ type: 'field', text: name, isApart });
        continue;
      }
    }
    const word = take(NAME);
    if (word !== undefined) {
      tokens.push({ type: 'word', text: word, isApart });
      continue;
    }
    const number = take(NUMBER);
    if (number !== undefined) {
      const isNegative = number.startsWith('-');
      const digits = number.replace(/^[+-]/, '').replaceAll('_', '');
      tokens.push({ type: 'number', value: (isNegative ? -1 : 1) * Number(digits), isApart });
      continue;
    }
    const mark = MARKS.find((each) => source.startsWith(each, at));
    if (mark === undefined) throw fault(`unexpected ${JSON.stringify(first)} in command`);
    tokens.push({ type: 'mark', text: mark, isApart });
    at += mark.length;
  }
}

function quotedAt(source: string, start: number, fault: (what: string) => Error): { text: string; end: number } {
  const quote = source[start]!;
  if (quote === '`') {
    const end = source.indexOf('`', start + 1);
    if (end < 0) throw fault('unterminated raw quoted string');
    return { text: source.slice(start + 1, end), end: end + 1 };
  }
  let text = '';
  for (let at = start + 1; ; at++) {
    const next = source[at];
    if (next === undefined || next === '\n') throw fault('unterminated quoted string');
    if (next === quote) return { text, end: at + 1 };
    if (next !== '\\') {
      text += next;
      continue;
    }
    at++;
    const escaped = source[at] ?? '';
    const digits = { x: 2, u: 4, U: 8 }[escaped];
    const code = digits === undefined ? '' : source.slice(at + 1, at + 1 + digits);
    if (digits !== undefined && /^[0-9a-fA-F]+$/.test(code) && code.length === digits) {
      text += String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
      at += digits;
    } else if (Object.hasOwn(ESCAPES, escaped)) text += ESCAPES[escaped];
    else throw fault('invalid escape in a quoted string');
  }
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}
