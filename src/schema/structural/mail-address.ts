// Mail addresses as Kubernetes reads them: RFC 5322 with Go's leniency, including names, comments, quoted local parts,
// domain literals and groups of a single address.

import { isIp } from './ip-address.ts';

/** Whether a text is one mail address. */
export function isMailAddress(text: string): boolean {
  return new AddressReader(text).readsOne();
}

/** Visible characters of ASCII and all others, except for RFC 5322's specials. */
const ATOM = /[^\u0000-\u0020\u007f()<>[\]:;@\\,"]+/y;
/** A quoted string; it may be unterminated, which the caller sees. */
const QUOTED = /"((?:[^\u0000-\u0008\u000a-\u001f\u007f"\\]|\\[^\u0000-\u0008\u000a-\u001f\u007f])*)"/y;
const LITERAL = /\[([^\u0000-\u0020\u007f[\]\\]*)\]/y;
const SPACE = /[ \t]*/y;
const ENCODED = /^=\?([^?]+)\?[bqBQ]\?[^?]*\?=$/;
/** Character sets of encoded words; another makes a name unreadable. */
const CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'iso-8859-1', 'us-ascii']);

class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readsOne(): boolean {
    return this.#address(true) === 1 && this.#comments() && this.#at === this.#text.length;
  }

  /** @returns the number of addresses read; undefined for none that is valid */
  #address(mayBeGroup: boolean): number | undefined {
    this.#take(SPACE);
    if (this.#addressSpec()) {
      this.#take(SPACE);
      return this.#next() !== '(' || this.#nameComment() ? 1 : undefined;
    }
    if (this.#next() !== '<' && !this.#phrase()) return undefined;
    this.#take(SPACE);
    if (mayBeGroup && this.#skip(':')) return this.#group();
    return this.#skip('<') && this.#addressSpec() && this.#skip('>') ? 1 : undefined;
  }

  #group(): number | undefined {
    this.#take(SPACE);
    if (this.#skip(';')) return this.#comments() ? 0 : undefined;
    for (let count = 0; ; ) {
      const added = this.#address(false);
      if (added === undefined || !this.#comments()) return undefined;
      count += added;
      if (this.#skip(';')) return this.#comments() ? count : undefined;
      if (!this.#skip(',')) return undefined;
    }
  }

  /** A local part and a domain. Reads nothing if they are not valid. */
  #addressSpec(): boolean {
    const start = this.#at;
    this.#take(SPACE);
    const local = this.#next() === '"' ? this.#take(QUOTED) !== '""' && this.#at > start : isDotted(this.#take(ATOM));
    if (local && this.#text[this.#at - 1] !== undefined && this.#skip('@') && this.#domain()) return true;
    this.#at = start;
    return false;
  }

  #domain(): boolean {
    this.#take(SPACE);
    return this.#next() === '[' ? isIp(this.#take(LITERAL).slice(1, -1)) : isDotted(this.#take(ATOM));
  }

  /** A name in front of an address: words, of which those after the first may be invalid. */
  #phrase(): boolean {
    for (let words = 0; ; words++) {
      if (words > 0 && !this.#comments()) return false;
      this.#take(SPACE);
      const word = this.#take(this.#next() === '"' ? QUOTED : ATOM);
      if (word === '' || (!word.startsWith('"') && !isReadable(word))) return words > 0;
    }
  }

  #comments(): boolean {
    this.#take(SPACE);
    while (this.#skip('(')) {
      if (this.#comment() === undefined) return false;
      this.#take(SPACE);
    }
    return true;
  }

  #nameComment(): boolean {
    this.#skip('(');
    const comment = this.#comment();
    return comment?.split(/[ \t]+/).every(isReadable) === true;
  }

  /** The rest of a comment, whose parenthesis has been read; undefined if it does not end. */
  #comment(): string | undefined {
    let comment = '';
    for (let depth = 1; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at];
      if (character === '\\' && this.#at + 1 < this.#text.length) this.#at++;
      else if (character === '(') depth++;
      else if (character === ')' && --depth === 0) {
        this.#at++;
        return comment;
      }
      comment += this.#text[this.#at];
    }
    return undefined;
  }

  #next(): string | undefined {
    return this.#text[this.#at];
  }

  #skip(character: string): boolean {
    if (this.#next() !== character) return false;
    this.#at++;
    return true;
  }

  /** Reads what a sticky pattern matches; '' for nothing. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}

/** Whether an atom may stand alone: without a dot at either end, and without two in a row. */
function isDotted(atom: string): boolean {
  return atom !== '' && !/^\.|\.\.|\.$/.test(atom);
}

/** Whether a word of a name is plain, or encoded in a known character set. */
function isReadable(word: string): boolean {
  const charset = ENCODED.exec(word)?.[1];
  return charset === undefined || CHARSETS.has(charset.toLowerCase());
}
