// Errors for documents without a readable kind, in the words of Go's decoders.

import { jsonWord } from './go-text.ts';
import { canonicalApiVersion } from './group-version.ts';
import type { Json, JsonObject } from './object.ts';

/** The error for a file that is a list or a scalar, which has no kind. */
export function notAnObject(value: unknown): string {
  const wanted =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonWord(value)} into Go value of type ${wanted}`;
}

/**
 * Kubernetes' error for an object whose kind or apiVersion is not a string; undefined if both are strings or absent.
 */
export function unreadableTypeMeta(object: JsonObject): string | undefined {
  for (const [name, given] of typeMembers(object)) {
    if (typeof given === 'string') continue;
    const why = `json: cannot unmarshal ${jsonWord(given)} into Go struct field .${name} of type string`;
    return `couldn't get version/kind; json parse error: ${why}`;
  }
  return undefined;
}

/** The kind and apiVersion that identify an object's type, '' if absent. */
export function typeMetaOf(object: JsonObject): { readonly kind: string; readonly apiVersion: string } {
  const found = { kind: '', apiVersion: '' };
  for (const [name, given] of typeMembers(object)) if (typeof given === 'string') found[name] = given;
  return { kind: found.kind, apiVersion: canonicalApiVersion(found.apiVersion) };
}

/** The two members in the order of the document; Go matches their names in any case. */
function* typeMembers(object: JsonObject): Generator<['kind' | 'apiVersion', Json]> {
  for (const name in object) {
    const { length } = name;
    if (length !== 'kind'.length && length !== 'apiVersion'.length) continue;
    const lower = name.toLowerCase();
    const given = object[name] ?? null;
    if (given === null) continue;
    if (lower === 'kind') yield ['kind', given];
    else if (lower === 'apiversion') yield ['apiVersion', given];
  }
}
