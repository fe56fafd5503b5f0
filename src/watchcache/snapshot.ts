// A snapshot of the cache: the keys that a selection may match, and the objects among them that it does match.

import { compareKeys, type KeyRange, keyAfter, keyAfterPrefix, type SortedMap } from '../base/sorted-map.ts';
import type { CachedObject, Selection, Snapshot } from './types.ts';

/** The objects of one state, by key. */
export type Objects = SortedMap<CachedObject>;

/** The form of a resource's keys: the prefix, which ends in '/', then the namespace and '/', then the name. */
export interface KeyLayout {
  readonly prefix: string;
  readonly namespaced: boolean;
}

/** The only key that a selection may match; undefined if there may be several. */
export function selectedKey(layout: KeyLayout, { namespace, name }: Selection): string | undefined {
  if (name === undefined) return undefined;
  if (!layout.namespaced) return layout.prefix + name;
  return namespace === undefined ? undefined : `${layout.prefix}${namespace}/${name}`;
}

/** Whether the object is in scope and matches. */
export function selects(selection: Selection, object: CachedObject): boolean {
  return isInScope(selection, object) && (selection.matches === undefined || selection.matches(object));
}

function isInScope({ namespace, name }: Selection, object: CachedObject): boolean {
  return (namespace === undefined || namespace === object.namespace) && (name === undefined || name === object.name);
}

function* inScope(
  selection: Selection,
  groups: Iterable<readonly CachedObject[]>,
): Generator<readonly CachedObject[], void, undefined> {
  for (const group of groups) yield group.filter((object) => isInScope(selection, object));
}

export class StateSnapshot implements Snapshot {
  readonly revision: number;
  readonly #layout: KeyLayout;
  readonly #objects: Objects;

  constructor(revision: number, layout: KeyLayout, objects: Objects) {
    this.revision = revision;
    this.#layout = layout;
    this.#objects = objects;
  }

  get(key: string): CachedObject | undefined {
    return this.#objects.get(key);
  }

  count({ namespace, name }: Selection, after?: string): number {
    const scope = { namespace, name, matches: undefined };
    if (this.#isWholeRange(scope)) return this.#objects.count(rangeAfter(this.#range(scope), after));
    let count = 0;
    for (const _ of this.objects(scope, after)) count += 1;
    return count;
  }

  objects(selection: Selection, after?: string): Generator<CachedObject, void, undefined> {
    const range = rangeAfter(this.#range(selection), after);
    const accept = this.#isWholeRange(selection)
      ? selection.matches
      : (object: CachedObject) => selects(selection, object);
    return this.#objects.values(range, accept);
  }

  candidates(selection: Selection, start?: string): Iterable<readonly CachedObject[]> {
    const { from, before } = this.#range(selection);
    const groups = this.#objects.groups({ from: start === undefined ? from : later(from, start), before });
    return this.#isWholeRange(selection) ? groups : inScope(selection, groups);
  }

  /** Whether all objects in the selection's range are in scope. */
  #isWholeRange({ namespace, name }: Selection): boolean {
    return name === undefined && (this.#layout.namespaced || namespace === undefined);
  }

  /** The narrowest range of all keys in scope. */
  #range(selection: Selection): KeyRange {
    const key = selectedKey(this.#layout, selection);
    if (key !== undefined) return { from: key, before: keyAfter(key) };
    if (!this.#layout.namespaced || selection.namespace === undefined) return {};
    const prefix = `${this.#layout.prefix}${selection.namespace}/`;
    return { from: prefix, before: keyAfterPrefix(prefix) };
  }
}

/** The part of a range after the key `after`. */
function rangeAfter({ from, before }: KeyRange, after: string | undefined): KeyRange {
  return { from: after === undefined ? from : later(from, keyAfter(after)), before };
}

function later(one: string | undefined, other: string): string {
  return one !== undefined && compareKeys(one, other) > 0 ? one : other;
}
