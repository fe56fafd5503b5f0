// Framing of forwarded request bodies: the headers that tell the receiver where a body ends. Without either of them Node
// sends the bodies of GET, DELETE and OPTIONS unframed, and the receiver reads the body as the next request on the connection,
// with whatever rights the connection has.

/**
 * The framing headers of a request; headers from elsewhere must not contain any.
 * @param hasBody whether a body is sent
 * @param length the body's Content-Length; undefined: the body is sent in chunks
 */
export function framing(hasBody: boolean, length: string | undefined): Readonly<Record<string, string>> {
  if (!hasBody) return length === '0' ? { 'content-length': '0' } : {};
  return length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': length };
}
