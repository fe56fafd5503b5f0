// That what an operator wrote has no kind at all, in the words of Go's decoders.

/** That a file is a list or a bare value, which has no kind. */
export function notAnObject(value: unknown): string {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  const wanted =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go value of type ${wanted}`;
}
