// The limits of messages to clients, as part of `limits`.

export const messageLimits = {
  /** Reported errors of strict decoding. Kubernetes' value. */
  strictErrors: 100,
  /** Characters of all Warning headers of a response before each is truncated to `warningCharacters`. Kubernetes' value. */
  warningsTotalCharacters: 4096,
  warningCharacters: 256,
  /** Lines of two texts whose difference a message tells: comparing them takes time by the square of their number. */
  diffedLines: 1_000,
};
