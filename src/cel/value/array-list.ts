// A list backed by an array.

import { ListValue, type Value } from './value.ts';

/** The items of an array, which must not change afterwards. */
export class ArrayList extends ListValue {
  readonly size: number;
  readonly items: readonly Value[];

  constructor(items: readonly Value[]) {
    super();
    this.items = items;
    this.size = items.length;
  }

  at(index: number): Value {
    return this.items[index]!;
  }
}
