// Changes between two versions of an object: merge patches, which rebase an edit onto a newer version, and the paths
// that both sides changed.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Returns the merge patch (RFC 7386) from `from` to `to`; undefined if they are equal. */
export function mergePatch(from: Json | undefined, to: Json | undefined): Json | undefined {
  if (!isObject(from) || !isObject(to)) return isSame(from, to) ? undefined : (to ?? null);
  const patch: Record<string, Json> = {};
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const change = name in to ? mergePatch(from[name], to[name]) : null;
    if (change !== undefined) patch[name] = change;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** Returns a value with a merge patch applied. */
export function applyMergePatch(value: Json | undefined, patch: Json | undefined): Json | undefined {
  if (patch === undefined) return value;
  if (!isObject(patch)) return patch;
  const result: Record<string, Json> = isObject(value) ? { ...value } : {};
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) delete result[name];
    else result[name] = applyMergePatch(result[name], change) as Json;
  }
  return result;
}

/** Returns the paths that two patches both change, as `.spec.replicas`. */
export function overlaps(mine: Json | undefined, theirs: Json | undefined, path = ''): string[] {
  if (mine === undefined || theirs === undefined) return [];
  if (!isObject(mine) || !isObject(theirs)) return [path];
  return Object.keys(mine).flatMap((name) =>
    name in theirs ? overlaps(mine[name], theirs[name], `${path}.${name}`) : [],
  );
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
