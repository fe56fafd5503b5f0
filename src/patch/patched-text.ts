// The patched document as quoted in messages. Kubernetes merges JSON texts: an object that the patch changed is encoded
// again with sorted members; the rest is as encoded before, with members in declaration order.

import { stringifyJson } from '../api/json-writer.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { escaped } from '../schema/go-json.ts';
import type { Node } from '../schema/node.ts';
import { isObject } from './object-member.ts';

/**
 * @param node the type of both; undefined if unknown, when all members are sorted
 * @param isMerge whether members from the patch are sorted too; operations of a JSON patch leave them as they are
 */
export function patchedText(before: Json, patched: Json, { node, isMerge }: PatchedForm): string {
  const written = (was: Json | undefined, now: Json, type: Node | undefined): Json => {
    if (was === now) return declared(now, type);
    if (!isObject(now) || !isObject(was)) return isMerge ? byName(now) : now;
    return fromNames(Object.keys(now).sort(), now, (name) =>
      written(was[name], now[name] as Json, memberNode(type, name)),
    );
  };
  return escaped(stringifyJson(written(before, patched, node)));
}

interface PatchedForm {
  readonly node: Node | undefined;
  readonly isMerge: boolean;
}

function byName(value: Json): Json {
  if (Array.isArray(value)) return value.map(byName);
  if (!isObject(value)) return value;
  return fromNames(Object.keys(value).sort(), value, (name) => byName(value[name] as Json));
}

const OPAQUE: ReadonlySet<string> = new Set<Node['kind']>(['raw', 'fields', 'json']);

function declared(value: Json, node: Node | undefined): Json {
  // Opaque JSON keeps its order.
  if (node !== undefined && OPAQUE.has(node.kind)) return value;
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
