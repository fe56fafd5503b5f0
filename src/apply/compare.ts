// Comparison of two values of one type as sets of fields: added, removed and modified. Unchanged parts only cost a
// comparison.

import { isObject } from '../api/is-object.ts';
import { equalJson } from '../api/json-equal.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { NONE } from '../base/findings.ts';
import { eachOf, hasParts, overItems, part } from '../base/resumed.ts';
import { differenceBelow, type FieldNode, type FieldSet, LEAF, nodeOf, union } from './field-set.ts';
import { indexItems } from './list-items.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { wholeSet } from './typed-walk.ts';
import { formOf, type ListValueType, type MapValueType, memberType, UNTYPED, type ValueType } from './value-type.ts';

export interface Changes {
  readonly added: FieldSet;
  readonly removed: FieldSet;
  readonly modified: FieldSet;
}

const NO_CHANGES: Changes = { added: undefined, removed: undefined, modified: undefined };
const MODIFIED: Changes = { ...NO_CHANGES, modified: LEAF };

/** Undefined if no field changed. @throws ItemError */
export function compareValues(type: ValueType, one: Json, other: Json): Changes | undefined {
  if (one === other) return undefined;
  const before = formOf(type, one);
  const after = formOf(type, other);
  const changes = compareAs(type, after, { one, other });
  return before === after ? changes : both(compareAs(type, before, { one, other }), changes);
}

interface Pair {
  readonly one: Json;
  readonly other: Json;
}

function compareAs(type: ValueType, form: 'scalar' | 'list' | 'map', pair: Pair): Changes | undefined {
  if (form === 'map') return compareMaps(type.map as MapValueType, pair);
  if (form === 'list') return compareLists(type.list as ListValueType, pair);
  return compareWholes(pair);
}

function compareWholes({ one, other }: Pair): Changes | undefined {
  return equalJson(one, other) ? undefined : MODIFIED;
}

const NO_MEMBERS: JsonObject = Object.freeze({});

function compareMaps(map: MapValueType, pair: Pair): Changes | undefined {
  if (map.atomic) return compareWholes(pair);
  const one = isObject(pair.one) ? pair.one : NO_MEMBERS;
  const other = isObject(pair.other) ? pair.other : NO_MEMBERS;
  return hasParts() ? compareMembersInParts(map, pair, { one, other }) : compareMembers(map, pair, { one, other });
}

interface MemberPair {
  readonly one: JsonObject;
  readonly other: JsonObject;
}

function compareMembers(map: MapValueType, pair: Pair, { one, other }: MemberPair): Changes | undefined {
  let found: Collected | undefined;
  let isEmpty = true;
  for (const name in one) {
    const before = one[name];
    if (before === undefined) continue;
    isEmpty = false;
    const after = Object.hasOwn(other, name) ? other[name] : undefined;
    if (before === after) continue;
    if (after === undefined) {
      found ??= new Collected();
      found.removed.push([fieldElement(name), wholeSet(memberType(map, name) ?? UNTYPED, before)]);
      continue;
    }
    const scalars = typeof before !== 'object' && typeof after !== 'object';
    // Usually everything below is equal, which is faster to check without its type.
    if (!scalars && equalJson(before, after)) continue;
    const changes = scalars ? MODIFIED : compareValues(memberType(map, name) ?? UNTYPED, before, after);
    if (changes === undefined) continue;
    found ??= new Collected();
    found.add(fieldElement(name), changes);
  }
  for (const name in other) {
    const after = other[name];
    if (after === undefined) continue;
    isEmpty = false;
    if (Object.hasOwn(one, name) && one[name] !== undefined) continue;
    found ??= new Collected();
    found.added.push([fieldElement(name), wholeSet(memberType(map, name) ?? UNTYPED, after)]);
  }
  // The empty map and null are distinguished.
  return isEmpty ? compareWholes(pair) : found?.changes();
}

