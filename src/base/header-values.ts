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

/** Up to so many fields are searched one by one: an index costs more than it saves. */
const SEARCHED_FIELDS = 16;

/** All values of the fields of a request by name; many names of one request take time in proportion to its fields. */
export class SeparateValues {
  readonly #fields: readonly HeaderField[];
  #index: Map<string, string[]> | undefined;

  constructor(fields: readonly HeaderField[]) {
    this.#fields = fields;
  }

  /** In their original order. @param name in lower case */
  of(name: string): readonly string[] {
    const fields = this.#fields;
    if (fields.length <= SEARCHED_FIELDS) {
      return fields.filter((field) => field.name === name).map(({ value }) => value);
    }
    this.#index ??= indexed(fields);
    return this.#index.get(name) ?? [];
  }
}

function indexed(fields: readonly HeaderField[]): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const { name, value } of fields) {
    const values = index.get(name);
    if (values === undefined) index.set(name, [value]);
    else values.push(value);
  }
  return index;
}
