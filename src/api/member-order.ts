// Go's order of map keys: sorted at every level. Clients see it in the order of errors.

import type { Json } from './object.ts';
import { ownMember } from './own-member.ts';

/** The same value with the members of its objects sorted. */
export function withSortedMembers(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withSortedMembers);
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, withSortedMembers(ownMember(value, name) as Json)]));
}
