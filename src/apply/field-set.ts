// Sets of paths. A set is represented in the form of FieldsV1: an object from path elements to the set below them,
// where `.` means that the path itself is in the set, and an empty object that only the path is. Stored entries are
// therefore sets already, and storing a set costs nothing. Sets are immutable; operations return a set that shares
// unchanged parts, and the argument itself if nothing changed.

import { ownMember } from '../api/own-member.ts';
import { limits } from '../base/limits.ts';
import { allPass, eachOf, hasParts, inParts, part } from '../base/resumed.ts';
import { sorting } from '../base/sorting.ts';
import type { Steps } from '../base/steps.ts';
import { compareElements, elementText, type PathElement } from './path-element.ts';

/** A set at one path and below. */
export interface FieldNode {
  readonly [element: PathElement]: FieldNode;
}

/** Undefined for the empty set. The root itself is never in a set. */
export type FieldSet = FieldNode | undefined;

export const SELF = '.';

/** The path and nothing below it. */
export const LEAF: FieldNode = Object.freeze({});

/** Whether the path itself is in the set. */
export function isMember(node: FieldNode | undefined): boolean {
  return node !== undefined && (SELF in node || isEmpty(node));
}

function isEmpty(node: FieldNode): boolean {
  return node === LEAF || (hasParts() ? part(() => hasOnly(node)) : hasOnly(node));
}

/** Enumerating the elements takes some time if there are many, even if only the first is looked at. */
function hasOnly(node: FieldNode, only?: PathElement): boolean {
  for (const element in node) if (element !== only) return false;
  return true;
}

/** Whether there is nothing below the path. */
export function isLeaf(node: FieldNode): boolean {
  return node === LEAF || (hasParts() ? part(() => hasOnly(node, SELF)) : hasOnly(node, SELF));
}

/** The elements below a path, in order. */
export function elementsOf(node: FieldNode): PathElement[] {
  const elements = Object.keys(node);
  return elements[0] === SELF ? elements.slice(1) : elements.filter((each) => each !== SELF);
}

/** A node to be filled with what is below it, in the order of its elements. */
export function emptyNode(member: boolean): Record<PathElement, FieldNode> {
  const node: Record<PathElement, FieldNode> = {};
  if (member) node[SELF] = LEAF;
  return node;
}

/** Builds a node from what is below it; elements may have any order. */
export function nodeOf(member: boolean, children: [PathElement, FieldNode][]): FieldNode | undefined {
  if (children.length === 0) return member ? LEAF : undefined;
  if (children.length > MEMBERS_IN_PART && hasParts()) return inParts(() => building(member, children));
  if (children.length > 1 && !isSorted(children)) children.sort(([one], [other]) => compareElements(one, other));
  const node = emptyNode(member);
  for (const [element, child] of children) node[element] = child;
  return node;
}

/** Members of one node that are handled before a computation in parts may be broken off. */
const MEMBERS_IN_PART = limits.membersInStep / 4;

function* building(member: boolean, children: [PathElement, FieldNode][]): Steps<FieldNode> {
  const inOrder = yield* sorting(children, ([one], [other]) => compareElements(one, other));
  const node = emptyNode(member);
  for (const [index, [element, child]] of inOrder.entries()) {
    if (index % MEMBERS_IN_PART === 0) yield;
    node[element] = child;
  }
  return node;
}

function isSorted(children: readonly [PathElement, FieldNode][]): boolean {
  for (let index = 1; index < children.length; index++) {
    const [one] = children[index - 1] as [PathElement, FieldNode];
    const [other] = children[index] as [PathElement, FieldNode];
    if (compareElements(one, other) > 0) return false;
  }
  return true;
}

/** A set of one path, which must not be empty. */
export function pathSet(elements: readonly PathElement[]): FieldNode {
  return elements.reduceRight<FieldNode>((below, element) => ({ [element]: below }), LEAF);
}

/** Whether a path is in a set. */
export function hasPath(set: FieldSet, path: readonly PathElement[]): boolean {
  let node = set;
  for (const element of path) node = ownMember(node, element);
  return isMember(node);
}

