// Annotations as the last member of an event. Most requests have the same few as the one before, so that the text of
// the last ones is kept.

import { quoteJson } from '../api/json-writer.ts';

type Annotations = ReadonlyMap<string, string>;

/** Nothing where there are no annotations. */
export function annotationsMember(annotations: Annotations | undefined): string {
  if (annotations === undefined || annotations.size === 0) return '';
  const keys = [...annotations.keys()].sort();
  const members = keys.map((key) => `${quoteJson(key)}:${quoteJson(annotations.get(key)!)}`);
  return `,"annotations":{${members.join(',')}}`;
}

/** `annotationsMember` with a memory of what it was asked last. */
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
  // No value is undefined, so that a key that is missing is seen as well.
  for (const [key, value] of one) if (other.get(key) !== value) return false;
  return true;
}
