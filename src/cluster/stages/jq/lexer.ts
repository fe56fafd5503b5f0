// Tokens of jq expressions.

import { limits } from '../../../base/limits.ts';
import { lookup } from '../../../base/lookup.ts';
import { JqSyntaxError } from './error.ts';

export type JqToken =
  /** An operator or a bracket. */
  | { readonly type: 'mark'; readonly text: string }
  /** `.name`, without the dot. */
  | { readonly type: 'field'; readonly text: string }
  | { readonly type: 'word'; readonly text: string }
  /** `$name`, without the dollar sign. */
  | { readonly type: 'variable'; readonly text: string }
  | { readonly type: 'number'; readonly value: number }
  /** Texts alternate with the expressions between them. */
  | { readonly type: 'string'; readonly texts: readonly string[]; readonly expressions: readonly string[] }
  | { readonly type: 'end' };

/** The longest marks first. */
const MARKS = [
  ...['?//', '//=', '..', '//', '==', '!=', '<=', '>=', '|=', '+=', '-=', '*=', '/=', '%='],
  ...'.|,<>+-*/%[](){}:;?='.split(''),
];
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const BLANK = /(?:\s|#[^\n]*(?:\n|$))+/y;
const ESCAPES: Readonly<Record<string, string>> = lookup({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' });

/** @throws JqSyntaxError */
export function jqTokens(source: string): JqToken[] {
  if (source.length > limits.jqCharacters) throw new JqSyntaxError('the expression is too long');
  const tokens: JqToken[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(source) ?? [];
    at += found?.length ?? 0;
    return found;
  };
  const named = (type: 'field' | 'variable'): void => {
    at++;
    tokens.push({ type, text: take(WORD) ?? '' });
  };
  const startsWord = (index: number) => /[A-Za-z_]/.test(source[index] ?? '');
  for (;;) {
    take(BLANK);
    const first = source[at];
    if (first === undefined) return [...tokens, { type: 'end' }];
    if (first === '"') {
      const { token, end } = stringAt(source, at);
      tokens.push(token);
      at = end;
    } else if (first === '.' && startsWord(at + 1)) named('field');
    else if (first === '$' && startsWord(at + 1)) named('variable');
    else if (startsWord(at)) tokens.push({ type: 'word', text: take(WORD)! });
    else {
      const number = take(NUMBER);
      const mark = number === undefined ? MARKS.find((each) => source.startsWith(each, at)) : undefined;
      if (number !== undefined) tokens.push({ type: 'number', value: Number(number) });
      else if (mark === undefined) throw new JqSyntaxError(`unexpected ${JSON.stringify(first)}`);
      else {
        tokens.push({ type: 'mark', text: mark });
        at += mark.length;
      }
    }
  }
}

function stringAt(source: string, start: number): { readonly token: JqToken; readonly end: number } {
  const texts = [''];
  const expressions: string[] = [];
  let at = start + 1;
  for (;;) {
    const next = source[at];
    if (next === undefined) throw new JqSyntaxError('unterminated string');
    if (next === '"') return { token: { type: 'string', texts, expressions }, end: at + 1 };
    if (next !== '\\') {
      texts[texts.length - 1] += next;
      at++;
      continue;
    }
    const escaped = source[at + 1] ?? '';
    if (escaped === '(') {
      const end = closingParenthesis(source, at + 2);
      expressions.push(source.slice(at + 2, end));
      texts.push('');
      at = end + 1;
    } else if (escaped === 'u') {
      const digits = source.slice(at + 2, at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new JqSyntaxError('invalid escape in a string');
      texts[texts.length - 1] += String.fromCharCode(Number.parseInt(digits, 16));
      at += 6;
    } else {
      const text = '"\\/'.includes(escaped) ? escaped : Object.hasOwn(ESCAPES, escaped) ? ESCAPES[escaped] : undefined;
      if (text === undefined || escaped === '') throw new JqSyntaxError('invalid escape in a string');
      texts[texts.length - 1] += text;
      at += 2;
    }
  }
}

/** Where an expression within a string ends; it may contain strings itself. */
function closingParenthesis(source: string, start: number): number {
  let depth = 0;
  let quoted = 0;
  const outer: number[] = [];
  for (let at = start; at < source.length; at++) {
    const next = source[at];
    if (quoted > 0) {
      if (next === '\\' && source[at + 1] === '(') {
        outer.push(depth);
        depth = 0;
        quoted = 0;
        at++;
      } else if (next === '\\') at++;
      else if (next === '"') quoted = 0;
    } else if (next === '"') quoted = 1;
    else if (next === '(') depth++;
    else if (next === ')') {
      if (depth > 0) depth--;
      else if (outer.length === 0) return at;
      else {
        depth = outer.pop()!;
        quoted = 1;
      }
    }
  }
  throw new JqSyntaxError('unterminated string');
}
