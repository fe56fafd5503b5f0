// Query parameters of a request, parsed by Go's rules for strings, numbers and booleans.

import { errors } from '../api/errors.ts';

/** Parameters by name, values in their original order. */
export class Query {
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
    const number = BigInt(value);
    if (BigInt.asIntN(64, number) !== number) {
      throw errors.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: value out of range`);
    }
    return Number(number);
  }
}

/** Parses the part after the `?`. As in Go, parameters with a semicolon or a malformed escape are ignored. */
export function parseQuery(text: string): Query {
  if (text === '') return new Query();
  const values = new Map<string, string[]>();
  for (const part of text.split('&')) {
    if (part === '' || part.includes(';')) continue;
    const equals = part.indexOf('=');
    const name = unescaped(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? '' : unescaped(part.slice(equals + 1));
    if (name === undefined || value === undefined) continue;
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return new Query(values);
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Undefined for a malformed escape. Invalid UTF-8 is replaced. */
function unescaped(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    if (/%(?![0-9A-Fa-f]{2})/.test(spaced)) return undefined;
    return spaced.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) =>
      UTF8.decode(Uint8Array.from(escapes.slice(1).split('%'), (byte) => Number.parseInt(byte, 16))),
    );
  }
}
