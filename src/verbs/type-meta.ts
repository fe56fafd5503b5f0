// Kind and apiVersion of an object that a patch has made, which may be anything.

import { jsonWord } from '../api/go-text.ts';
import type { JsonObject } from '../api/object.ts';

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
