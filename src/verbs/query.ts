// Query parameters of a request, parsed by Go's rules for strings, numbers and booleans.

import { errors } from '../api/errors.ts';
import type { FieldSelector } from '../api/field-selector.ts';
import type { LabelSelector } from '../api/label-selector.ts';
import { withoutLeadingZeros } from '../base/leading-zeros.ts';
import { limits } from '../base/limits.ts';
import { queryDecoded } from '../base/percent-escapes.ts';

/** Parsed `labelSelector` and `fieldSelector`; undefined for none. */
export interface ParsedSelectors {
  readonly labels: LabelSelector | undefined;
  readonly fields: FieldSelector | undefined;
}

/** Parameters by name, values in their original order. */
export class Query {
  /** The selectors, once they have been parsed. */
  selectors: ParsedSelectors | undefined;
  /** What was wrong with long selectors. */
  selectorFault: Error | undefined;
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]> = new Map()) {
    this.#values = values;
  }

  get empty(): boolean {
    return this.#values.size === 0;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The first value, or ''. */
  text(name: string): string {
    return this.#values.get(name)?.[0] ?? '';
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** Only `0` and `false` in any case are false; every other given value is true. */
  flag(name: string): boolean {
    return this.optionalFlag(name) ?? false;
  }

  optionalFlag(name: string): boolean | undefined {
    const values = this.#values.get(name);
    if (values === undefined) return undefined;
    const value = (values[0] ?? '').toLowerCase();
    return value !== '0' && value !== 'false';
  }

  /** A 64-bit integer; anything else is a bad request, with Go's message. */
  integer(name: string): number | undefined {
    const values = this.#values.get(name);
    if (values === undefined) return undefined;
    const value = values[0] ?? '';
    if (!/^[+-]?\d+$/.test(value))
      throw errors.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`);
    const number = int64Of(value);
    if (number === undefined) {
      throw errors.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: value out of range`);
    }
    return Number(number);
  }
}

/** The most digits of a 64-bit integer. */
const INT64_DIGITS = 19;

/** Of an optional sign and digits, however many; undefined if it does not fit into 64 bits. */
function int64Of(text: string): bigint | undefined {
  const digits = withoutLeadingZeros(text.replace(/^[+-]/, ''));
  if (digits.length > INT64_DIGITS) return undefined;
  const number = BigInt(text.startsWith('-') ? `-${digits}` : digits);
  return BigInt.asIntN(64, number) === number ? number : undefined;
}

/**
 * Parses the part after the `?`. As in Go, parameters with a semicolon or a malformed escape are ignored, and so are all
 * of a query with too many.
 */
export function parseQuery(text: string): Query {
  if (text === '') return new Query();
  const values = new Map<string, string[]>();
  const parts = text.split('&', limits.urlQueryParameters + 1);
  if (parts.length > limits.urlQueryParameters) return new Query();
  for (const part of parts) {
    if (part === '' || part.includes(';')) continue;
    const equals = part.indexOf('=');
    const name = queryDecoded(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? '' : queryDecoded(part.slice(equals + 1));
    if (name === undefined || value === undefined) continue;
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return new Query(values);
}
