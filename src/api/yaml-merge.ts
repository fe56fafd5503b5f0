// YAML merge keys: `<<` adds the members of other mappings.

import type { Json } from './object.ts';
import { YamlError } from './yaml-error.ts';

/**
 * `<<: {…}` or `<<: [{…}, {…}]`: members of the sources, from the first that has one.
 * @returns the number of members read
 * @throws YamlError for sources that are not mappings
 */
export function merge(members: Map<string, Json>, source: Json): number {
  let merged = 0;
  if (Array.isArray(source)) {
    for (const each of source.toReversed()) {
      if (Array.isArray(each)) throw new YamlError(NO_MAP);
      merged += merge(members, each);
    }
    return merged;
  }
  if (typeof source !== 'object' || source === null) throw new YamlError(NO_MAP);
  for (const key in source) {
    members.set(key, source[key] as Json);
    merged++;
  }
  return merged;
}

const NO_MAP = 'yaml: map merge requires map or sequence of maps as the value';
