// Paths of fields in errors and in types.

/** The path of a member of the object at `path`: `a.b`, or `b` at the root, whose path is empty. */
export function memberPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
