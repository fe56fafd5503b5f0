// Lookup tables for keys from clients. An ordinary object has inherited properties such as `constructor`, `toString`
// and `__proto__`; these have none.

/**
 * A frozen object with the given members and no prototype.
 *
 * @example
 * const CODES = lookup<number>({ Forbidden: 403 }); CODES['constructor']; // undefined
 */
export function lookup<Value>(members: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.freeze(Object.assign(Object.create(null) as Record<string, Value>, members));
}
