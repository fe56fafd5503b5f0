// That what an operator wrote has no kind at all, in the words of Go's decoders.

import { jsonWord } from './go-text.ts';

/** That a file is a list or a bare value, which has no kind. */
export function notAnObject(value: unknown): string {
  const wanted =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonWord(value)} into Go value of type ${wanted}`;
}
