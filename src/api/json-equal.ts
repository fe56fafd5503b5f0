// Equality of JSON values: members in any order, absent and undefined alike.

/** Whether two JSON values are the same. */
export function equalJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => equalJson(item, other[index]));
  }
  const left = one as Record<string, unknown>;
  const right = other as Record<string, unknown>;
  let members = 0;
  for (const key of Object.keys(left)) {
    if (left[key] === undefined) continue;
    members++;
    if (!Object.hasOwn(right, key) || !equalJson(left[key], right[key])) return false;
  }
  for (const key of Object.keys(right)) if (right[key] !== undefined) members--;
  return members === 0;
}
