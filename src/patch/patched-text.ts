// The patched document as messages quote it. Kubernetes merges JSON texts: an object that the patch reached into is
// written anew, its members by name; what it did not touch stands as the object was encoded, its members as declared.

import { stringifyJson } from '../api/json-writer.ts';
import type { Json, JsonObject } from '../api/object.ts';
import type { Node } from '../schema/node.ts';
import { isObject } from './object-member.ts';

/** @param node the type of both; undefined where it has none and all members stand by name */
export function patchedText(before: Json, patched: Json, node: Node | undefined): string {
  return stringifyJson(written(before, patched, node));
}

function written(before: Json | undefined, patched: Json, node: Node | undefined): Json {
  if (before === patched) return declared(patched, node);
  if (!isObject(patched) || !isObject(before)) return patched;
  return fromNames(Object.keys(patched).sort(), patched, (name) =>
    written(before[name], patched[name] as Json, memberNode(node, name)),
  );
}

function declared(value: Json, node: Node | undefined): Json {
  if (Array.isArray(value)) {
    const items = node?.kind === 'list' ? node.items : undefined;
    return value.map((item) => declared(item, items));
  }
  if (!isObject(value)) return value;
  return fromNames(memberNames(value, node), value, (name) => declared(value[name] as Json, memberNode(node, name)));
}

function memberNames(value: JsonObject, node: Node | undefined): string[] {
  const names = Object.keys(value);
  if (node?.kind !== 'struct') return names.sort();
  const places = [...node.jsonFields.keys()];
  return names.sort((one, other) => places.indexOf(one) - places.indexOf(other));
}

function memberNode(node: Node | undefined, name: string): Node | undefined {
  if (node?.kind === 'struct') return node.jsonFields.get(name)?.node;
  return node?.kind === 'map' ? node.values : undefined;
}

function fromNames(names: readonly string[], object: JsonObject, memberAt: (name: string) => Json): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => (object[name] === undefined ? [] : [[name, memberAt(name)]])),
  ) as JsonObject;
}
