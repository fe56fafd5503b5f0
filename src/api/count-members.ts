// Number of members of all objects in a value: fewer than in its text if some are duplicates.

import type { Json } from './object.ts';

/** Iterative, because values may be deeply nested. */
export function countMembers(value: Json): number {
  let members = 0;
  let level: unknown[] = [value];
  while (level.length > 0) {
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      const inner: unknown[] = Object.values(each);
      if (!Array.isArray(each)) members += inner.length;
      for (const value of inner) next.push(value);
    }
    level = next;
  }
  return members;
}
