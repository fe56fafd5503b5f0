// Go dumps of values in messages: structs in Go's own form. They cannot be reproduced, so both sides' messages are compared
// without them. Releases before 1.34 print every value like that which is not a number or
// a text; of these only the value is left out, and the text after it is compared.

const invalid = /(Invalid value|Unsupported value|Duplicate value|Too many|Not found): (?=[{[])/g;
const goValue =
  /(\(\*?[a-z0-9]+\.\w+\)|(?<=is not a list )\(\w+\)|\b(?:v1|core|v1beta1|apps|batch|field|map\[string\]\w*)\.?\w*\{)/;
/** Names of errors that quote a value, and before 1.34 a value of a type that has a name. */
const heads = /(?:Invalid value|Unsupported value|Duplicate value|Too many|Not found): /g;
const namedValue = new RegExp(`${heads.source}(?:\\[\\]|map\\[[\\w.]+\\])*\\*?[a-z]\\w*\\.[A-Z]\\w*[{(]`);
/** The difference of two structs, as releases before 1.34 show it. */
const structDifference = /\n\s+(?:&|\[\])?[a-z]\w*\.[A-Z]\w*\{.*$/s;
const lineDifference = /\n@@ -\d.*$/s;

/** Returns both values; if the first one's text contains a dump, both without it. */
export function withoutDumps<T>(expected: T, actual: T): [T, T] {
  if (typeof expected === 'string' && typeof actual === 'string') {
    if (expected === actual) return [expected, actual];
    if (namedValue.test(expected)) return [withoutValues(expected) as T, withoutValues(actual) as T];
    if (structDifference.test(expected)) {
      return [expected.replace(structDifference, '') as T, actual.replace(lineDifference, '') as T];
    }
    if (!holdsDump(expected)) return [expected, actual];
    return [stripped(expected) as T, stripped(actual) as T];
  }
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null) {
    return [expected, actual];
  }
  if (Array.isArray(expected) !== Array.isArray(actual)) return [expected, actual];
  if (quotesNamedValues(expected) && causesOf(actual) !== undefined) {
    // The message repeats the causes, which are compared one by one.
    return withoutDumps({ ...expected, message: '' }, { ...actual, message: '' });
  }
  const [one, other] = [expected as Members, actual as Members];
  const left: Members = (Array.isArray(expected) ? [] : {}) as Members;
  const right: Members = (Array.isArray(expected) ? [] : {}) as Members;
  for (const key of Object.keys(one)) left[key] = one[key];
  for (const key of Object.keys(other)) right[key] = other[key];
  for (const key of Object.keys(one)) {
    if (Object.hasOwn(other, key)) [left[key], right[key]] = withoutDumps(one[key], other[key]);
  }
  return [left as T, right as T];
}

type Members = Record<string, unknown>;

function causesOf(body: object): readonly { readonly message?: unknown }[] | undefined {
  const { message, details } = body as { message?: string; details?: { causes?: { message?: unknown }[] } };
  return message === '' || !Array.isArray(details?.causes) ? undefined : details.causes;
}

function quotesNamedValues(body: object): boolean {
  return causesOf(body)?.some(({ message }) => isUnwritable(String(message))) === true;
}

function isUnwritable(text: string): boolean {
  return namedValue.test(text) || structDifference.test(text);
}

/** All values are replaced, so that those of the other side need not be found by their form. */
function withoutValues(text: string): string {
  let out = '';
  let from = 0;
  for (const { 0: head, index } of text.matchAll(heads)) {
    if (index < from) continue;
    out += `${text.slice(from, index + head.length)}<dump>`;
    from = endOfAnyValue(text, index + head.length);
  }
  return out + text.slice(from);
}

/** Returns where a value in Go's or JSON's syntax ends: outside of brackets and quotes before a separator. */
function endOfAnyValue(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at]!;
    if (char === '\\' && quoted) at++;
    else if (char === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (depth === 0 && ':, '.includes(char)) return at;
    else if ('{[('.includes(char)) depth++;
    else if ('}])'.includes(char) && depth-- === 0) return at;
  }
  return text.length;
}

function holdsDump(text: string): boolean {
  return goValue.test(text) || /0x[0-9a-f]{6,}/.test(text);
}

function stripped(text: string): string {
  let out = '';
  let from = 0;
  invalid.lastIndex = 0;
  for (let found = invalid.exec(text); found !== null; found = invalid.exec(text)) {
    const start = found.index + found[0].length;
    out += `${text.slice(from, start)}<dump>`;
    from = endOfValue(text, start);
    invalid.lastIndex = from;
  }
  return (
    (out + text.slice(from))
      .replace(/0x[0-9a-f]{6,}/g, '<address>')
      // The same for diffs of two such values, line by line.
      .replace(/\n@@ -\d[^@]*@@\n(?:[ +@-].*\n)*/g, '')
      .replace(new RegExp(`${goValue.source}.*`, 's'), '<dump>')
  );
}

/** Returns where a JSON value that starts at a bracket ends. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (quoted) {
      if (char === '\\') at++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}
