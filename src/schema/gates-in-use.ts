// Feature gates of the fields that an object has. What was stored while a gate was enabled remains when it is disabled:
// an update may keep such fields, but new objects may not have them.

import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import type { Node, StructNode } from './node.ts';

/** The part of a type that leads to gated fields. */
type Part = readonly (readonly [member: string, gates: readonly string[], below: Part | undefined])[];

const parts = new WeakMap<StructNode, Part | undefined>();

/** The gates of all fields with a value in an object, enabled or not. */
export function gatesInUse(type: StructNode, object: JsonObject): ReadonlySet<string> {
  const found = new Set<string>();
  const part = partOf(type);
  if (part !== undefined) collect(part, object, found);
  return found;
}

function collect(part: Part, value: Json | undefined, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(part, item, found);
    return;
  }
  for (const [member, gates, below] of part) {
    const given = ownMember(value, member);
    if (given === undefined || given === null) continue;
    for (const gate of gates) found.add(gate);
    if (below !== undefined) collect(below, given, found);
  }
}

/** A recursive type has no such fields below. */
function partOf(type: StructNode): Part | undefined {
  if (parts.has(type)) return parts.get(type);
  parts.set(type, undefined);
  const part: [string, readonly string[], Part | undefined][] = [];
  for (const [name, { node, gate, showsUseOf }] of type.jsonFields) {
    const gates = (gate ?? showsUseOf)?.split(',') ?? [];
    const struct = structIn(node);
    const below = struct && partOf(struct);
    if (gates.length > 0 || below !== undefined) part.push([name, gates, below]);
  }
  const found = part.length === 0 ? undefined : part;
  parts.set(type, found);
  return found;
}

/** The struct of a field, single or in a list. */
function structIn(node: Node): StructNode | undefined {
  if (node.kind === 'struct') return node;
  return node.kind === 'list' ? structIn(node.items) : undefined;
}
