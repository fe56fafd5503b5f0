// Merging of an applied value into a live one: applied values win, and omitted ones are kept. Neither argument is
// modified; the result shares their parts.

import { isObject } from '../api/is-object.ts';
import { setMember } from '../api/json-decoder.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { limits } from '../base/limits.ts';
import { allPass, eachOf, inParts, part } from '../base/resumed.ts';
import type { Steps } from '../base/steps.ts';
import { type IndexedItems, indexItems } from './list-items.ts';
import type { PathElement } from './path-element.ts';
import { formOf, type ListValueType, type MapValueType, memberType, UNTYPED, type ValueType } from './value-type.ts';

/** @throws ItemError for items without keys */
export function mergeValues(type: ValueType, live: Json | undefined, applied: Json | undefined): Json {
  if (live === undefined || applied === undefined) return (applied ?? live ?? null) as Json;
  switch (formOf(type, applied)) {
    case 'scalar':
      return applied;
    case 'list':
      return mergeLists(type.list as ListValueType, live, applied);
    case 'map':
      return mergeMaps(type.map as MapValueType, live, applied);
  }
}

function mergeMaps(map: MapValueType, live: Json, applied: Json): Json {
  if (map.atomic || !isObject(live) || part(() => Object.keys(live).length) === 0) return applied;
  // Null means that the applier has an opinion on the map, but not on its entries.
  if (!isObject(applied)) return live;
  const ownOf = (name: string) => (Object.hasOwn(live, name) ? live[name] : undefined);
  const names = part(() => Object.keys(applied));
  const values = eachOf(names, (name) =>
    mergeValues(memberType(map, name) ?? UNTYPED, ownOf(name), ownMember(applied, name)),
  );
  // Usually an apply changes nothing, and then nothing is allocated.
  const isSame = allPass(names, (name, index) => values[index] === ownOf(name));
  return isSame ? live : inParts(() => merging(live, names, values));
}

function* merging(live: JsonObject, names: readonly string[], values: readonly Json[]): Steps<JsonObject> {
  const merged: JsonObject = {};
  let left: number = limits.membersInStep;
  const own = Object.keys(live);
  for (const [index, name] of [...own, ...names].entries()) {
    if (--left < 0) {
      left = limits.membersInStep;
      yield;
    }
    setMember(
      merged,
      name,
      index < own.length ? (ownMember(live, name) as Json) : (values[index - own.length] as Json),
    );
  }
  return merged;
}

function mergeLists(list: ListValueType, live: Json, applied: Json): Json {
  if (list.atomic || !Array.isArray(live) || live.length === 0) return applied;
  if (!Array.isArray(applied)) return live;
  const merged = new ItemMerge(list, live, applied).run();
  const isSame = merged.length === live.length && merged.every((item, at) => item === live[at]);
  return isSame ? live : merged;
}

/**
 * Items in both lists have the applied order; others stay near their neighbours: live ones where they were, new ones
 * right before the next item that both lists have.
 */
class ItemMerge {
  readonly #type: ListValueType;
  readonly #liveItems: readonly Json[];
  readonly #live: IndexedItems;
  readonly #applied: IndexedItems;
  readonly #shared: PathElement[];
  /** The merged items. */
  readonly #values: ReadonlyMap<PathElement, Json>;
  readonly #placed = new Set<PathElement>();
  readonly #merged: Json[] = [];

  constructor(type: ListValueType, live: readonly Json[], applied: readonly Json[]) {
    this.#type = type;
    this.#liveItems = live;
    this.#live = indexItems(type, live);
    this.#applied = indexItems(type, applied);
    this.#shared = this.#applied.elements.filter((element) => this.#live.byElement.has(element)).reverse();
    const { elements } = this.#applied;
    const values = eachOf(elements, (element) => this.#valueOf(element));
    this.#values = new Map(values.map((value, index) => [elements[index] as PathElement, value]));
  }

  /** Live duplicates are replaced by the applied item. */
  #valueOf(element: PathElement): Json {
    const own = this.#live.byElement.get(element);
    const [item] = this.#applied.byElement.get(element) as readonly [Json];
    return mergeValues(this.#type.items, own?.length === 1 ? own[0] : undefined, item);
  }

  run(): Json[] {
    const { elements: live } = this.#live;
    const { elements: applied, byElement } = this.#applied;
    let left = 0;
    let right = 0;
    while (left < live.length || right < applied.length) {
      const here = live[left];
      const wanted = applied[right];
      if (here !== undefined && !byElement.has(here)) {
        this.#merged.push(this.#liveItems[left++] as Json);
      } else if (here !== undefined && here === wanted) {
        this.#place(wanted);
        left++;
        right++;
      } else if (here !== undefined && wanted !== undefined && this.#isMisplaced(here)) {
        left++;
      } else {
        if (here !== undefined && this.#placed.has(here)) left++;
        if (wanted === undefined) continue;
        this.#place(wanted);
        right++;
      }
    }
    return this.#merged;
  }

  /** Both lists have it, but the applied one has another common item first. */
  #isMisplaced(element: PathElement): boolean {
    const next = this.#shared.at(-1);
    return next !== undefined && next !== element;
  }

  #place(element: PathElement): void {
    if (this.#shared.at(-1) === element) this.#shared.pop();
    this.#placed.add(element);
    this.#merged.push(this.#values.get(element) as Json);
  }
}
