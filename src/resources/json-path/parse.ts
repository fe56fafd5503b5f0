// Parser of JSONPath templates: actions in braces, with text between them. Its faults have client-go's words.

import { withoutTrailing } from '../../base/without-trailing.ts';
import type { Filter, Path, PathPart, Slice } from './path.ts';
import { unquote } from './unquote.ts';

/** The end of a name. */
const TERMINATOR = /[ \t\r\n.,[\]$@{}]/;
const WORD = /[\p{L}\p{Nd}_]/u;
const DIGIT = /\p{Nd}/u;
const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const DICTIONARY_KEY = /^'([^']*)'$/;
const COMPARISON = /^([^!<>=]+)([!<>=]+)(.+?)$/s;
const DECIMAL = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** Thrown for a syntax error. */
class PathFault extends Error {}

/** The actions of a template that consists of a path, to which braces are added. @throws Error naming what is wrong */
export function parseJsonPath(text: string): readonly Path[] {
  return new PathParser(`{${text}}`).template();
}

/** Why a text is not a path; undefined if it is valid. */
export function jsonPathFault(text: string): string | undefined {
  try {
    parseJsonPath(text);
    return undefined;
  } catch (error) {
    if (error instanceof PathFault) return error.message;
    throw error;
  }
}

/** The path in one action. */
function actionOf(text: string): Path {
  return parseJsonPath(text)[0] as Path;
}

class PathParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  template(): Path[] {
    const actions: Path[] = [];
    for (;;) {
      const start = this.#text.indexOf('{', this.#at);
      const text = this.#text.slice(this.#at, start < 0 ? undefined : start);
      if (text !== '') actions.push([{ kind: 'literal', value: text, isFloat: false }]);
      if (start < 0) return actions;
      this.#at = start + 1;
      actions.push(this.#action());
    }
  }

