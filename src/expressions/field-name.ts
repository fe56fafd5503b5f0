// Escaping of field names in expressions: names that are not identifiers, or are reserved words, are escaped
// (`__dot__`); names that cannot be escaped are inaccessible.

import { lookup } from '../base/lookup.ts';

const RESERVED: ReadonlySet<string> = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return var ' +
    'void while'
  ).split(' '),
);

const ESCAPES: Readonly<Record<string, string>> = lookup({
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
});

/** Whether a word is reserved; as a field it may be written plainly or escaped. */
export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

/** A field's name in expressions; undefined if inaccessible. */
export function escapeFieldName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  if (RESERVED.has(name)) return `__${name}__`;
  return name.replace(/__|[./-]/g, (found) => ESCAPES[found] as string);
}

const UNESCAPED: ReadonlyMap<string, string> = new Map(
  Object.entries(ESCAPES).map(([plain, escaped]) => [escaped, plain]),
);

/** The field name of a spelling in an expression; undefined for invalid escapes. */
export function unescapeFieldName(spelled: string): string | undefined {
  if (!spelled.includes('__')) return spelled;
  const word = /^__([a-z]+)__$/.exec(spelled)?.[1];
  if (word !== undefined && RESERVED.has(word)) return word;
  const plain = spelled.replace(/__(?:underscores|dot|dash|slash)__/g, (found) => UNESCAPED.get(found) as string);
  return spelled.replace(/__(?:underscores|dot|dash|slash)__/g, '').includes('__') ? undefined : plain;
}
