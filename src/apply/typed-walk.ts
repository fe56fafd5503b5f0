// Field sets of a value, computed by walking it with its type: the fields that applying it claims, all fields of an
// added or removed value, and the fields that it has in addition to another.

import { isObject } from '../api/is-object.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { eachOf, hasParts, part } from '../base/resumed.ts';
import { emptyNode, type FieldNode, type FieldSet, LEAF, nodeOf } from './field-set.ts';
import { indexItems, itemElement } from './list-items.ts';
import { compareElements, fieldElement, type PathElement } from './path-element.ts';
import { formOf, type ListValueType, type MapValueType, type Member, type ValueType } from './value-type.ts';

/**
 * The fields that an applied value claims: scalars and atomic values, list items, entries of maps without a declared
 * type, nulls and empty maps; of a granular list or a declared map only its content.
 * @throws ItemError for items without keys
 */
export function fieldSetOf(type: ValueType, value: Json): FieldSet {
  return new FieldWalk(false).visit(type, value, false);
}

/** All fields of an added or removed value, including the maps and lists themselves. @throws ItemError */
export function wholeSet(type: ValueType, value: Json): FieldNode {
  return new FieldWalk(true).visit(type, value, true) as FieldNode;
}

/** What to return for entries that both maps have. */
type Compare = (type: ValueType | undefined, before: Json, after: Json) => FieldNode | undefined;

/** The entries that only `value` has, completely, and for others the result of `compare`. @throws ItemError */
export function membersBeyond(
  map: MapValueType,
  { before, value }: { before: JsonObject; value: JsonObject },
  compare: Compare,
): FieldSet {
  return new FieldWalk(true).members(map, value, { member: false, beside: { before, compare } });
}

/** The items of a list that replaced an empty one. @throws ItemError */
export function newItems(list: ListValueType, value: readonly Json[]): FieldSet {
  return new FieldWalk(true).items(list, value, false);
}

/** Whether a path itself is in the set: always, never, or only if it is an empty map. */
type Place = boolean | 'as empty map';

interface MapStep {
  /** Whether the map itself is in the set. */
  readonly member: Place;
  readonly beside?: { readonly before: JsonObject; readonly compare: Compare };
}

class FieldWalk {
  /** Whether all paths are in the set, not only those that an apply claims. */
  readonly #whole: boolean;
  /** Scratch space for the maps being walked: the declared fields found, and their nodes. */
  readonly #members: Member[] = [];
  readonly #nodes: FieldNode[] = [];
  #found = 0;

  constructor(whole: boolean) {
    this.#whole = whole;
  }

  /** @param member whether the path itself is in the set if there is, or could be, something below it */
  visit(type: ValueType, value: Json, member: Place): FieldNode | undefined {
    switch (formOf(type, value)) {
      case 'scalar':
        return LEAF;
      case 'list': {
        if ((type.list as ListValueType).atomic) return LEAF;
        const isMember = member === true || (member !== false && isObject(value) && isEmpty(value));
        return this.items(type.list as ListValueType, Array.isArray(value) ? value : [], isMember);
      }
      case 'map': {
        const map = type.map as MapValueType;
        if (map.atomic) return LEAF;
        if (!isObject(value)) return member === true ? LEAF : undefined;
        return this.members(map, value, { member });
      }
    }
  }

  /** Items with the same keys are a whole. */
  items(list: ListValueType, value: readonly Json[], member: boolean): FieldNode | undefined {
    if (value.length === 0) return member ? LEAF : undefined;
    if (hasParts()) return this.#itemsInParts(list, value, member);
    const items = value.map((item): [PathElement, Json] => [itemElement(list, item), item]);
    if (items.length > 1) items.sort(([one], [other]) => compareElements(one, other));
    const node = emptyNode(member);
    for (let at = 0; at < items.length; at++) {
      const [element, item] = items[at] as [PathElement, Json];
      if (element === items[at - 1]?.[0]) continue;
      const isShared = element === items[at + 1]?.[0];
      node[element] = isShared ? LEAF : (this.visit(list.items, item, true) as FieldNode);
    }
    return node;
  }

