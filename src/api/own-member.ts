// Reading a member by a name that a client may have chosen. JSON objects inherit `constructor`, `toString`, `__proto__`
// and the like from Object.prototype; for clients these are ordinary names. scripts/own-members.ts requires this reader.

/**
 * The object's own member; undefined if absent. What objects inherit are functions and the prototype itself, neither of
 * which JSON contains: looking at the value is faster than asking whether the member is the object's own.
 */
export function ownMember<Value>(
  object: { readonly [name: string]: Value } | null | undefined,
  name: string,
): Value | undefined {
  const value = object?.[name] as unknown;
  return typeof value === 'function' || value === Object.prototype ? undefined : (value as Value | undefined);
}
