// Concatenation of two lists.

import { ListValue, type Value } from './value.ts';

/** Two lists one after the other, neither of them copied. */
class JoinedList extends ListValue {
  readonly size: number;
  readonly #left: ListValue;
  readonly #right: ListValue;

  constructor(left: ListValue, right: ListValue) {
    super();
    this.#left = left;
    this.#right = right;
    this.size = left.size + right.size;
  }

  at(index: number): Value {
    let list: ListValue = this;
    let rest = index;
    while (list instanceof JoinedList) {
      if (rest < list.#left.size) {
        list = list.#left;
      } else {
        rest -= list.#left.size;
        list = list.#right;
      }
    }
    return list.at(rest);
  }
}

/** `left + right`: as the left one's type does it, or else one after the other. */
export function concatenate(left: ListValue, right: ListValue): ListValue {
  if (left.concat !== undefined) return left.concat(right);
  if (left.size === 0) return right;
  if (right.size === 0) return left;
  return new JoinedList(left, right);
}
