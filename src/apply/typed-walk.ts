// The sets of a value's fields, walked by its type: what applying the value claims, what a value that came or went as a
// whole is made of, and what a value has beyond one that was there before.

import type { Json, JsonObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import type { LeftForLater } from '../base/steps.ts';
import { emptyNode, type FieldNode, type FieldSet, LEAF, nodeOf } from './field-set.ts';
import { itemElement } from './list-items.ts';
import { compareElements, fieldElement, type PathElement } from './path-element.ts';
import { formOf, isMap, type ListValueType, type MapValueType, type Member, type ValueType } from './value-type.ts';

/**
 * The fields that an applied value claims: scalars and wholes, the items of lists, members of maps without a declared
 * type, nulls and empty maps; of a granular list or a declared map only what is in it.
 * @throws ItemError for items without keys
 */
export function fieldSetOf(type: ValueType, value: Json): FieldSet {
  return new FieldWalk(false).visit(type, value, false);
}

/** All of a value that came or went: every place in it, with the maps and lists themselves. @throws ItemError */
export function wholeSet(type: ValueType, value: Json): FieldNode {
  return new FieldWalk(true).visit(type, value, true) as FieldNode;
}

/** What to say of members that both maps have. */
type Compare = (type: ValueType | undefined, before: Json, after: Json) => FieldNode | undefined;

/** The members that `value` has and `before` has not, as wholes, and of the others what `compare` says. @throws ItemError */
export function membersBeyond(
  map: MapValueType,
  { before, value, later }: { before: JsonObject; value: JsonObject; later?: LeftForLater | undefined },
  compare: Compare,
): FieldSet {
  return new FieldWalk(true, later).members(map, value, { member: false, beside: { before, compare } });
}

/** The items of a list that came into an empty one's place. @throws ItemError */
export function newItems(list: ListValueType, value: readonly Json[]): FieldSet {
  return new FieldWalk(true).items(list, value, false);
}

interface MapStep {
  /** Whether the map itself is in the set. */
  readonly member: boolean;
  /** Takes the filling of the set, where nobody looks into it before. */
  readonly later?: LeftForLater | undefined;
  readonly beside?: { readonly before: JsonObject; readonly compare: Compare };
}

class FieldWalk {
  /** Whether all places are in the set, and not only those that an apply claims. */
  readonly #whole: boolean;
  readonly #later: LeftForLater | undefined;
  /** Scratch space of the maps that are being walked: the declared members found, and their nodes. */
  readonly #members: Member[] = [];
  readonly #nodes: FieldNode[] = [];
  #found = 0;

  /** @param later takes the filling of sets of many members */
  constructor(whole: boolean, later?: LeftForLater) {
    this.#whole = whole;
    this.#later = later;
  }

  /** @param member whether the place itself is in the set where there is something below it, or could be */
  visit(type: ValueType, value: Json, member: boolean): FieldNode | undefined {
    switch (formOf(type, value)) {
      case 'scalar':
        return LEAF;
      case 'list':
        if ((type.list as ListValueType).atomic) return LEAF;
        return this.items(type.list as ListValueType, Array.isArray(value) ? value : [], member);
      case 'map': {
        const map = type.map as MapValueType;
        if (map.atomic) return LEAF;
        if (!isMap(value)) return member ? LEAF : undefined;
        return this.members(map, value, { member, later: this.#later });
      }
    }
  }

  /** Items that share their keys are one whole. */
  items(list: ListValueType, value: readonly Json[], member: boolean): FieldNode | undefined {
    if (value.length === 0) return member ? LEAF : undefined;
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

  /** The node of a map from what its members give, in the order of their elements. */
  members(map: MapValueType, value: JsonObject, { member, beside, later }: MapStep): FieldNode | undefined {
    const base = this.#found;
    let others: [PathElement, FieldNode][] | undefined;
    for (const name in value) {
      const given = value[name];
      if (given === undefined) continue;
      const declared = map.declared(name);
      const type = declared === undefined ? map.others : declared.type;
      const before = beside === undefined ? undefined : own(beside.before, name);
      let node: FieldNode | undefined;
      if (before !== undefined) node = beside?.compare(type, before, given);
      else if (type !== undefined) node = this.visit(type, given, this.#whole || isClaimed(declared, given));
      if (node === undefined) continue;
      if (declared === undefined) {
        others ??= [];
        others.push([fieldElement(name), node]);
      } else this.#insert(base, declared, node);
    }
    const node =
      others === undefined ? this.#declaredNode(base, member) : this.#mixedNode(base, { member, later }, others);
    this.#found = base;
    return node;
  }

  /** Keeps the members found in the order of their elements. */
  #insert(base: number, member: Member, node: FieldNode): void {
    const members = this.#members;
    const nodes = this.#nodes;
    let place = this.#found++;
    for (; place > base && (members[place - 1] as Member).place > member.place; place--) {
      members[place] = members[place - 1] as Member;
      nodes[place] = nodes[place - 1] as FieldNode;
    }
    members[place] = member;
    nodes[place] = node;
  }

  #declaredNode(base: number, member: boolean): FieldNode | undefined {
    if (this.#found === base) return member ? LEAF : undefined;
    const node = emptyNode(member);
    for (let at = base; at < this.#found; at++) {
      node[(this.#members[at] as Member).element] = this.#nodes[at] as FieldNode;
    }
    return node;
  }

  #mixedNode(base: number, { member, later }: MapStep, others: [PathElement, FieldNode][]): FieldNode | undefined {
    for (let at = base; at < this.#found; at++) {
      others.push([(this.#members[at] as Member).element, this.#nodes[at] as FieldNode]);
    }
    if (later === undefined || others.length <= limits.membersInStep) return nodeOf(member, others);
    return membersLater(member, others, later);
  }
}

/** The node of a map of many members, which is filled when there is time. */
function membersLater(member: boolean, members: readonly [PathElement, FieldNode][], later: LeftForLater): FieldNode {
  const node = emptyNode(member);
  later.add(function* () {
    const elements: PathElement[] = [];
    const nodes = new Map<PathElement, FieldNode>();
    for (const [element, below] of members) {
      if (elements.length % limits.membersInStep === 0) yield;
      elements.push(element);
      nodes.set(element, below);
    }
    yield;
    // Elements of members, all of one sort, stand by name.
    elements.sort();
    for (const [index, element] of elements.entries()) {
      if (index % limits.membersInStep === 0) yield;
      node[element] = nodes.get(element) as FieldNode;
    }
  });
  return node;
}

/** Whether an apply claims the place of a map or list, and not only what is in it. */
function isClaimed(declared: Member | undefined, given: Json): boolean {
  return declared === undefined || given === null || (isMap(given) && isEmpty(given));
}

function isEmpty(map: JsonObject): boolean {
  for (const _ in map) return false;
  return true;
}

/** A member's value; what every object inherits is none. */
function own(value: JsonObject, name: string): Json | undefined {
  const given = value[name];
  return given === undefined || Object.hasOwn(value, name) ? given : undefined;
}
