// Encoder for annotations, the last field of an event. Most requests have the same few annotations as the previous one,
// so the last results are cached.

import { quoteJson } from '../api/json-writer.ts';

type Annotations = ReadonlyMap<string, string>;

/** Empty without annotations. */
export function annotationsMember(annotations: Annotations | undefined): string {
  if (annotations === undefined || annotations.size === 0) return '';
  const keys = [...annotations.keys()].sort();
  const members = keys.map((key) => `${quoteJson(key)}:${quoteJson(annotations.get(key)!)}`);
  return `,"annotations":{${members.join(',')}}`;
}

/** `annotationsMember` with a cache of the last result. */
export class LastAnnotations {
  #annotations: Annotations = new Map();
  #member = '';

  member(annotations: Annotations | undefined): string {
    if (annotations === undefined || annotations.size === 0) return '';
    if (!isSame(annotations, this.#annotations)) {
      this.#annotations = new Map(annotations);
      this.#member = annotationsMember(annotations);
    }
    return this.#member;
  }
}

function isSame(one: Annotations, other: Annotations): boolean {
  if (one.size !== other.size) return false;
  // No value is undefined, so a missing key is detected too.
  for (const [key, value] of one) if (other.get(key) !== value) return false;
  return true;
}