  #itemsInParts(list: ListValueType, value: readonly Json[], member: boolean): FieldNode | undefined {
    const { elements, byElement } = indexItems(list, value);
    const children = eachOf(elements, (element, index): [PathElement, FieldNode] | undefined => {
      const items = byElement.get(element) as readonly Json[];
      if (items[0] !== value[index]) return undefined;
      return [element, items.length > 1 ? LEAF : (this.visit(list.items, items[0] as Json, true) as FieldNode)];
    });
    return nodeOf(
      member,
      children.filter((child) => child !== undefined),
    );
  }

  /** The node of a map from those of its entries, in the order of their elements. */
  members(map: MapValueType, value: JsonObject, step: MapStep): FieldNode | undefined {
    return hasParts() ? this.#membersInParts(map, value, step) : this.#membersAtOnce(map, value, step);
  }

  #membersInParts(map: MapValueType, value: JsonObject, { member, beside }: MapStep): FieldNode | undefined {
    const names = part(() => Object.keys(value));
    const children = eachOf(names, (name): [PathElement, FieldNode] | undefined => {
      const given = ownMember(value, name);
      if (given === undefined) return undefined;
      const node = this.#memberNode(map, name, { given, beside });
      return node && [map.declared(name)?.element ?? fieldElement(name), node];
    });
    return nodeOf(
      member === true || (member !== false && names.length === 0),
      children.filter((child) => child !== undefined),
    );
  }

  #memberNode(
    map: MapValueType,
    name: string,
    { given, beside }: { readonly given: Json; readonly beside: MapStep['beside'] },
  ): FieldNode | undefined {
    const declared = map.declared(name);
    const type = declared === undefined ? map.others : declared.type;
    const before = beside === undefined ? undefined : own(beside.before, name);
    if (before !== undefined) return beside?.compare(type, before, given);
    return type === undefined ? undefined : this.visit(type, given, this.#whole || placeOf(declared, given));
  }

  #membersAtOnce(map: MapValueType, value: JsonObject, { member, beside }: MapStep): FieldNode | undefined {
    const base = this.#found;
    let others: [PathElement, FieldNode][] | undefined;
    let hasNames = false;
    for (const name in value) {
      hasNames = true;
      const given = value[name];
      if (given === undefined) continue;
      const declared = map.declared(name);
      const type = declared === undefined ? map.others : declared.type;
      const before = beside === undefined ? undefined : own(beside.before, name);
      let node: FieldNode | undefined;
      if (before !== undefined) node = beside?.compare(type, before, given);
      else if (type !== undefined) node = this.visit(type, given, this.#whole || placeOf(declared, given));
      if (node === undefined) continue;
      if (declared === undefined) {
        others ??= [];
        others.push([fieldElement(name), node]);
      } else this.#insert(base, declared, node);
    }
    const isMember = member === true || (member !== false && !hasNames);
    const node = others === undefined ? this.#declaredNode(base, isMember) : this.#mixedNode(base, isMember, others);
    this.#found = base;
    return node;
  }

  /**
   * Inserts found fields in the order of their elements. Many fields, which only schemas of custom resources declare, are
   * sorted at the end instead, because inserting takes quadratic time.
   */
  #insert(base: number, member: Member, node: FieldNode): void {
    const members = this.#members;
    const nodes = this.#nodes;
    let place = this.#found++;
    if (place - base < INSERTED_MEMBERS) {
      for (; place > base && (members[place - 1] as Member).place > member.place; place--) {
        members[place] = members[place - 1] as Member;
        nodes[place] = nodes[place - 1] as FieldNode;
      }
    }
    members[place] = member;
    nodes[place] = node;
  }

  /** Sorts the found fields if they were too many to be inserted in order. */
  #sort(base: number): void {
    if (this.#found - base <= INSERTED_MEMBERS) return;
    const found = this.#members
      .slice(base, this.#found)
      .map((member, index) => ({ member, node: this.#nodes[base + index] as FieldNode }));
    found.sort((one, other) => one.member.place - other.member.place);
    for (const [index, { member, node }] of found.entries()) {
      this.#members[base + index] = member;
      this.#nodes[base + index] = node;
    }
  }

  #declaredNode(base: number, member: boolean): FieldNode | undefined {
    if (this.#found === base) return member ? LEAF : undefined;
    this.#sort(base);
    const node = emptyNode(member);
    for (let at = base; at < this.#found; at++) {
      node[(this.#members[at] as Member).element] = this.#nodes[at] as FieldNode;
    }
    return node;
  }

  #mixedNode(base: number, isMember: boolean, others: [PathElement, FieldNode][]): FieldNode | undefined {
    for (let at = base; at < this.#found; at++) {
      others.push([(this.#members[at] as Member).element, this.#nodes[at] as FieldNode]);
    }
    return nodeOf(isMember, others);
  }
}

/** Fields that are inserted one by one. */
const INSERTED_MEMBERS = 256;

/** Whether an apply claims the path of a map or list, and not only its content. */
function placeOf(declared: Member | undefined, given: Json): Place {
  if (declared === undefined || given === null) return true;
  return isObject(given) && 'as empty map';
}

function isEmpty(map: JsonObject): boolean {
  for (const _ in map) return false;
  return true;
}

/** A member's value; inherited properties do not count. */
function own(value: JsonObject, name: string): Json | undefined {
  const given = value[name];
  return given === undefined || Object.hasOwn(value, name) ? given : undefined;
}
