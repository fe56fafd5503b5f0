// The header fields of a request as handlers read them: the first value of each, because Go's servers look at no other,
// and all values of the few that are lists.

interface HeaderField {
  /** In lower case. */
  readonly name: string;
  readonly value: string;
}

/** An object without inherited properties that is as fast to read as any. */
class Headers {
  [name: string]: string;
  static {
    Reflect.deleteProperty(Headers.prototype, 'constructor');
    Object.setPrototypeOf(Headers.prototype, null);
  }
}

/** Fields of which every value counts. */
const LISTS = new Set(['connection', 'sec-websocket-protocol', 'x-forwarded-for', 'x-stream-protocol-version']);

/** By lower-case name. */
export function headerValues(fields: readonly HeaderField[]): Record<string, string> {
  const headers = new Headers();
  for (const { name, value } of fields) {
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else if (name === 'cookie') headers[name] = `${before}; ${value}`;
    else if (LISTS.has(name)) headers[name] = `${before}, ${value}`;
  }
  return headers;
}
