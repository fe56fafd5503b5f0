// Errors for documents without a readable kind, in the words of Go's decoders.

import { jsonWord } from './go-text.ts';
import { canonicalApiVersion } from './group-version.ts';
import type { JsonObject } from './object.ts';

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
  for (const name in object) {
    const member = typeMember(name);
    const given = object[name] ?? null;
    if (member === undefined || given === null || typeof given === 'string') continue;
    const why = `json: cannot unmarshal ${jsonWord(given)} into Go struct field .${member} of type string`;
    return `couldn't get version/kind; json parse error: ${why}`;
  }
  return undefined;
}

/** The kind and apiVersion that identify an object's type, '' if absent. The last of several members counts. */
export function typeMetaOf(object: JsonObject): { readonly kind: string; readonly apiVersion: string } {
  const found = { kind: '', apiVersion: '' };
  for (const name in object) {
    const member = typeMember(name);
    if (member === undefined) continue;
    const given = object[name];
    if (typeof given === 'string') found[member] = given;
  }
  return { kind: found.kind, apiVersion: canonicalApiVersion(found.apiVersion) };
}

/** Which of the two members a name means: Go matches names in any case. */
function typeMember(name: string): 'kind' | 'apiVersion' | undefined {
  if (name === 'kind' || name === 'apiVersion') return name;
  if (name.length !== 'kind'.length && name.length !== 'apiVersion'.length) return undefined;
  const lower = name.toLowerCase();
  if (lower === 'kind') return 'kind';
  return lower === 'apiversion' ? 'apiVersion' : undefined;
}
