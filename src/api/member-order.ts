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

/** Keys that objects enumerate before all others, by their numbers: array indexes. */
const INDEX = /^(?:0|[1-9]\d{0,9})$/;

/**
 * Whether the first key of an object is an array index: then the runtime decides on the order of its keys, and Go's
 * order, by their texts, must be made when they are written. No struct has such fields, so all its keys are sorted.
 */
export function startsWithIndex(names: readonly string[]): boolean {
  const [first] = names;
  return first !== undefined && INDEX.test(first);
}

/** Below this depth, which the runtime's stack may not have, an answer is not worked out. */
const CHECKED_DEPTH = 500;

/** Whether there are objects in a value whose keys the runtime enumerates in another order than Go. */
export function isDisordered(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth > CHECKED_DEPTH) return true;
  if (Array.isArray(value)) return value.some((item) => isDisordered(item, depth + 1));
  const names = Object.keys(value);
  if (startsWithIndex(names) && names.some((name, index) => index > 0 && name < (names[index - 1] as string))) {
    return true;
  }
  return names.some((name) => isDisordered(ownMember(value as Record<string, unknown>, name), depth + 1));
}
