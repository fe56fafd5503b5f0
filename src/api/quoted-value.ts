// Quoting of values in field errors, with Go's formatting of strings, floats and objects.

import { goQuote } from '../base/go-quote.ts';
import { goFloatText } from './go-number.ts';
import { stringifyJson } from './json-writer.ts';

/** A text that is quoted as JSON does, because Kubernetes holds a pointer to it: it may be left out. */
export class PointedText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): string {
    return this.text;
  }
}

/** @param quoted cache of quoted objects, which are formatted once */
export function quotedOnce(value: unknown, quoted: Map<unknown, string> | undefined): string {
  if (quoted === undefined || typeof value !== 'object') return quotedValue(value);
  let text = quoted.get(value);
  if (text === undefined) quoted.set(value, (text = quotedValue(value)));
  return text;
}

/** A text in place of which releases before 1.32 quote the object that holds it. */
export class HeldText {
  readonly text: string;
  readonly holder: object;

  constructor(text: string, holder: object) {
    this.text = text;
    this.holder = holder;
  }
}

/** A value that messages hold as it is written here, without quotes. */
export class WrittenValue {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function quotedValue(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (value instanceof WrittenValue) return value.text;
  if (value instanceof HeldText) return goQuote(value.text);
  if (typeof value === 'string') return goQuote(value);
  // Negative zero is a float: the integer -0 is read as zero.
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return goFloatText(value);
  return jsonOf(value);
}

/** As encoded by Go, with HTML special characters escaped. */
function jsonOf(value: unknown): string {
  return stringifyJson(value).replace(
    /[<>&\u2028\u2029]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
