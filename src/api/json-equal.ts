// Equality of JSON values: regardless of member order; absent and undefined are equal.

/** Whether two JSON values are equal. */
export function equalJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    for (let index = 0; index < one.length; index++) if (!equalJson(one[index], other[index])) return false;
    return true;
  }
  const left = one as Record<string, unknown>;
  const right = other as Record<string, unknown>;
  let members = 0;
  for (const key in left) {
    const value = left[key];
    if (value === undefined) continue;
    members++;
    const against = right[key];
    if (value === against) continue;
    // The only inherited property that could be mistaken for JSON.
    if (key === '__proto__' && !Object.hasOwn(right, key)) return false;
    if (!equalJson(value, against)) return false;
  }
  let others = 0;
  for (const _ in right) others++;
  return others === members || definedMembers(right) === members;
}

function definedMembers(object: Readonly<Record<string, unknown>>): number {
  let members = 0;
  for (const key in object) if (object[key] !== undefined) members++;
  return members;
}
