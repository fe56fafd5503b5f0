// Strategic merge of lists: objects by their merge key, scalars as a set. The caller merges items.

import { goText } from '../api/go-text.ts';
import { isObject } from '../api/is-object.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { inElementOrder } from './element-order.ts';
import { badArgumentType, noMergeKey, notApplicable, notMergeable, unknownPatchType } from './patch-errors.ts';

export interface ListMerge {
  readonly mergeKey: string | undefined;
  /** Merges an item of the patch into the live item with the same key. */
  readonly mergeItem: (live: JsonObject, item: JsonObject) => JsonObject;
  /** Handles an item of the patch that is not in the live list. */
  readonly newItem: (item: JsonObject) => Json;
}

/**
 * The live list with the patch's items merged in; an empty patch changes nothing.
 * @throws ApiError 422 for lists of lists, 500 for items of different types or without the merge key, and for unknown
 * directives.
 */
export function mergeLists(live: readonly Json[], patch: readonly Json[], merge: ListMerge): Json[] {
  if (patch.length === 0) return live as Json[];
  if (itemType(live, patch) !== 'map') {
    if (merge.mergeKey !== undefined) throw notMergeable('expected a map, but received a scalar');
    const all = [...new Set([...live, ...patch])];
    return inElementOrder(all, { wanted: patch, live, keyOf: (item) => item });
  }
  if (merge.mergeKey === undefined) throw notMergeable('cannot merge lists without merge key for struct');
  return mergeKeyed(live as JsonObject[], patch as JsonObject[], { ...merge, mergeKey: merge.mergeKey });
}

/** The live list of scalars without those in `$deleteFromPrimitiveList`. */
export function withoutScalars(live: readonly Json[], deleted: readonly Json[]): Json[] {
  const gone = new Set(deleted);
  return live.filter((item) => !gone.has(item));
}

/** The common type of the lists' items, by Kubernetes' names: `map`, `string`, `int64` … */
export function itemType(...lists: readonly (readonly Json[])[]): string {
  let type: string | undefined;
  for (const list of lists) {
    for (const item of list) {
      const next = typeOf(item);
      if (type === undefined && next === 'list') throw notApplicable('lists of lists are not supported');
      if (type !== undefined && type !== next)
        throw notMergeable(`list element types are not identical: ${goText(lists as Json)}`);
      type = next;
    }
  }
  return type ?? 'none';
}

/** The values of the items' merge key. */
export function mergeKeys(items: readonly Json[], mergeKey: string): Json[] {
  return items.map((item) => {
    if (!isObject(item)) throw badArgumentType('map[string]interface {}', item);
    return keyOf(item, mergeKey);
  });
}

function mergeKeyed(
  live: readonly JsonObject[],
  patch: readonly JsonObject[],
  merge: ListMerge & { readonly mergeKey: string },
): Json[] {
  const { mergeKey, mergeItem, newItem } = merge;
  const { deleted, replaces, items } = directives(patch, mergeKey);
  if (replaces) {
    mergeKeys(items, mergeKey);
    return items;
  }
  mergeKeys(items, mergeKey);
  const kept = deleted.size === 0 ? live : live.filter((item) => !deleted.has(ownMember(item, mergeKey)));
  const liveKeys = mergeKeys(kept, mergeKey);
  const result: Json[] = [...kept];
  const places = new Map<Json, number>();
  liveKeys.forEach((key, place) => {
    if (!places.has(key)) places.set(key, place);
  });
  const wanted: Json[] = [];
  let added = false;
  for (const item of items) {
    const key = keyOf(item, mergeKey);
    wanted.push(key);
    const place = places.get(key);
    if (place !== undefined) result[place] = mergeItem(result[place] as JsonObject, item);
    else {
      places.set(key, result.length);
      result.push(newItem(item));
      added = true;
    }
  }
  // Live items with the same key are moved next to each other.
  if (!added && wanted.length < 2 && places.size === liveKeys.length) return result;
  return inElementOrder(result, { wanted, live: liveKeys, keyOf: (item) => keyOf(item as JsonObject, mergeKey) });
}

/**
 * The keys by which a `$setElementOrder` places items beside live ones: new items count as live in the places of those
 * that the patch deletes, because Kubernetes puts them there before it sorts.
 * @param live keys of the live items
 */
export function placesAfter(live: readonly Json[], patch: readonly Json[], mergeKey: string): Json[] {
  const { deleted, replaces, items } = directives(patch as JsonObject[], mergeKey);
  if (replaces || deleted.size === 0) return [...live];
  const places = live.filter((key) => !deleted.has(key));
  const known = new Set(places);
  const added = [...new Set(mergeKeys(items, mergeKey))].filter((key) => !known.has(key));
  return [...places, ...added.slice(0, live.length - places.length)];
}

interface ListDirectives {
  /** Keys of the items to remove. */
  readonly deleted: ReadonlySet<Json | undefined>;
  /** The patch's items replace the whole list. */
  readonly replaces: boolean;
  readonly items: JsonObject[];
}

/** The directives of items with a `$patch`, and the other items. */
function directives(patch: readonly JsonObject[], mergeKey: string): ListDirectives {
  const deleted = new Set<Json>();
  let replaces = false;
  const items: JsonObject[] = [];
  for (const item of patch) {
    const directive = ownMember(item, '$patch');
    if (directive === undefined) items.push(item);
    else if (directive === 'delete') deleted.add(keyOf(item, mergeKey));
    else if (directive === 'replace') replaces = true;
    else if (directive === 'merge') throw notMergeable('merging lists cannot yet be specified in the patch');
    else throw unknownPatchType(item);
  }
  return { deleted, replaces, items };
}

function keyOf(item: JsonObject, mergeKey: string): Json {
  const key = ownMember(item, mergeKey);
  if (key === undefined) throw noMergeKey(item, mergeKey);
  return key;
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  switch (typeof value) {
    case 'object':
      return 'map';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    case 'bigint':
      return 'int64';
    default:
      return 'string';
  }
}
