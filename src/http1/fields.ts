// Header fields and trailers, read line by line with the rules of Go's net/textproto, folded lines included.

import { goQuote } from '../base/go-quote.ts';

export interface HeaderField {
  /** In lower case. */
  readonly name: string;
  readonly value: string;
}

/** A malformed line; the message is Go's. */
export class FieldError extends Error {
  override name = 'FieldError';
}

/** Names with blanks are accepted here, and rejected by those who look at the whole. */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z ]+$/;
const CONTROL_BUT_TAB = /[\0-\x08\x0a-\x1f\x7f]/;

export class FieldReader {
  readonly fields: HeaderField[] = [];
  /** A line that may be continued on the next. */
  #open: string | undefined;
  #isFirst = true;

  /** Takes the next line, without its end; returns whether it was the blank line at the end. @throws FieldError */
  line(text: string): boolean {
    const isIndented = text.startsWith(' ') || text.startsWith('\t');
    if (isIndented && this.#isFirst) throw new FieldError(`malformed MIME header initial line: ${goQuote(text)}`);
    this.#isFirst = false;
    if (isIndented) {
      this.#open += ` ${trimmed(text)}`;
      return false;
    }
    this.#close();
    if (text === '') return true;
    if (!text.includes(':')) throw new FieldError(`malformed MIME header: missing colon: ${goQuote(text)}`);
    this.#open = trimmed(text);
    return false;
  }

  #close(): void {
    const text = this.#open;
    if (text === undefined) return;
    this.#open = undefined;
    const colon = text.indexOf(':');
    const name = text.slice(0, colon);
    const value = text.slice(colon + 1).replace(/^[ \t]+/, '');
    if (!NAME.test(name) || CONTROL_BUT_TAB.test(value)) {
      throw new FieldError(`malformed MIME header line: ${goQuote(text)}`);
    }
    this.fields.push({ name: name.toLowerCase(), value });
  }
}

/** Without blanks and tabs at both ends, in linear time. */
export function trimmed(text: string): string {
  let begin = 0;
  let end = text.length;
  while (begin < end && isBlank(text.charCodeAt(begin))) begin++;
  while (end > begin && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(begin, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
