// Values as Go encodes them in messages: the members of structs in the order of their declaration, and keys of maps sorted.

import type { Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import type { Node } from '../node.ts';

/** A copy of a value with its members in Go's order; members that are not declared come last. */
export function inDeclaredOrder(value: Json, node: Node | undefined): Json {
  if (Array.isArray(value)) {
    return value.map((item) => inDeclaredOrder(item, node?.kind === 'list' ? node.items : undefined));
  }
  if (typeof value !== 'object' || value === null || node === undefined) return value;
  if (node.kind === 'struct' && node.form === undefined) {
    const known = [...node.jsonFields.keys()].filter((name) => ownMember(value, name) !== undefined);
    const names = new Set([...known, ...Object.keys(value)]);
    return ordered(value, names, (name) => node.jsonFields.get(name)?.node);
  }
  return node.kind === 'map' ? ordered(value, Object.keys(value).sort(), () => node.values) : value;
}

function ordered(value: JsonObject, names: Iterable<string>, nodeOf: (name: string) => Node | undefined): JsonObject {
  return Object.fromEntries(
    [...names].map((name) => [name, inDeclaredOrder(ownMember(value, name) ?? null, nodeOf(name))]),
  );
}