export function union(one: FieldSet, other: FieldSet): FieldSet {
  if (one === undefined || one === other) return other;
  if (other === undefined || includes(one, other)) return one;
  const own = part(() => elementsOf(one));
  const children = eachOf(own, (element): [PathElement, FieldNode] => [
    element,
    union(ownMember(one, element), ownMember(other, element)) as FieldNode,
  ]);
  const others = part(() => elementsOf(other).filter((element) => ownMember(one, element) === undefined));
  for (const element of others) children.push([element, ownMember(other, element) as FieldNode]);
  return nodeOf(isMember(one) || isMember(other), children);
}

/** The union of all sets, in pairs, so that no element is copied more than a few times. */
export function unionOfAll(sets: readonly FieldSet[]): FieldSet {
  if (sets.length <= 2) return sets.length === 2 ? union(sets[0], sets[1]) : sets[0];
  const middle = sets.length >> 1;
  const [first, second] = [sets.slice(0, middle), sets.slice(middle)];
  return union(
    part(() => unionOfAll(first)),
    part(() => unionOfAll(second)),
  );
}

/** Whether all paths of the second set are in the first. */
export function includes(one: FieldSet, other: FieldSet): boolean {
  if (other === undefined || one === other) return true;
  if (one === undefined) return false;
  if (isMember(other) && !isMember(one)) return false;
  if (hasParts()) {
    const elements = part(() => elementsOf(other));
    return allPass(elements, (element) => includes(ownMember(one, element), ownMember(other, element)));
  }
  for (const element in other) {
    if (element !== SELF && !includes(ownMember(one, element), other[element])) return false;
  }
  return true;
}

/** The paths of the first set that are not in the second; those below them remain. */
export function difference(one: FieldSet, other: FieldSet): FieldSet {
  if (one === undefined || other === undefined) return one;
  return rebuilt(one, isMember(one) && !isMember(other), (child, element) =>
    difference(child, ownMember(other, element)),
  );
}

/** Like `difference`, but also removes what is below a path of the second set. */
export function differenceBelow(one: FieldSet, other: FieldSet): FieldSet {
  if (one === undefined || other === undefined) return one;
  return isMember(other)
    ? undefined
    : rebuilt(one, isMember(one), (child, element) => differenceBelow(child, ownMember(other, element)));
}

export function intersection(one: FieldSet, other: FieldSet): FieldSet {
  if (one === undefined || one === other) return one;
  if (other === undefined) return undefined;
  return rebuilt(one, isMember(one) && isMember(other), (child, element) =>
    intersection(child, ownMember(other, element)),
  );
}

function rebuilt(
  node: FieldNode,
  member: boolean,
  keep: (child: FieldNode, element: PathElement) => FieldSet,
): FieldNode | undefined {
  if (hasParts()) return rebuiltInParts(node, member, keep);
  let changed = member !== isMember(node);
  let size = 0;
  const next = emptyNode(member);
  for (const element in node) {
    if (element === SELF) continue;
    const child = node[element] as FieldNode;
    const kept = keep(child, element);
    if (kept !== child) changed = true;
    if (kept === undefined) continue;
    next[element] = kept;
    size++;
  }
  if (!changed) return node;
  if (size > 0) return next;
  return member ? LEAF : undefined;
}

function rebuiltInParts(
  node: FieldNode,
  member: boolean,
  keep: (child: FieldNode, element: PathElement) => FieldSet,
): FieldNode | undefined {
  const elements = part(() => elementsOf(node));
  const kept = eachOf(elements, (element) => keep(ownMember(node, element) as FieldNode, element));
  const isSame = (below: FieldSet, index: number) => below === ownMember(node, elements[index] as PathElement);
  if (member === isMember(node) && kept.every(isSame)) return node;
  const children: [PathElement, FieldNode][] = [];
  for (const [index, below] of kept.entries()) {
    if (below !== undefined) children.push([elements[index] as PathElement, below]);
  }
  return nodeOf(member, children);
}

/** All paths of a set as in messages: at each level those that end first, then the longer ones. */
export function pathTexts(set: FieldSet, prefix = ''): string[] {
  if (set === undefined) return [];
  const elements = elementsOf(set);
  const ending = elements.filter((element) => isMember(ownMember(set, element)));
  return [
    ...ending.map((element) => prefix + elementText(element)),
    ...elements.flatMap((element) => pathTexts(ownMember(set, element), prefix + elementText(element))),
  ];
}
