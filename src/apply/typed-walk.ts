// The sets of a value's fields, walked by its type: what applying the value claims, and what a value that came or went
// as a whole is made of.

import type { Json, JsonObject } from '../api/object.ts';
import { elementsOf, type FieldNode, type FieldSet, LEAF, nodeOf } from './field-set.ts';
import { indexItems } from './list-items.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { formOf, isMap, type ListValueType, type MapValueType, type ValueType } from './value-type.ts';

/**
 * The fields that an applied value claims: scalars and wholes, the items of lists, members of maps without a declared
 * type, nulls and empty maps; of a granular list or a declared map only what is in it.
 * @throws ItemError for items without keys
 */
export function fieldSetOf(type: ValueType, value: Json): FieldSet {
  return claimed(type, value, false);
}

function claimed(type: ValueType, value: Json, member: boolean): FieldNode | undefined {
  switch (formOf(type, value)) {
    case 'scalar':
      return LEAF;
    case 'list':
      return claimedItems(type.list as ListValueType, value, member);
    case 'map':
      return claimedMembers(type.map as MapValueType, value, member);
  }
}

function claimedItems(list: ListValueType, value: Json, member: boolean): FieldNode | undefined {
  if (list.atomic) return LEAF;
  if (!Array.isArray(value)) return nodeOf(member, []);
  const children: [PathElement, FieldNode][] = [];
  for (const [element, items] of indexItems(list, value).byElement) {
    const [item, another] = items as [Json, Json?];
    children.push([element, another === undefined ? (claimed(list.items, item, true) as FieldNode) : LEAF]);
  }
  return nodeOf(member, children);
}

function claimedMembers(map: MapValueType, value: Json, member: boolean): FieldNode | undefined {
  if (map.atomic) return LEAF;
  if (!isMap(value)) return nodeOf(member, []);
  return walkMembers({ map, value, member }, (type, given, declared) =>
    claimed(type, given, !declared || given === null || (isMap(given) && isEmpty(given))),
  );
}

function isEmpty(map: JsonObject): boolean {
  for (const _ in map) return false;
  return true;
}

/** All of a value that came or went: every place in it, with the maps and lists themselves. @throws ItemError */
export function wholeSet(type: ValueType, value: Json): FieldNode {
  switch (formOf(type, value)) {
    case 'scalar':
      return LEAF;
    case 'list':
      return wholeItems(type.list as ListValueType, value);
    case 'map':
      return wholeMembers(type.map as MapValueType, value);
  }
}

function wholeItems(list: ListValueType, value: Json): FieldNode {
  if (list.atomic || !Array.isArray(value)) return LEAF;
  const children: [PathElement, FieldNode][] = [];
  for (const [element, items] of indexItems(list, value).byElement) {
    children.push([element, items.length === 1 ? wholeSet(list.items, items[0] as Json) : LEAF]);
  }
  return nodeOf(true, children) as FieldNode;
}

function wholeMembers(map: MapValueType, value: Json): FieldNode {
  if (map.atomic || !isMap(value)) return LEAF;
  return walkMembers({ map, value, member: true }, wholeSet) as FieldNode;
}

type Visit = (type: ValueType, given: Json, declared: boolean) => FieldNode | undefined;

/** The node of a map from what its members give, in the order of their elements. */
function walkMembers(
  { map, value, member }: { map: MapValueType; value: JsonObject; member: boolean },
  visit: Visit,
): FieldNode | undefined {
  const { members, others } = map;
  const node: Record<PathElement, FieldNode> = {};
  let size = 0;
  if (member) node['.'] = LEAF;
  for (const declared of members) {
    const given = own(value, declared.name);
    if (given === undefined) continue;
    const child = visit(declared.type, given, true);
    if (child === undefined) continue;
    node[declared.element] = child;
    size++;
  }
  if (others === undefined) {
    if (size > 0) return node;
    return member ? LEAF : undefined;
  }
  return withOthers({ map, value, node, member }, visit);
}

/** Adds the members that are not declared. */
function withOthers(
  { map, value, node, member }: { map: MapValueType; value: JsonObject; node: FieldNode; member: boolean },
  visit: Visit,
): FieldNode | undefined {
  const children: [PathElement, FieldNode][] = elementsOf(node).map((element) => [element, node[element] as FieldNode]);
  for (const name of Object.keys(value)) {
    const given = value[name];
    if (given === undefined || map.declared(name) !== undefined) continue;
    const child = visit(map.others as ValueType, given, false);
    if (child !== undefined) children.push([fieldElement(name), child]);
  }
  return nodeOf(member, children);
}

/** A member's value; what every object inherits is none. */
function own(value: JsonObject, name: string): Json | undefined {
  const given = value[name];
  return given === undefined || Object.hasOwn(value, name) ? given : undefined;
}
