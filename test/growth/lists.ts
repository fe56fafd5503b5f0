// Every list and map that a client can fill in a built-in kind, found in the declarations of its type, and bodies with
// any number of items in one of them. Such bodies reveal quadratic work.

import type { Json, JsonObject } from '../../src/api/object.ts';
import type { ResourceDefinition } from '../../src/resources/definition.ts';
import type { Field, ListNode, MapNode, Node, StructNode } from '../../src/schema/node.ts';

export interface Fillable {
  readonly definition: ResourceDefinition;
  readonly version: string;
  /** From the object's root; `[]` is an item of a list on the way. */
  readonly path: readonly Step[];
  /** `core/v1.Container.ports`: the field, wherever its type is used. */
  readonly name: string;
}

interface Step {
  readonly member: string;
  readonly node: Node;
}

const MAX_DEPTH = 9;

/** Returns each field that is a list or a map, once, at the first place where a kind has it. */
export function fillables(definitions: readonly ResourceDefinition[]): Fillable[] {
  const found = new Map<string, Fillable>();
  for (const definition of definitions) {
    const [version] = definition.versions;
    if (version === undefined || !definition.verbs.includes('create')) continue;
    for (const { path, name } of within(version.schema, [], MAX_DEPTH)) {
      if (!found.has(name)) found.set(name, { definition, version: version.version, path, name });
    }
  }
  return [...found.values()];
}

function* within(struct: StructNode, above: readonly Step[], depth: number): Generator<{ path: Step[]; name: string }> {
  if (depth === 0 || above.slice(0, -1).some(({ node }) => itemOf(node) === struct || node === struct)) return;
  for (const [member, { node }] of struct.jsonFields) {
    const path = [...above, { member, node }];
    if (node.kind === 'list' || node.kind === 'map') yield { path, name: `${struct.name}.${member}` };
    const item = node.kind === 'struct' ? node : itemOf(node);
    if (item !== undefined) yield* within(item, path, depth - 1);
  }
}

function itemOf(node: Node): StructNode | undefined {
  const item = node.kind === 'list' ? node.items : node.kind === 'map' ? node.values : undefined;
  return item?.kind === 'struct' ? item : undefined;
}

/** Returns an object with `count` distinct items in that list or map, and with its parents. */
export function filled({ definition, version, path }: Fillable, count: number): JsonObject {
  const { group, kind } = definition;
  const object = parents(path, count) as JsonObject;
  const metadata = { name: 'a', ...(object['metadata'] as JsonObject | undefined) };
  return { ...object, apiVersion: group === '' ? version : `${group}/${version}`, kind, metadata };
}

function parents(path: readonly Step[], count: number): Json {
  const [step, ...rest] = path;
  if (step === undefined) return {};
  const { member, node } = step;
  if (rest.length === 0) return { [member]: items(node as ListNode | MapNode, count) };
  const inner = parents(rest, count) as JsonObject;
  const item = itemOf(node);
  if (item === undefined) return { [member]: inner };
  const one = { ...(value(item, 0, 1) as JsonObject), ...inner };
  return { [member]: node.kind === 'list' ? [one] : { k0: one } };
}

function items(node: ListNode | MapNode, count: number): Json {
  if (node.kind === 'list') return Array.from({ length: count }, (_, index) => value(node.items, index, 2));
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value(node.values, index, 2)]));
}

/**
 * Returns a value of a type that differs from that of any other index, chosen to pass validation as far as possible.
 */
function value(node: Node, index: number, depth: number): Json {
  switch (node.kind) {
    case 'struct':
      return struct(node, index, depth);
    case 'list':
      return depth === 0 ? [] : [value(node.items, index, depth - 1)];
    case 'map':
      return depth === 0 ? {} : { [`k${index}`]: value(node.values, index, depth - 1) };
    case 'string':
      return `n${index}`;
    case 'bool':
      return true;
    case 'quantity':
      return '1';
    case 'time':
    case 'microTime':
      return '2024-01-01T00:00:00Z';
    case 'duration':
      return '1s';
    case 'bytes':
      return 'AA==';
    case 'raw':
    case 'fields':
    case 'json':
      return {};
    default:
      return (index % 60_000) + 1;
  }
}

function struct(node: StructNode, index: number, depth: number): JsonObject {
  const out: JsonObject = {};
  for (const [member, field] of node.jsonFields) {
    if (!isWorthSetting(field, depth)) continue;
    out[member] = field.enum?.[index % field.enum.length] ?? value(field.node, index, depth - 1);
  }
  return out;
}

function isWorthSetting({ node, required, pointer }: Field, depth: number): boolean {
  if (node.kind === 'struct' || node.kind === 'list' || node.kind === 'map') return depth > 0 && required;
  return required || !pointer;
}
