// Fields that were one value once and are a list now: the old field always shows the list's first item. From the
// Kubernetes conventions for making a singular field plural.

import type { Json, JsonObject } from '../../../api/object.ts';
import { listAt, textAt } from '../../value.ts';

export interface Twins {
  readonly one: string;
  readonly all: string;
  /** How an item of the list is made of the single value, and where it stands in the item. */
  readonly item: (text: string) => Json;
  readonly text: (item: Json | undefined) => string;
}

/** Brings the two in line: where they differ the single value counts, for it is the one that old clients write. */
export function settleTwins(object: JsonObject, { one, all, item, text }: Twins): void {
  const single = textAt(object, one);
  const first = text(listAt(object, all)[0]);
  if (single === first) return;
  if (single === '') object[one] = first;
  else object[all] = [item(single)];
}

export const POD_ADDRESSES: Twins = {
  one: 'podIP',
  all: 'podIPs',
  item: (ip) => ({ ip }),
  text: (item) => textAt(item, 'ip'),
};

export const POD_RANGES: Twins = {
  one: 'podCIDR',
  all: 'podCIDRs',
  item: (range) => range,
  text: (item) => textAt(item),
};
