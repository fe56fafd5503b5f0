// Amounts by resource name, as in quotas and pods: parsing, arithmetic, formatting.

import { isObject } from '../../api/is-object.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { addQuantities, compareQuantities, formatQuantity, parseQuantity, type Quantity } from '../../api/quantity.ts';
import { at } from '../../resources/value.ts';

export type Amounts = Map<string, Quantity>;

export const ONE: Quantity = Object.freeze({ mantissa: 1n, exponent: 0, format: 'DecimalSI' });

/** The amounts at a path; empty if absent. Validated, so every one is a quantity. */
export function amountsAt(value: Json | undefined, ...path: string[]): Amounts {
  const found = at(value, ...path);
  const amounts: Amounts = new Map();
  if (!isObject(found)) return amounts;
  for (const [name, amount] of Object.entries(found)) amounts.set(name, parseQuantity(String(amount)));
  return amounts;
}

/** Adds `more` to `sum`, in place. */
export function addAmounts(sum: Amounts, more: Amounts): Amounts {
  for (const [name, amount] of more) {
    const standing = sum.get(name);
    sum.set(name, standing === undefined ? amount : addQuantities(standing, amount));
  }
  return sum;
}

/** Raises amounts below those of `least`, in place. */
export function raiseAmounts(amounts: Amounts, least: Amounts): Amounts {
  for (const [name, amount] of least) {
    const standing = amounts.get(name);
    if (standing === undefined || compareQuantities(amount, standing) > 0) amounts.set(name, amount);
  }
  return amounts;
}

export function negated(amounts: Amounts): Amounts {
  const out: Amounts = new Map();
  for (const [name, { mantissa, exponent, format }] of amounts) {
    out.set(name, { mantissa: -mantissa, exponent, format });
  }
  return out;
}

/** As in the status of a quota. */
export function amountsObject(amounts: Amounts): JsonObject {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, formatQuantity(amount)]));
}

/** `cpu=1,pods=2`: those of the names that are present, in the order of `names`. */
export function amountsText(amounts: Amounts, names: readonly string[]): string {
  return names
    .flatMap((name) => {
      const amount = amounts.get(name);
      return amount === undefined ? [] : [`${name}=${formatQuantity(amount)}`];
    })
    .join(',');
}
