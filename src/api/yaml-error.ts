// The error of a text that is not YAML, or has no form in JSON.

/** A text that is not YAML, or has no form in JSON. */
export class YamlError extends Error {
  override name = 'YamlError';
}
