// Reconciliation of field sets with the current type: entries may be older than the schema, and a set may contain
// entries of a map without the map.

import { ownMember } from '../api/own-member.ts';
import { eachOf, part } from '../base/resumed.ts';
import { elementsOf, type FieldNode, type FieldSet, isLeaf, isMember, LEAF, nodeOf, SELF } from './field-set.ts';
import type { PathElement } from './path-element.ts';
import { memberType, UNTYPED, type ValueType } from './value-type.ts';

/**
 * The set for the current type: owners of parts of what has become atomic own all of it. What was atomic and is not any
 * more is unchanged.
 */
export function underSchema(type: ValueType, set: FieldSet): FieldSet {
  if (set === undefined || type === UNTYPED) return set;
  // What is noted meanwhile does not change which parts there are.
  return part(() => {
    if (fitting.get(type)?.has(set) === true) return set;
    const under = brought(type, set);
    if (under === set) noteFitting(type, set);
    return under;
  });
}

/** Sets that need no change, as nearly all: only a cache. */
const fitting = new WeakMap<ValueType, WeakSet<FieldNode>>();

function noteFitting(type: ValueType, set: FieldNode): void {
  const known = fitting.get(type);
  if (known === undefined) fitting.set(type, new WeakSet([set]));
  else known.add(set);
}

function brought(type: ValueType, set: FieldNode): FieldNode {
  const elements = part(() => Object.keys(set));
  if (type === UNTYPED || elements.every((element) => element === SELF)) return set;
  if (type.list?.atomic === true || type.map?.atomic === true) return LEAF;
  let changed: [PathElement, FieldNode][] | undefined;
  const below = eachOf(elements, (element) => {
    const child = ownMember(set, element) as FieldNode;
    return isLeaf(child) ? child : brought(typeBelow(type, element) ?? UNTYPED, child);
  });
  for (const [index, next] of below.entries()) {
    const element = elements[index] as PathElement;
    if (next === ownMember(set, element)) continue;
    changed ??= [];
    changed.push([element, next]);
  }
  return changed === undefined ? set : { ...set, ...Object.fromEntries(changed) };
}

/** The set extended by each declared field that has something in the set below it. */
export function withNamedFields(type: ValueType | undefined, set: FieldSet): FieldSet {
  if (set === undefined) return undefined;
  return mapChildren(set, isMember(set), (child, element) => {
    if (isLeaf(child)) return child;
    const below = withNamedFields(type === undefined ? undefined : typeBelow(type, element), child) as FieldNode;
    const isNamed = element.startsWith('f:') && type?.map?.declared(element.slice(2)) !== undefined;
    return isNamed && !isMember(below) ? { '.': LEAF, ...below } : below;
  });
}

function typeBelow({ map, list }: ValueType, element: PathElement): ValueType | undefined {
  if (element.startsWith('f:')) return map === undefined ? undefined : memberType(map, element.slice(2));
  return element.startsWith('k:') ? list?.items : undefined;
}

function mapChildren(
  node: FieldNode,
  member: boolean,
  change: (child: FieldNode, element: PathElement) => FieldSet,
): FieldSet {
  const elements = part(() => elementsOf(node));
  const children = eachOf(elements, (element): [PathElement, FieldNode] => [
    element,
    change(ownMember(node, element) as FieldNode, element) as FieldNode,
  ]);
  const changed = children.some(([element, next]) => next !== ownMember(node, element));
  return changed ? nodeOf(member, children) : node;
}
