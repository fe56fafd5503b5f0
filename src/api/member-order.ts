// The order of members that Go gives to what it has held as a map: by name, at every depth. Clients see it in the order
// in which faults are told.

import type { Json } from './object.ts';

/** The same value, the members of its objects by name. */
export function withSortedMembers(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withSortedMembers);
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, withSortedMembers(value[name] as Json)]));
}
