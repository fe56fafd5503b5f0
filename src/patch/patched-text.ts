// The patched document as quoted in messages. Kubernetes merges JSON texts: an object that the patch changed is encoded
// again with sorted members; the rest is as encoded before, with members in declaration order.

import { isObject } from '../api/is-object.ts';
import { rawJson, stringifyJson } from '../api/json-writer.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { escaped } from '../schema/go-json.ts';
import type { Node } from '../schema/node.ts';
import { enterByJsonPatch, type JsonPatch } from './json-patch.ts';

/**
 * The document after a merge patch, with its members in the order of Kubernetes' text.
 * @param node the type of both; undefined if unknown, when all members are sorted
 */
export function orderedByMerge(before: Json, patched: Json, node: Node | undefined): Json {
  const written = (was: Json | undefined, now: Json, type: Node | undefined): Json => {
    if (was === now) return declared(now, type);
    if (!isObject(now) || !isObject(was)) return byName(now);
    return fromNames(Object.keys(now).sort(), now, (name) =>
      written(ownMember(was, name), now[name] as Json, memberNode(type, name)),
    );
  };
  return written(before, patched, node);
}

/**
 * A document as messages quote it.
 * @param literals the numbers at the paths where the patch wrote them in another form than JSON has for them here
 */
export function quoted(document: Json, literals?: NumberLiterals): string {
  return escaped(stringifyJson(literals === undefined ? document : asWritten(document, literals, '')));
}

/** The text of the number at a path (`spec.ports[0].port`), if it has one of its own. */
export type NumberLiterals = (path: string) => string | undefined;

function asWritten(value: Json, literals: NumberLiterals, path: string): unknown {
  if (typeof value === 'number') {
    const literal = literals(path);
    return literal === undefined ? value : rawJson(literal);
  }
  if (Array.isArray(value)) return value.map((item, index) => asWritten(item, literals, `${path}[${index}]`));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      asWritten(member as Json, literals, path === '' ? name : `${path}.${name}`),
    ]),
  );
}

/**
 * The document after a JSON patch, with its members in the order of Kubernetes' text: sorted in objects that an operation
 * looked into, as declared in others, and as sent in what the patch brings.
 * @param node the type of the document; undefined if unknown
 */
export function orderedByOperations(before: Json, operations: JsonPatch, node: Node | undefined): Json {
  const { root, entered } = enterByJsonPatch(before, operations);
  const types = new Map<Json, Node | undefined>();
  collectTypes(before, node, types);
  const ordered = (value: Json): Json => {
    if (!entered.has(value)) return types.has(value) ? declared(value, types.get(value)) : value;
    if (Array.isArray(value)) return value.map(ordered);
    if (!isObject(value)) return value;
    return fromNames(Object.keys(value).sort(), value, (name) => ordered(value[name] as Json));
  };
  return ordered(root);
}

/** The types of all containers. */
function collectTypes(value: Json, node: Node | undefined, types: Map<Json, Node | undefined>): void {
  if (typeof value !== 'object' || value === null) return;
  types.set(value, node);
  const isOpaque = node !== undefined && OPAQUE.has(node.kind);
  if (Array.isArray(value)) {
    const items = isOpaque ? node : node?.kind === 'list' ? node.items : undefined;
    for (const item of value) collectTypes(item, items, types);
  } else {
    for (const [name, member] of Object.entries(value)) {
      collectTypes(member as Json, isOpaque ? node : memberNode(node, name), types);
    }
  }
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
  return fromNames(memberNames(value, node), value, (name) =>
    declared(ownMember(value, name) as Json, memberNode(node, name)),
  );
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
    names.flatMap((name) => (ownMember(object, name) === undefined ? [] : [[name, memberAt(name)]])),
  ) as JsonObject;
}
