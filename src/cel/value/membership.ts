// Membership tests in time that is not proportional to the product of sizes.

import { surelyEqual } from './equality.ts';
import { type KeyForm, keyForm } from './map.ts';
import { Double, type ListValue, Uint, type Value } from './value.ts';

/** Values that were added, looked up by equality. */
export class Membership {
  /** Strings, booleans and numbers that equal exactly those of their own form. */
  readonly #simple = new Set<KeyForm>();
  readonly #others: Value[] = [];

  static of(list: ListValue): Membership {
    const membership = new Membership();
    for (let index = 0; index < list.size; index++) {
      membership.add(list.at(index));
    }
    return membership;
  }

  add(value: Value): void {
    if (isSimple(value)) {
      this.#simple.add(keyForm(value));
    } else {
      this.#others.push(value);
    }
  }

  has(value: Value): boolean {
    return isSimple(value) ? this.#simple.has(keyForm(value)) : this.#others.some((other) => surelyEqual(value, other));
  }
}

function isSimple(value: Value): boolean {
  if (value instanceof Uint) {
    return typeof value.value === 'number';
  }
  if (value instanceof Double) {
    return Math.abs(value.value) <= Number.MAX_SAFE_INTEGER;
  }
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number';
}
