// Rounding of resource lists (`requests`, `limits`, `capacity`, `hard` …) to thousandths.

import { isObject } from '../api/is-object.ts';
import type { Json } from '../api/object.ts';
import { formatQuantity, parseQuantity, roundUpQuantity } from '../api/quantity.ts';

const THOUSANDTHS = -3;

/** Rounds the amounts of a resource list up to thousandths. Modifies its argument, which may be absent. */
export function roundResourceList(list: Json | undefined): void {
  if (!isObject(list)) return;
  for (const name in list) {
    const text = list[name];
    if (typeof text !== 'string' || !mayBeFiner(text)) continue;
    const quantity = parseQuantity(text);
    const rounded = roundUpQuantity(quantity, THOUSANDTHS);
    if (rounded !== quantity) list[name] = formatQuantity(rounded);
  }
}

/** Amounts finer than thousandths end in n or u, or have a negative exponent or a fraction. */
function mayBeFiner(text: string): boolean {
  return /[nu]$|[eE]-|\./.test(text);
}
