// Paths of the floats that a JSON patch wrote into its document. A number that a patch writes as a float is not an
// integer there, be it whole or not.

import type { Json } from '../api/object.ts';

/** The number at a path (`spec.replicas`) as it was written, where that is as a float. */
type FloatLiterals = (path: string) => string | undefined;

/**
 * @param patch the patch, parsed
 * @param floats those of the patch's own text
 * @returns those of the patched document, as far as operations set them themselves; moved and copied ones are integers
 */
export function patchedFloats(patch: Json, floats: FloatLiterals): FloatLiterals {
  const places = (Array.isArray(patch) ? patch : []).map(placeOf);
  return (path) => {
    // What a later operation sets hides what an earlier one did.
    const index = places.findLastIndex((place) => place !== undefined && isWithin(path, place));
    return index < 0 ? undefined : floats(`[${index}].value${path.slice((places[index] as string).length)}`);
  };
}

/** The path that an operation gives a value to; undefined for one that gives none. */
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
