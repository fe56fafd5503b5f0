// JSON as encoded by Go, byte for byte: fields of a declared type in declaration order, map keys sorted, `<`, `>` and
// `&` escaped, a trailing line feed. For bytes that other programs compare.

import { stringifyJson } from '../api/json-writer.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { lookup } from '../base/lookup.ts';
import { compareKeys } from '../base/sorted-map.ts';
import type { Node, StructNode } from './node.ts';
import { compactJson, opaqueText } from './opaque-text.ts';

/** An object of a declared type. Unknown members come last, sorted. */
export function goJson(node: StructNode, value: JsonObject): string {
  return `${escaped(structText(node, value))}\n`;
}

/** An untyped object: all names are sorted. */
export function sortedGoJson(value: JsonObject): string {
  return `${escaped(sortedText(value))}\n`;
}

const ESCAPES: Readonly<Record<string, string>> = lookup({
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
});

/** JSON text as embedded by Go: only strings contain escapes. */
export function escaped(text: string): string {
  return text.replace(/[<>&\u2028\u2029]/g, (character) => ESCAPES[character] as string);
}

function textOf(node: Node, value: Json): string {
  if (typeof value !== 'object' || value === null) return stringifyJson(value);
  if (node.kind === 'struct' && node.form !== undefined) return formText(node, value);
  if (Array.isArray(value)) {
    return node.kind === 'list' ? `[${value.map((item) => textOf(node.items, item)).join()}]` : stringifyJson(value);
  }
  if (node.kind === 'struct') return structText(node, value);
  // Opaque JSON keeps its order.
  if (node.kind === 'raw') return compactJson(opaqueText(value));
  if (node.kind === 'fields' || node.kind === 'json') return stringifyJson(value);
  if (node.kind === 'map')
    return membersText(sortedKeys(value).map((key) => [key, textOf(node.values, ownMember(value, key) as Json)]));
  return sortedText(value);
}

/** A value whose JSON form is one of the fields of its type. */
function formText(node: StructNode, value: Json[] | JsonObject): string {
  const kind = Array.isArray(value) ? 'list' : 'struct';
  const member = node.fields.find((field) => field.node.kind === kind);
  return member === undefined ? stringifyJson(value) : textOf(member.node, value);
}

function structText(node: StructNode, value: JsonObject): string {
  const members: [string, string][] = [];
  for (const [name, field] of node.jsonFields) {
    const member = ownMember(value, name);
    if (member !== undefined) members.push([name, textOf(field.node, member)]);
  }
  for (const key of sortedKeys(value)) {
    if (!node.jsonFields.has(key)) members.push([key, sortedText(ownMember(value, key) as Json)]);
  }
  return membersText(members);
}

function sortedText(value: Json): string {
  if (typeof value !== 'object' || value === null) return stringifyJson(value);
  if (Array.isArray(value)) return `[${value.map(sortedText).join()}]`;
  return membersText(sortedKeys(value).map((key) => [key, sortedText(ownMember(value, key) as Json)]));
}

function membersText(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join()}}`;
}

function sortedKeys(value: JsonObject): string[] {
  return Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort(compareKeys);
}
