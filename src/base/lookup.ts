// Tables that are looked up by texts of clients. An ordinary object answers `constructor`, `toString` and `__proto__`
// with what every object inherits; these answer with nothing.

/**
 * A frozen object that has the members given and inherits none.
 *
 * @example
 * const CODES = lookup<number>({ Forbidden: 403 });
 * CODES['constructor']; // undefined
 */
export function lookup<Value>(members: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.freeze(Object.assign(Object.create(null) as Record<string, Value>, members));
}
