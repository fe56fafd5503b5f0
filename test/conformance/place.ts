// Places in an answer: names joined by dots, or a list of names where one holds a dot. In a list `name=x` finds the item
// with that value, and `*` stands for every item where the functions below say so.

export type Place = string | readonly string[];

type Members = Record<string, unknown>;

/** The names of a place, outermost first. */
export function namesOf(place: Place): readonly string[] {
  return typeof place === 'string' ? place.split('.') : place;
}

/** The value at a place; undefined where there is none. */
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

/** Puts a value at a place. What is above the place is made, even for a value that is undefined. */
export function putAt(target: Members, names: readonly string[], value: unknown): void {
  let at = target;
  for (const name of names.slice(0, -1)) at = (at[name] ??= {}) as Members;
  if (value !== undefined) at[names.at(-1)!] = value;
}

/** Copies what is at a place, `*` included, from one value to another. */
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

/** Takes away what is at a place, `*` included. An item of a list becomes null, so that the others keep their places. */
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
