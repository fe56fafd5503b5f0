// The error of a text that is not YAML, or cannot be represented in JSON.

/** A text that is not YAML, or cannot be represented in JSON. */
export class YamlError extends Error {
  override name = 'YamlError';
}
