// Where a rule says its failure belongs: a path to a member below the place of the rule, checked against the schema and
// brought into the form that field errors have.

import type { SchemaPart } from './schema-part.ts';

const ESCAPED: Readonly<Record<string, string>> = Object.freeze({
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
});

/** A step: `.name` or `['name']`. Names end at dots and brackets, texts at a quote without a backslash before it. */
const STEP = /\.([^.[\]']+|'(?:[^']|(?<=\\)')*')|\['((?:[^']|(?<=\\)')*)'\]/gy;

/** `.spec['a.b']` as `spec.a.b` of the schema; undefined where the schema has no such member. */
export function ruleFieldPath(path: string, part: SchemaPart): string | undefined {
  let place: SchemaPart | undefined = part;
  let text = '';
  let end = 0;
  for (const match of path.matchAll(STEP)) {
    const name = match[1] ?? unescapeText(match[2] ?? '');
    if (name === undefined || place === undefined) return undefined;
    const declared: boolean = place.properties.size > 0;
    if (declared) text += text === '' ? name : `.${name}`;
    else text += `[${name}]`;
    place = declared ? place.properties.get(name) : typeof place.additional === 'object' ? place.additional : undefined;
    if (place === undefined) return undefined;
    end = match.index + match[0].length;
  }
  return end === path.length ? text : undefined;
}

function unescapeText(text: string): string | undefined {
  let isLawful = true;
  const plain = text.replace(/\\(.)/g, (_, character: string) => {
    const found = ESCAPED[character];
    isLawful &&= found !== undefined;
    return found ?? '';
  });
  return isLawful ? plain : undefined;
}
