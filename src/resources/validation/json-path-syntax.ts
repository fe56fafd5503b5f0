// The syntax of client-go's JSONPath, for fields with a path that is not evaluated here. Errors have client-go's words.

/** The end of a name. */
const TERMINATOR = /[\s.,[\]$@{}]/;
const WORD = /[\p{L}\p{Nd}_]/u;
const SLICE = /^(?:-?\d*)(?::-?\d*)?(?::-?\d*)?$/;
const DICTIONARY_KEY = /^'(?:[^']*)'$/;

/** Why a text is not a path, as between braces; undefined if it is valid. */
export function jsonPathFault(text: string): string | undefined {
  return new PathReader(`${text}}`).fault();
}

/** Thrown for a syntax error. */
class PathFault extends Error {}

class PathReader {
  readonly #text: string;
  #at = 0;
  /** Whether the last part was a recursive descent. */
  #descends = false;

  /** @param text up to the closing brace */
  constructor(text: string) {
    this.#text = text;
  }

  fault(): string | undefined {
    try {
      while (this.#step());
      return undefined;
    } catch (error) {
      if (error instanceof PathFault) return error.message;
      throw error;
    }
  }

  /** Parses one part of the path; returns whether there may be another. */
  #step(): boolean {
    const rest = this.#text.slice(this.#at);
    const [next = ''] = rest;
    if (rest.startsWith('[?(')) return this.#filter();
    if (rest.startsWith('..')) return this.#recursive();
    if (next === '' || next === '\n') throw new PathFault('unclosed action');
    if (next === '}') return false;
    if (next === ' ' || next === '@' || next === '$') this.#at++;
    else if (next === '[') this.#array();
    else if (next === '"' || next === "'") this.#quoted(next);
    else if (next === '.') this.#name(1);
    else if (/[-+\d]/.test(next)) this.#number(rest);
    else if (WORD.test(String.fromCodePoint(rest.codePointAt(0) as number))) this.#name(0);
    else throw new PathFault(`unrecognized character in action: ${characterText(rest)}`);
    return true;
  }

  /** A name after a number of characters; a backslash escapes the next character. */
  #name(prefix: number): void {
    this.#descends = false;
    this.#at += prefix;
    while (this.#at < this.#text.length && !TERMINATOR.test(this.#text[this.#at] as string)) {
      this.#at += this.#text[this.#at] === '\\' && prefix > 0 ? 2 : 1;
    }
  }

  #number(rest: string): void {
    const [text = ''] = /^[-+]?[\d.]*/.exec(rest) ?? [];
    if (!/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text)) throw new PathFault(`cannot parse number ${text}`);
    this.#at += text.length;
  }

  #quoted(quote: string): void {
    for (this.#at++; this.#text[this.#at] !== quote; this.#at++) {
      if (this.#at >= this.#text.length || this.#text[this.#at] === '\n') {
        throw new PathFault('unterminated quoted string');
      }
      if (this.#text[this.#at] === '\\') this.#at++;
    }
    this.#at++;
  }

  #recursive(): boolean {
    if (this.#descends) throw new PathFault('invalid multiple recursive descent');
    this.#at += 2;
    if (WORD.test(this.#text[this.#at] ?? '')) this.#name(0);
    this.#descends = true;
    return true;
  }

  #array(): void {
    this.#descends = false;
    const end = this.#text.indexOf(']', this.#at);
    const line = this.#text.indexOf('\n', this.#at);
    if (end < 0 || (line >= 0 && line < end)) throw new PathFault('unterminated array');
    const inside = this.#text.slice(this.#at + 1, end);
    for (const each of inside.split(',')) {
      if (each === '*' || DICTIONARY_KEY.test(each) || SLICE.test(each)) continue;
      throw new PathFault(`invalid array index ${each}`);
    }
    this.#at = end + 1;
  }

  #filter(): boolean {
    this.#descends = false;
    const end = this.#text.indexOf(')]', this.#at);
    if (end < 0) throw new PathFault('unterminated filter');
    this.#at = end + 2;
    return true;
  }
}

/** A character as formatted by Go: `U+003A ':'`. */
function characterText(text: string): string {
  const code = text.codePointAt(0) as number;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')} '${String.fromCodePoint(code)}'`;
}