  #action(): PathPart[] {
    const parts: PathPart[] = [];
    for (;;) {
      const next = this.#peek();
      if (next === '' || next === '\n' || next === '\r') throw new PathFault('unclosed action');
      if (next === '}') {
        this.#at++;
        return parts;
      }
      if (this.#follows('[?(')) parts.push({ kind: 'filter', filter: this.#filter() });
      else if (this.#follows('..')) this.#recursive(parts);
      else if (next === ' ' || next === '@' || next === '$') this.#at++;
      else if (next === '[') parts.push(...this.#array());
      else if (next === '"' || next === "'") parts.push(this.#quoted(next));
      else if (next === '.') parts.push(this.#field(1));
      else if (next === '+' || next === '-' || DIGIT.test(next)) parts.push(this.#number());
      else if (WORD.test(next)) parts.push(this.#identifier());
      else throw new PathFault(`unrecognized character in action: ${characterText(next)}`);
    }
  }

  /** The next character; '' at the end. */
  #peek(): string {
    const code = this.#text.codePointAt(this.#at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  #follows(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  /** A name after a number of characters; a backslash escapes the next character. */
  #field(prefix: number): PathPart {
    const start = this.#at + prefix;
    this.#at = start;
    while (this.#at < this.#text.length && !TERMINATOR.test(this.#text[this.#at] as string)) {
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    }
    this.#at = Math.min(this.#at, this.#text.length);
    const name = this.#text.slice(start, this.#at);
    return name === '*' ? { kind: 'wildcard' } : { kind: 'field', name: name.replaceAll('\\', '') };
  }

  #identifier(): PathPart {
    const start = this.#at;
    while (this.#at < this.#text.length && !TERMINATOR.test(this.#text[this.#at] as string)) this.#at++;
    const name = this.#text.slice(start, this.#at);
    if (name !== 'true' && name !== 'false') return { kind: 'identifier', name };
    return { kind: 'literal', value: name === 'true', isFloat: false };
  }

  #number(): PathPart {
    const [text = ''] = /^[-+]?[.\p{Nd}]*/u.exec(this.#text.slice(this.#at)) ?? [];
    if (!DECIMAL.test(text)) throw new PathFault(`cannot parse number ${text}`);
    this.#at += text.length;
    return { kind: 'literal', value: Number(text), isFloat: !Number.isSafeInteger(Number(text)) || text.includes('.') };
  }

  #recursive(parts: PathPart[]): void {
    if (parts.at(-1)?.kind === 'recursive') throw new PathFault('invalid multiple recursive descent');
    this.#at += 2;
    parts.push({ kind: 'recursive' });
    if (WORD.test(this.#peek())) parts.push(this.#field(0));
  }

  #quoted(quote: string): PathPart {
    const start = this.#at;
    for (this.#at++; this.#text[this.#at] !== quote || this.#text[this.#at - 1] === '\\'; this.#at++) {
      if (this.#at >= this.#text.length || this.#text[this.#at] === '\n') {
        throw new PathFault('unterminated quoted string');
      }
    }
    this.#at++;
    const text = this.#text.slice(start, this.#at);
    const value = unquote(text);
    if (value === undefined) throw new PathFault(`unquote string ${text} error invalid syntax`);
    return { kind: 'literal', value, isFloat: false };
  }

  #array(): Path {
    const end = this.#text.indexOf(']', this.#at);
    const line = this.#text.indexOf('\n', this.#at);
    if (end < 0 || (line >= 0 && line < end)) throw new PathFault('unterminated array');
    const inside = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    const alternatives = inside.split(',');
    if (alternatives.length > 1) {
      return [
        {
          kind: 'union',
          paths: alternatives.map((each) => actionOf(`[${withoutTrailing(each.replace(/^ +/, ''), ' ')}]`)),
        },
      ];
    }
    // The name in quotes is a path of its own: its dots have to be escaped.
    const key = DICTIONARY_KEY.exec(inside);
    return key === null ? [{ kind: 'slice', slice: sliceOf(inside) }] : actionOf(`.${key[1]}`);
  }

  #filter(): Filter {
    const start = this.#at + '[?('.length;
    this.#at = this.#filterEnd(start);
    const text = this.#text.slice(start, this.#at);
    if (this.#text[this.#at + 1] !== ']') throw new PathFault('unclosed array expect ]');
    this.#at += ')]'.length;
    const comparison = COMPARISON.exec(text);
    if (comparison === null) return { left: actionOf(text), operator: 'exists', right: undefined };
    const [, left = '', operator = '', right = ''] = comparison;
    return { left: actionOf(left), operator, right: actionOf(right) };
  }

  /** The parenthesis that closes a filter: not in its first quoted text. */
  #filterEnd(start: number): number {
    let quote = '';
    let isClosed = false;
    for (let at = start; at < this.#text.length && this.#text[at] !== '\n'; at++) {
      const next = this.#text[at] as string;
      if (next === ')' && (quote !== '') === isClosed) return at;
      if (next !== '"' && next !== "'") continue;
      if (quote === '') quote = next;
      else if (next === quote && this.#text[at - 1] !== '\\') isClosed = true;
    }
    throw new PathFault('unterminated filter');
  }
}

/** Indices in brackets: `0`, `1:3`, `::2`, `*`; without any, the first item. */
function sliceOf(text: string): Slice {
  const found = SLICE.exec(text === '*' ? ':' : text);
  if (found === null) throw new PathFault(`invalid array index ${text}`);
  const [, first = '', second, third] = found;
  const from = indexOf(first);
  const isOne = second === undefined;
  return { from, to: isOne ? (from ?? 0) + 1 : indexOf(second.slice(1)), by: indexOf(third?.slice(1) ?? ''), isOne };
}

function indexOf(text: string): number | undefined {
  if (text === '') return undefined;
  const index = Number(text);
  // Also for a lone minus sign.
  if (!Number.isSafeInteger(index)) throw new PathFault(`array index ${text} is not a number`);
  return index;
}

/** A character as formatted by Go: `U+003A ':'`. */
function characterText(text: string): string {
  const code = text.codePointAt(0) as number;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')} '${text}'`;
}
