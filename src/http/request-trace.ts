// The trace of a request as the HTTP layer sees it: calls at the points at which a span begins or ends. Implemented where
// tracing is wired.

/** The trace of one request. */
export interface RequestTrace {
  /** The body has been decoded. */
  decoded(): void;
  /** An object is about to be encoded as the response. @param contentType with parameters, if any */
  serializes(contentType: string): void;
  /** A watch that begins with a list has sent it. @param contentType with parameters, if any */
  listed(contentType: string): void;
  /** Ends the spans of the request. */
  over(): void;
}
