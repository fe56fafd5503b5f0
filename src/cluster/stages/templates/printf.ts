// Go's printf, for the values of templates.

import { goQuoteCharacter } from '../../../base/go-quote.ts';
import type { Budget } from '../budget.ts';
import { DataNumber, textOf, typeNameOf, type Value } from './values.ts';

const VERB = /%([-+# 0]*)(\d*)(?:\.(\d*))?(.)/gsu;
/** The widest field. */
const WIDEST = 1_000;

/** Formats values. As in Go, the text itself names values that do not fit the format. */
export function printf(format: string, values: readonly Value[], budget: Budget): string {
  budget.spend(format.length);
  let used = 0;
  const text = format.replace(VERB, (...groups: (string | undefined)[]) => {
    const [, flags = '', width = '', precision, verb = ''] = groups;
    if (verb === '%') return '%';
    if (used >= values.length) return `%!${verb}(MISSING)`;
    const digits = precision === undefined ? undefined : Math.min(WIDEST, Number(precision));
    const body = formatted(verb, values[used++], { flags, precision: digits, budget });
    budget.spendText(Math.min(WIDEST, Number(width)));
    return padded(body, { width: Math.min(WIDEST, Number(width)), flags, verb });
  });
  const extra = values.slice(used).map((value) => `${typeNameOf(value)}=${textOf(value, budget)}`);
  return extra.length === 0 ? text : `${text}%!(EXTRA ${extra.join(', ')})`;
}

interface Format {
  readonly flags: string;
  readonly precision: number | undefined;
  readonly budget: Budget;
}

function formatted(verb: string, value: Value, { flags, precision, budget }: Format): string {
  const text = value instanceof DataNumber ? value.text : value;
  if (verb === 'v') return textOf(value, budget);
  if (verb === 'T') return typeNameOf(value);
  const isCompound = typeof text === 'object';
  if (verb === 's' && (typeof text === 'string' || isCompound)) {
    const whole = textOf(value, budget);
    return precision === undefined ? whole : [...whole].slice(0, precision).join('');
  }
  if (verb === 'q' && (typeof text === 'string' || isCompound)) return textOf(value, budget, true);
  if (verb === 'q' && typeof text === 'number') return goQuoteCharacter(text);
  if (verb === 't' && typeof text === 'boolean') return String(text);
  if (typeof text === 'number') {
    const number = numberBy(verb, text, precision);
    if (number !== undefined) return flags.includes('+') && text >= 0 ? `+${number}` : number;
  }
  if ((verb === 'x' || verb === 'X') && typeof text === 'string') {
    const hex = Buffer.from(text).toString('hex');
    return verb === 'x' ? hex : hex.toUpperCase();
  }
  return value === undefined ? `%!${verb}(<nil>)` : `%!${verb}(${typeNameOf(value)}=${textOf(value, budget)})`;
}

function numberBy(verb: string, value: number, precision: number | undefined): string | undefined {
  if (Number.isInteger(value)) {
    const base = { d: 10, x: 16, X: 16, o: 8, b: 2 }[verb];
    if (base !== undefined) return verb === 'X' ? value.toString(base).toUpperCase() : value.toString(base);
    if (verb === 'c') return value >= 0 && value <= 0x10ffff ? String.fromCodePoint(value) : '\ufffd';
    return undefined;
  }
  const digits = Math.min(100, precision ?? 6);
  if (verb === 'f' || verb === 'F') return value.toFixed(digits);
  if (verb === 'e') return value.toExponential(digits).replace(/e([+-])(\d)$/, 'e$10$2');
  return verb === 'g'
    ? String(precision === undefined ? value : Number(value.toPrecision(Math.max(1, digits))))
    : undefined;
}

function padded(
  text: string,
  { width, flags, verb }: { readonly width: number; readonly flags: string; readonly verb: string },
): string {
  const missing = width - [...text].length;
  if (missing <= 0) return text;
  if (flags.includes('-')) return text + ' '.repeat(missing);
  const zeros = flags.includes('0') && 'dfFeg'.includes(verb);
  const sign = zeros && /^[+-]/.test(text) ? text[0]! : '';
  return zeros ? sign + '0'.repeat(missing) + text.slice(sign.length) : ' '.repeat(missing) + text;
}