function compareMembersInParts(map: MapValueType, pair: Pair, { one, other }: MemberPair): Changes | undefined {
  const names = namesIn(one);
  const isOther = (name: string) => !Object.hasOwn(one, name) || one[name] === undefined;
  const others = part(() => overItems(namesIn(other), (name) => (isOther(name) ? [name] : NONE)));
  if (names.length + others.length === 0) return compareWholes(pair);
  const found = new Collected();
  const all = [...names, ...others];
  const changes = eachOf(all, (name) => {
    const type = memberType(map, name) ?? UNTYPED;
    const before = Object.hasOwn(one, name) ? one[name] : undefined;
    const after = Object.hasOwn(other, name) ? other[name] : undefined;
    if (before === undefined) return { ...NO_CHANGES, added: wholeSet(type, after as Json) };
    if (after === undefined) return { ...NO_CHANGES, removed: wholeSet(type, before) };
    return equalJson(before, after) ? undefined : compareValues(type, before, after);
  });
  for (const [index, each] of changes.entries()) {
    if (each !== undefined) found.add(fieldElement(all[index] as string), each);
  }
  return found.changes();
}

function namesIn(map: JsonObject): string[] {
  return part(() =>
    overItems(
      part(() => Object.keys(map)),
      (name) => (map[name] === undefined ? NONE : [name]),
    ),
  );
}

const NO_ITEMS: readonly Json[] = Object.freeze([]);

function compareLists(list: ListValueType, pair: Pair): Changes | undefined {
  if (list.atomic) return compareWholes(pair);
  if (equalJson(pair.one, pair.other)) return undefined;
  const one = Array.isArray(pair.one) ? pair.one : NO_ITEMS;
  const other = Array.isArray(pair.other) ? pair.other : NO_ITEMS;
  if (one.length === 0 && other.length === 0) return MODIFIED;
  const before = indexItems(list, one).byElement;
  const after = indexItems(list, other).byElement;
  const found = new Collected();
  const elements = [...before.keys()];
  for (const element of after.keys()) if (!before.has(element)) elements.push(element);
  const changes = eachOf(elements, (element) =>
    compareItems(list.items, { one: before.get(element), other: after.get(element) }),
  );
  for (const [index, each] of changes.entries()) {
    if (each !== undefined) found.add(elements[index] as PathElement, each);
  }
  return found.changes();
}

interface ItemPair {
  readonly one: readonly Json[] | undefined;
  readonly other: readonly Json[] | undefined;
}

/** Items with the same keys are compared, and owned, as a whole. */
function compareItems(type: ValueType, { one = NO_ITEMS, other = NO_ITEMS }: ItemPair): Changes | undefined {
  const [before] = one;
  const [after] = other;
  if (one.length > 1 && other.length > 1) return equalJson(one, other) ? undefined : MODIFIED;
  if (one.length > 1) return { ...NO_CHANGES, added: wholeOf(type, after), removed: LEAF };
  if (other.length > 1) return { ...NO_CHANGES, added: LEAF, removed: wholeOf(type, before) };
  if (before === undefined) return { ...NO_CHANGES, added: wholeSet(type, after as Json) };
  if (after === undefined) return { ...NO_CHANGES, removed: wholeSet(type, before) };
  return compareValues(type, before, after);
}

function wholeOf(type: ValueType, item: Json | undefined): FieldSet {
  return item === undefined ? undefined : wholeSet(type, item);
}

/** Collects changes below a path. */
class Collected {
  readonly added: [PathElement, FieldNode][] = [];
  readonly removed: [PathElement, FieldNode][] = [];
  readonly modified: [PathElement, FieldNode][] = [];

  add(element: PathElement, { added, removed, modified }: Changes): void {
    if (added !== undefined) this.added.push([element, added]);
    if (removed !== undefined) this.removed.push([element, removed]);
    if (modified !== undefined) this.modified.push([element, modified]);
  }

  changes(): Changes | undefined {
    const { added, removed, modified } = this;
    if (added.length + removed.length + modified.length === 0) return undefined;
    return { added: nodeOf(false, added), removed: nodeOf(false, removed), modified: nodeOf(false, modified) };
  }
}

function both(one: Changes | undefined, other: Changes | undefined): Changes | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    added: union(one.added, other.added),
    removed: union(one.removed, other.removed),
    modified: union(one.modified, other.modified),
  };
}

/** Without changes in and below some fields. */
export function without(changes: Changes | undefined, ignored: FieldSet): Changes | undefined {
  if (changes === undefined || ignored === undefined) return changes;
  const added = differenceBelow(changes.added, ignored);
  const removed = differenceBelow(changes.removed, ignored);
  const modified = differenceBelow(changes.modified, ignored);
  return added === undefined && removed === undefined && modified === undefined
    ? undefined
    : { added, removed, modified };
}
