// Maps created by expressions, and the lookup of their keys.

import { Double, type Int, MapValue, Uint, type Value } from './value.ts';

/** The key of a value in a JavaScript Map, the same for 1, 1u and 1.0. */
export type KeyForm = string | boolean | Int | Value;

/** The form of a key; values that cannot be keys map to themselves and are never found. */
export function keyForm(key: Value): KeyForm {
  if (key instanceof Uint) return key.value;
  if (key instanceof Double) {
    const { value } = key;
    if (!Number.isInteger(value)) return Number.isNaN(value) ? key : value;
    return Number.isSafeInteger(value) ? value + 0 : BigInt(value);
  }
  return key;
}

/** Entries in insertion order. */
export class HashMap extends MapValue {
  readonly #entries = new Map<KeyForm, { readonly key: Value; readonly value: Value }>();

  /** The map of JavaScript's entries; of two with the same key the later one stays. */
  static of(entries: Iterable<readonly [Value, Value]>): HashMap {
    const map = new HashMap();
    for (const [key, value] of entries) map.set(key, value);
    return map;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Value): Value | undefined {
    return this.#entries.get(keyForm(key))?.value;
  }

  keys(): readonly Value[] {
    return Array.from(this.#entries.values(), (entry) => entry.key);
  }

  /** Only for the creator of the map, before it is shared. */
  set(key: Value, value: Value): void {
    this.#entries.set(keyForm(key), { key, value });
  }

  /** As `set`. */
  delete(key: Value): void {
    this.#entries.delete(keyForm(key));
  }
}
