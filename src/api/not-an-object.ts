// That what somebody wrote has no kind that could be read, in the words of Go's decoders.

import { jsonWord } from './go-text.ts';
import type { JsonObject } from './object.ts';

/** That a file is a list or a bare value, which has no kind. */
export function notAnObject(value: unknown): string {
  const wanted =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonWord(value)} into Go value of type ${wanted}`;
}

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
