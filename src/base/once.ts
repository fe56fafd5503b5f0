// Constants that are expensive to make, and made when they are first needed.

/** @param make is called at most once, and must depend on nothing that can change */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
