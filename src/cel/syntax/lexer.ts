// The lexer: splits an expression into tokens on demand. Invalid text is reported and skipped, as in cel-go's lexer.
// Independent of the grammar.

import type { Token, TokenType } from './tokens.ts';

/** Text that is not a token, `end` exclusive. */
interface LexicalFault {
  readonly start: number;
  readonly end: number;
}

const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const BLANK = /(?:[\t \r\n\f]|\/\/[^\n]*(?:\n|$))+/y;
const NUMBER =
  /(?<float>\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)|(?<uint>(?:0x[0-9a-fA-F]+|\d+)[uU])|(?<int>0x[0-9a-fA-F]+|\d+)/y;
const QUOTED_NAME = /`[A-Za-z0-9_.\-/ ]+`/y;
const SYMBOL = /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y;
const KEYWORDS: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);
const ESCAPE = /\\(?:[abfnrtv"'\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/y;
/** Prefixes of escapes, used to determine the extent of an invalid one. */
const ESCAPE_START = /\\(?:[0-3][0-7]?|[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7})?/y;

export class Lexer {
  /** Errors found so far, in order. */
  readonly faults: LexicalFault[] = [];
  readonly #text: string;
  #index = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next token; EOF again and again at the end. */
  next(): Token {
    for (;;) {
      this.#index = this.#matchEnd(BLANK, this.#index) ?? this.#index;
      if (this.#index >= this.#text.length) {
        return { type: 'EOF', start: this.#text.length, end: this.#text.length };
      }
      const token = this.#token(this.#index);
      if (token !== undefined) {
        this.#index = token.end;
        return token;
      }
    }
  }

  /** Returns the text of the tokens and white space between two indexes, without skipped characters. */
  textBetween(start: number, end: number): string {
    let text = '';
    let from = start;
    for (const fault of this.faults) {
      if (fault.start >= from && fault.start < end) {
        text += this.#text.slice(from, fault.start);
        from = fault.end;
      }
    }
    return text + this.#text.slice(from, end);
  }

  #token(start: number): Token | undefined {
    const text = this.#text;
    const quote = quoteAt(text, start);
    if (quote !== undefined) {
      const { end, failedAt } = stringEnd(text, quote);
      if (end !== undefined) {
        return { type: quote.bytes ? 'BYTES' : 'STRING', start, end };
      }
      if (quote.at === start) {
        return this.#fault(start, failedAt);
      }
    }
    const word = this.#matchEnd(WORD, start);
    if (word !== undefined) {
      const name = text.slice(start, word);
      return { type: KEYWORDS.has(name) ? (name as TokenType) : 'IDENTIFIER', start, end: word };
    }
    NUMBER.lastIndex = start;
    const number = NUMBER.exec(text);
    if (number !== null) {
      const groups = number.groups ?? {};
      const type = groups.float !== undefined ? 'NUM_FLOAT' : groups.uint !== undefined ? 'NUM_UINT' : 'NUM_INT';
      return { type, start, end: NUMBER.lastIndex };
    }
    const symbol = this.#matchEnd(SYMBOL, start);
    if (symbol !== undefined) {
      return { type: text.slice(start, symbol) as TokenType, start, end: symbol };
    }
    return this.#otherToken(start);
  }

  #otherToken(start: number): Token | undefined {
    const text = this.#text;
    const quotedName = this.#matchEnd(QUOTED_NAME, start);
    if (quotedName !== undefined) {
      return { type: 'ESC_IDENTIFIER', start, end: quotedName };
    }
    if (text[start] === '`') {
      return this.#fault(start, this.#matchEnd(/`[A-Za-z0-9_.\-/ ]*/y, start) ?? start);
    }
    return this.#fault(start, '=&|'.includes(text[start] as string) ? start + 1 : start);
  }

  /** Notes that the text from `start` is not a token, which the character at `failedAt` showed. */
  #fault(start: number, failedAt: number): undefined {
    const character = this.#text.codePointAt(failedAt);
    this.#index = failedAt + (character === undefined ? 0 : character > 0xffff ? 2 : 1);
    this.faults.push({ start, end: this.#index });
  }

  #matchEnd(pattern: RegExp, start: number): number | undefined {
    pattern.lastIndex = start;
    return pattern.test(this.#text) ? pattern.lastIndex : undefined;
  }
}

interface Quote {
  /** Returns where the first quote is, after the prefix. */
  readonly at: number;
  readonly raw: boolean;
  readonly bytes: boolean;
}

/** A string's prefix and quote at an index, if one begins there. */
function quoteAt(text: string, start: number): Quote | undefined {
  let at = start;
  const bytes = text[at] === 'b' || text[at] === 'B';
  if (bytes) {
    at++;
  }
  const raw = text[at] === 'r' || text[at] === 'R';
  if (raw) {
    at++;
  }
  return text[at] === '"' || text[at] === "'" ? { at, raw, bytes } : undefined;
}

interface StringEnd {
  readonly end: number | undefined;
  /** The index of the character that could not go on. */
  readonly failedAt: number;
}

/** Returns where a string ends: the longest match, so an unterminated `"""` is read as an empty string first. */
function stringEnd(text: string, quote: Quote): StringEnd {
  const mark = text[quote.at] as string;
  const empty = text[quote.at + 1] === mark;
  if (empty && text[quote.at + 2] === mark) {
    const long = scanString(text, quote.at + 3, { close: mark.repeat(3), raw: quote.raw, lines: true });
    if (long.end !== undefined) {
      return long;
    }
  }
  return scanString(text, quote.at + 1, { close: mark, raw: quote.raw, lines: false });
}

function scanString(
  text: string,
  from: number,
  form: { readonly close: string; readonly raw: boolean; readonly lines: boolean },
): StringEnd {
  let index = from;
  while (index < text.length) {
    if (text.startsWith(form.close, index)) {
      return { end: index + form.close.length, failedAt: index };
    }
    const character = text[index];
    if (character === '\\' && !form.raw) {
      ESCAPE.lastIndex = index;
      if (!ESCAPE.test(text)) {
        ESCAPE_START.lastIndex = index;
        ESCAPE_START.test(text);
        return { end: undefined, failedAt: ESCAPE_START.lastIndex };
      }
      index = ESCAPE.lastIndex;
    } else if (!form.lines && (character === '\n' || character === '\r')) {
      return { end: undefined, failedAt: index };
    } else {
      index++;
    }
  }
  return { end: undefined, failedAt: text.length };
}
