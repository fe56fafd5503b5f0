// Go's own texts of values without types, as messages of Kubernetes show them: `%v` and `%#v` of what was read from JSON,
// and the words of its JSON decoder for what a value is.

import { goFloatText } from './go-number.ts';
import type { Json, JsonObject } from './object.ts';

/** A value as Go's `%v` prints maps and lists without types. */
export function goText(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (typeof value !== 'object') return isFloat(value) ? goFloatText(value as number) : String(value);
  return `map[${sortedNames(value)
    .map((name) => `${name}:${goText(value[name] as Json)}`)
    .join(' ')}]`;
}

/** A value as Go's `%#v` prints it: with its types. */
export function goSyntax(value: Json): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value !== 'object') return String(value);
  const members = sortedNames(value).map((name) => `${JSON.stringify(name)}:${goSyntax(value[name] as Json)}`);
  return `map[string]interface {}{${members.join(', ')}}`;
}

/** Go's name of the type that a value read from JSON has. */
export function goTypeOf(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return isFloat(value) ? 'float64' : 'int64';
}

/** What Go's JSON decoder calls a value that it did not expect. */
export function jsonWord(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** What is a number and not whole, or past what an int64 holds. */
function isFloat(value: Json): boolean {
  return typeof value === 'number' && !Number.isSafeInteger(value);
}

function sortedNames(value: JsonObject): string[] {
  return Object.keys(value).sort();
}
