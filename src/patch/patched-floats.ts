// Paths of the floats that a JSON patch wrote into its document: a number written as a float is not an integer, even if
// integral.

import type { Json } from '../api/object.ts';

/** The literal of the number at a path (`spec.replicas`), if it is a float. */
type FloatLiterals = (path: string) => string | undefined;

/**
 * @param patch the decoded patch
 * @param floats of the patch's own text
 * @returns those of the patched document, as far as operations set them; moved and copied ones are integers
 */
export function patchedFloats(patch: Json, floats: FloatLiterals): FloatLiterals {
  const places = (Array.isArray(patch) ? patch : []).map(placeOf);
  return (path) => {
    // Later operations override earlier ones.
    const index = places.findLastIndex((place) => place !== undefined && isWithin(path, place));
    return index < 0 ? undefined : floats(`[${index}].value${path.slice((places[index] as string).length)}`);
  };
}

/** The path that an operation sets; undefined for other operations. */
function placeOf(operation: Json): string | undefined {
  if (typeof operation !== 'object' || operation === null || Array.isArray(operation)) return undefined;
  const { op, path } = operation;
  if ((op !== 'add' && op !== 'replace') || typeof path !== 'string') return undefined;
  const names = path.split('/').slice(1);
  return names
    .map((name) => name.replace(/~[01]/g, (code) => (code === '~1' ? '/' : '~')))
    .map((name, depth) => (/^\d+$/.test(name) ? `[${name}]` : depth === 0 ? name : `.${name}`))
    .join('');
}

function isWithin(path: string, place: string): boolean {
  const next = path[place.length];
  return path.startsWith(place) && (next === undefined || next === '.' || next === '[');
}
