// Paths in a response: names joined by dots, or a list of names if one contains a dot. In a list, `name=x` selects the
// item with that value, and `*` matches every item in the functions that support it.

export type Place = string | readonly string[];

type Members = Record<string, unknown>;

/** Returns the names of a path, outermost first. */
export function namesOf(place: Place): readonly string[] {
  return typeof place === 'string' ? place.split('.') : place;
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(value: unknown, names: readonly string[]): unknown {
  let at = value;
  for (const name of names) {
    if (at === undefined || at === null) return undefined;
    at = member(at, name);
  }
  return at;
}

function member(value: unknown, name: string): unknown {
  const equals = name.indexOf('=');
  if (!Array.isArray(value) || equals < 0) return (value as Members)[name];
  const inside = name.slice(0, equals).split('.');
  return value.find((item) => String(valueAt(item, inside)) === name.slice(equals + 1));
}

/** Sets the value at a path. Parents are created, even for undefined. */
export function putAt(target: Members, names: readonly string[], value: unknown): void {
  let at = target;
  for (const name of names.slice(0, -1)) at = (at[name] ??= {}) as Members;
  if (value !== undefined) at[names.at(-1)!] = value;
}

/** Copies the values at a path, which may contain `*`, from one value to another. */
export function keepAt(target: Members, source: Members, [name, ...rest]: readonly string[]): void {
  for (const each of name === '*' ? Object.keys(source) : [name!]) {
    const value = source[each];
    if (rest.length > 0 && typeof value === 'object' && value !== null) {
      keepAt((target[each] ??= Array.isArray(value) ? [] : {}) as Members, value as Members, rest);
    } else if (value !== undefined) {
      target[each] = value;
    }
  }
}

/**
 * Removes the values at a path, which may contain `*`. A list item becomes null, so that the indexes of others do not
 * change.
 */
export function removeAt(target: unknown, [name, ...rest]: readonly string[]): void {
  if (typeof target !== 'object' || target === null || name === undefined) return;
  const members = target as Members;
  if (name === '*') {
    for (const item of Object.values(members)) removeAt(item, rest);
  } else if (rest.length > 0) {
    removeAt(members[name], rest);
  } else if (!Array.isArray(target)) {
    delete members[name];
  } else if (name in target) {
    members[name] = null;
  }
}
