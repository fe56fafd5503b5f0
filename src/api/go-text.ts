// Go's formatting of untyped values, for Kubernetes' messages: `%v` and `%#v` of decoded JSON, and the names of types
// in errors of its JSON decoder.

import { goFloatText } from './go-number.ts';
import { isNumber } from './is-object.ts';
import type { Json, JsonObject } from './object.ts';
import { ownMember } from './own-member.ts';

/** A value formatted with Go's `%v`. */
export function goText(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (typeof value !== 'object') return isFloat(value) ? goFloatText(value as number) : String(value);
  return `map[${sortedNames(value)
    .map((name) => `${name}:${goText(ownMember(value, name) as Json)}`)
    .join(' ')}]`;
}

/** A value formatted with Go's `%#v`, which includes types. */
export function goSyntax(value: Json): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value !== 'object') return String(value);
  const members = sortedNames(value).map(
    (name) => `${JSON.stringify(name)}:${goSyntax(ownMember(value, name) as Json)}`,
  );
  return `map[string]interface {}{${members.join(', ')}}`;
}

/** Go's name for the type of a decoded JSON value. */
export function goTypeOf(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return isFloat(value) ? 'float64' : 'int64';
}

/** The name of an unexpected value in errors of Go's JSON decoder. */
export function jsonWord(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isNumber(value)) return 'number';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** A number that is not integral, or exceeds an int64. */
function isFloat(value: Json): boolean {
  return typeof value === 'number' && !Number.isSafeInteger(value);
}

function sortedNames(value: JsonObject): string[] {
  return Object.keys(value).sort();
}
