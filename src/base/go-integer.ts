// Integer parsing of Go's strconv, with its errors, for Kubernetes' flags.

import { goQuote } from './go-quote.ts';

interface GoIntegerOptions {
  /** 10 for decimal only; 0, the default, also accepts `0x1f`, `0o17`, `017`, `0b1` and `1_000`. */
  readonly base?: 0 | 10;
  /** Whether a sign is invalid. */
  readonly unsigned?: boolean;
  /** The maximum; by default the largest safe integer. */
  readonly max?: number;
  /** The function named in errors. */
  readonly caller?: string;
}

const FORMS: readonly RegExp[] = [/^0x(_?[0-9a-f])+$/i, /^0b(_?[01])+$/i, /^0o?(_?[0-7])+$/i, /^(0|[1-9](_?\d)*)$/];

/** @throws Error with Go's message: `strconv.ParseInt: parsing "x": invalid syntax` */
export function parseGoInteger(text: string, options: GoIntegerOptions = {}): number {
  const { base = 0, unsigned = false, max = Number.MAX_SAFE_INTEGER } = options;
  const { caller = unsigned ? 'ParseUint' : 'ParseInt' } = options;
  const digits = unsigned ? text : text.replace(/^[+-]/, '');
  const isNumber = base === 10 ? /^\d+$/.test(digits) : FORMS.some((form) => form.test(digits));
  if (!isNumber) throw new Error(`strconv.${caller}: parsing ${goQuote(text)}: invalid syntax`);
  const plain = digits.replaceAll('_', '');
  const size = Number(base === 0 && /^0\d/.test(plain) ? `0o${plain.slice(1)}` : plain);
  if (size > max) throw new Error(`strconv.${caller}: parsing ${goQuote(text)}: value out of range`);
  return text.startsWith('-') && size > 0 ? -size : size;
}

const DECIMAL = /^[+-]?\d+$/;
/** Of a 64-bit number, with its sign. Longer texts would take long to convert. */
const LONGEST = 20;

/** Why a text is no decimal 64-bit integer, as Go says it: `strconv.ParseInt: parsing "x": invalid syntax`. */
export function int64Fault(text: string): string | undefined {
  const fault = (why: string) => `strconv.ParseInt: parsing ${goQuote(text)}: ${why}`;
  if (!DECIMAL.test(text)) return fault('invalid syntax');
  const number = text.length > LONGEST ? undefined : BigInt(text.replace('+', ''));
  return number === undefined || BigInt.asIntN(64, number) !== number ? fault('value out of range') : undefined;
}
