// The fieldPath of a validation rule: a path below the rule's place, checked against the schema and converted to the
// form of field errors.

import { GO_ESCAPES } from '../../base/go-escapes.ts';
import { lookup } from '../../base/lookup.ts';
import type { SchemaPart } from './schema-part.ts';

const ESCAPED: Readonly<Record<string, string>> = lookup({ ...GO_ESCAPES, "'": "'" });

interface Step {
  /** As written. */
  readonly name: string;
  readonly isQuoted: boolean;
  readonly end: number;
}

/** A step: `.name` or `['name']`. Names end at dots and brackets, quoted strings at an unescaped quote. */
function stepAt(path: string, start: number): Step | undefined {
  const isQuoted = path.startsWith("['", start);
  if (!isQuoted && path[start] !== '.') return undefined;
  if (!isQuoted && path[start + 1] !== "'") {
    let end = start + 1;
    while (end < path.length && !".[]'".includes(path[end] as string)) end++;
    return end === start + 1 ? undefined : { name: path.slice(start + 1, end), isQuoted, end };
  }
  let end = start + 2;
  while (end < path.length && (path[end] !== "'" || path[end - 1] === '\\')) end++;
  if (!path.startsWith(isQuoted ? "']" : "'", end)) return undefined;
  return isQuoted
    ? { name: path.slice(start + 2, end), isQuoted, end: end + 2 }
    : { name: path.slice(start + 1, end + 1), isQuoted, end: end + 1 };
}

/** `.spec['a.b']` as `spec.a.b` of the schema; undefined if the schema has no such field. */
export function ruleFieldPath(path: string, part: SchemaPart): string | undefined {
  let place: SchemaPart | undefined = part;
  let text = '';
  let end = 0;
  for (let step = stepAt(path, end); step !== undefined; step = stepAt(path, end)) {
    const name = step.isQuoted ? unescapeText(step.name) : step.name;
    if (name === undefined || place === undefined) return undefined;
    const declared: boolean = place.properties.size > 0;
    if (declared) text += text === '' ? name : `.${name}`;
    else text += `[${name}]`;
    place = declared ? place.properties.get(name) : typeof place.additional === 'object' ? place.additional : undefined;
    if (place === undefined) return undefined;
    end = step.end;
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
