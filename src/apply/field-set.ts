// Sets of paths. A set is held in the very form in which FieldsV1 is written: an object from path elements to what the
// set has below them, where `.` says that the place itself is in the set and an empty object that only the place is.
// So stored entries are sets already, and writing a set down costs nothing. Sets are never changed; operations give a
// set that shares what stayed the same, and the argument itself where nothing changed.

import { compareElements, elementText, type PathElement } from './path-element.ts';

/** What a set has at one place and below. */
export interface FieldNode {
  readonly [element: PathElement]: FieldNode;
}

/** Undefined: no path at all. The root itself is never in a set. */
export type FieldSet = FieldNode | undefined;

const SELF = '.';

/** The place and nothing below it. */
export const LEAF: FieldNode = Object.freeze({});

/** Whether the place itself is in the set. */
export function isMember(node: FieldNode | undefined): boolean {
  if (node === undefined) return false;
  for (const element in node) return element === SELF || SELF in node;
  return true;
}

/** Whether there is nothing below the place. */
export function isLeaf(node: FieldNode): boolean {
  for (const element in node) if (element !== SELF) return false;
  return true;
}

/** The elements below a place, in their order. */
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

/** Puts a node together from what is below it; elements come in any order. */
export function nodeOf(member: boolean, children: [PathElement, FieldNode][]): FieldNode | undefined {
  if (children.length === 0) return member ? LEAF : undefined;
  if (children.length > 1 && !isSorted(children)) children.sort(([one], [other]) => compareElements(one, other));
  const node = emptyNode(member);
  for (const [element, child] of children) node[element] = child;
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
  for (const element of path) node = node?.[element];
  return isMember(node);
}

export function union(one: FieldSet, other: FieldSet): FieldSet {
  if (one === undefined || one === other) return other;
  if (other === undefined || includes(one, other)) return one;
  const children: [PathElement, FieldNode][] = [];
  for (const element of elementsOf(one)) children.push([element, union(one[element], other[element]) as FieldNode]);
  for (const element of elementsOf(other)) {
    if (one[element] === undefined) children.push([element, other[element] as FieldNode]);
  }
  return nodeOf(isMember(one) || isMember(other), children);
}

/** Whether all paths of the second set are in the first. */
export function includes(one: FieldSet, other: FieldSet): boolean {
  if (other === undefined || one === other) return true;
  if (one === undefined) return false;
  if (isMember(other) && !isMember(one)) return false;
  for (const element in other) {
    if (element !== SELF && !includes(one[element], other[element])) return false;
  }
  return true;
}

/** The paths of the first set that are not in the second; what lies below those stays. */
export function difference(one: FieldSet, other: FieldSet): FieldSet {
  if (one === undefined || other === undefined) return one;
  return rebuilt(one, isMember(one) && !isMember(other), (child, element) => difference(child, other[element]));
}

/** As `difference`, but what lies below a path of the second set goes with it. */
export function differenceBelow(one: FieldSet, other: FieldSet): FieldSet {
  if (one === undefined || other === undefined) return one;
  return isMember(other)
    ? undefined
    : rebuilt(one, isMember(one), (child, element) => differenceBelow(child, other[element]));
}

export function intersection(one: FieldSet, other: FieldSet): FieldSet {
  if (one === undefined || one === other) return one;
  if (other === undefined) return undefined;
  return rebuilt(one, isMember(one) && isMember(other), (child, element) => intersection(child, other[element]));
}

function rebuilt(
  node: FieldNode,
  member: boolean,
  keep: (child: FieldNode, element: PathElement) => FieldSet,
): FieldNode | undefined {
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

/** All paths of a set as messages write them: at each place first those that end below it, then the longer ones. */
export function pathTexts(set: FieldSet, prefix = ''): string[] {
  if (set === undefined) return [];
  const elements = elementsOf(set);
  const ending = elements.filter((element) => isMember(set[element]));
  return [
    ...ending.map((element) => prefix + elementText(element)),
    ...elements.flatMap((element) => pathTexts(set[element], prefix + elementText(element))),
  ];
}
