// Index of the watchers that an event may concern, so that a watch of one object costs nothing when another is written.

import { type KeyLayout, selectedKey } from './snapshot.ts';
import type { CachedObject, Selection } from './types.ts';

interface Selective {
  readonly selection: Selection;
}

type Group<W> = Map<string, Set<W>>;

export class WatcherIndex<W extends Selective> {
  readonly #layout: KeyLayout;
  readonly #byKey: Group<W> = new Map();
  readonly #byNamespace: Group<W> = new Map();
  /** Those whose scope is neither one object nor one namespace are under ''. */
  readonly #others: Group<W> = new Map();

  constructor(layout: KeyLayout) {
    this.#layout = layout;
  }

  add(watcher: W): void {
    const [group, id] = this.#placeOf(watcher);
    const watchers = group.get(id);
    if (watchers === undefined) group.set(id, new Set([watcher]));
    else watchers.add(watcher);
  }

  remove(watcher: W): void {
    const [group, id] = this.#placeOf(watcher);
    const watchers = group.get(id);
    watchers?.delete(watcher);
    if (watchers?.size === 0) group.delete(id);
  }

  /**
   * Calls `visit` for all watchers whose scope may include the object. Watchers may be added and removed meanwhile:
   * removed ones are not visited.
   */
  visit(object: CachedObject, visit: (watcher: W) => void): void {
    this.#byKey.get(object.key)?.forEach(visit);
    this.#byNamespace.get(object.namespace)?.forEach(visit);
    this.#others.get('')?.forEach(visit);
  }

  *[Symbol.iterator](): Generator<W, void, undefined> {
    for (const group of [this.#byKey, this.#byNamespace, this.#others]) {
      for (const watchers of group.values()) yield* watchers;
    }
  }

  #placeOf({ selection }: W): [group: Group<W>, id: string] {
    const key = selectedKey(this.#layout, selection);
    if (key !== undefined) return [this.#byKey, key];
    if (selection.namespace !== undefined) return [this.#byNamespace, selection.namespace];
    return [this.#others, ''];
  }
}
