// Functions of jq that order or group the items of an array by a key.

import type { Json } from '../../../api/object.ts';
import { lookup } from '../../../base/lookup.ts';
import type { Budget } from '../budget.ts';
import { compare } from './values.ts';

interface Keyed {
  readonly item: Json;
  readonly key: Json;
}

/** By name and number of arguments. */
export const KEYED_FUNCTIONS: Readonly<Record<string, (items: readonly Keyed[], budget: Budget) => Json>> = lookup({
  'sort_by/1': (items, budget) => inOrder(items, budget).map(({ item }) => item),
  'group_by/1': (items, budget) => groups(items, budget).map((group) => group.map(({ item }) => item)),
  'unique_by/1': (items, budget) => groups(items, budget).map(([first]) => first!.item),
  'min_by/1': (items, budget) => inOrder(items, budget)[0]?.item ?? null,
  'max_by/1': (items, budget) => inOrder(items, budget).at(-1)?.item ?? null,
});

function inOrder(items: readonly Keyed[], budget: Budget): Keyed[] {
  return items.toSorted((one, other) => compare(one.key, other.key, budget));
}

function groups(items: readonly Keyed[], budget: Budget): Keyed[][] {
  const found: Keyed[][] = [];
  for (const each of inOrder(items, budget)) {
    const last = found.at(-1);
    if (last !== undefined && compare(last[0]!.key, each.key, budget) === 0) last.push(each);
    else found.push([each]);
  }
  return found;
}
