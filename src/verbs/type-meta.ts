// Kind and apiVersion of what clients send, which may be anything.

import { jsonWord } from '../api/go-text.ts';
import type { Json, JsonObject } from '../api/object.ts';

/** What Kubernetes says of an object whose kind or apiVersion is no text; undefined where both are, or are not there. */
export function unreadableTypeMeta(object: JsonObject): string | undefined {
  for (const name of ['apiVersion', 'kind']) {
    const given = object[name] ?? '';
    if (typeof given === 'string') continue;
    const why = `json: cannot unmarshal ${jsonWord(given)} into Go struct field .${name} of type string`;
    return `couldn't get version/kind; json parse error: ${why}`;
  }
  return undefined;
}

/** The type in which Kubernetes looks for them, as its messages print it. */
const TYPE_META = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

/** What Kubernetes says where it looks for kind and apiVersion in what is not an object. */
export function typeMetaFault(value: Json): string {
  const why = `json: cannot unmarshal ${jsonWord(value)} into Go value of type ${TYPE_META}`;
  return `couldn't get version/kind; json parse error: ${why}`;
}

/** The same of a custom resource that does not say its kind. @param text gives the object as messages quote it */
export function missingKind(object: JsonObject | null, text: () => string): string | undefined {
  return (object?.['kind'] ?? '') === '' ? `Object 'Kind' is missing in '${text()}'` : undefined;
}

/** The same of a custom resource whose apiVersion is there and null. */
export function nullVersion({ apiVersion }: JsonObject): string | undefined {
  return apiVersion === null ? '.apiVersion accessor error: <nil> is of the type <nil>, expected string' : undefined;
}
