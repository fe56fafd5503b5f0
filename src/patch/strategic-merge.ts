// Strategic merge patch: objects are merged member by member as in a merge patch, and lists are merged if the schema
// gives their field the strategy `merge`. Directives in the patch ($patch, $retainKeys, $setElementOrder/x,
// $deleteFromPrimitiveList/x) override that for one location. Uses schema nodes, independently of kinds.

import type { ApiError } from '../api/errors.ts';
import { goText } from '../api/go-text.ts';
import { isObject } from '../api/is-object.ts';
import { setMember } from '../api/json-decoder.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { lookup } from '../base/lookup.ts';
import type { Field, Node } from '../schema/node.ts';
import { inElementOrder } from './element-order.ts';
import { badArgumentType, badDirective, notAMap, notMergeable, unknownPatchType } from './patch-errors.ts';
import { itemType, type ListMerge, mergeKeys, mergeLists, placesAfter, withoutScalars } from './strategic-list.ts';

const PATCH = '$patch';
const RETAIN_KEYS = '$retainKeys';
const SET_ELEMENT_ORDER = '$setElementOrder';
const DELETE_FROM_LIST = '$deleteFromPrimitiveList';

/**
 * Checks a body parsed from JSON; null is a patch that changes nothing.
 * @throws ApiError 400 for anything but an object.
 */
export function parseStrategicMergePatch(value: unknown): JsonObject {
  if (value === null) return {};
  if (!isObject(value)) throw notAMap(value);
  return value;
}

/**
 * The document with the patch applied. Neither argument is modified; unchanged parts are shared.
 * @param node the type of the document; unknown members are merged as in a merge patch
 * @throws ApiError 400 for invalid `$retainKeys` and list directives, 422 for lists of lists, 500 without a reason for
 *   items without their merge key, unknown directives and orders that contradict the patch.
 */
export function applyStrategicMergePatch(document: JsonObject, patch: JsonObject, node: Node | undefined): JsonObject {
  const names = Object.keys(patch);
  if (names.length === 0) return document;
  if (hasPatch(patch)) return directed(patch);

  const result = { ...document };
  const directives = names.filter((name) => name.startsWith('$'));
  if (directives.length === 0) {
    for (const name of names) mergeMember(result, name, { value: ownMember(patch, name) as Json, node });
    return result;
  }

  if (Object.hasOwn(patch, RETAIN_KEYS)) retainKeys(result, patch);
  const done = new Set<string>([RETAIN_KEYS]);
  for (const name of directives) {
    if (!name.startsWith(SET_ELEMENT_ORDER)) continue;
    done.add(name);
    const listName = orderList(result, patch, { directive: name, node });
    if (listName !== undefined) done.add(listName);
  }
  for (const name of directives) {
    if (!name.startsWith(DELETE_FROM_LIST)) continue;
    done.add(name);
    deleteFromList(result, name, ownMember(patch, name) as Json);
  }
  for (const name of names) {
    if (!done.has(name)) mergeMember(result, name, { value: ownMember(patch, name) as Json, node });
  }
  return result;
}

/** The merge facts of a field; undefined for an unknown member. */
type MergeField = Pick<Field, 'node' | 'patchStrategy' | 'patchMergeKey'>;

interface MemberPatch {
  readonly value: Json;
  /** The type of a member; undefined if unknown. */
  readonly node: Node | undefined;
}

function fieldOf(node: Node | undefined, name: string): MergeField | undefined {
  if (node?.kind === 'struct') return node.jsonFields.get(name);
  if (node?.kind === 'map') return { node: node.values, patchStrategy: undefined, patchMergeKey: undefined };
  return undefined;
}

/** Whether the field has this strategy, possibly combined with `retainKeys`. */
function hasStrategy(field: MergeField | undefined, strategy: 'merge' | 'replace'): boolean {
  const declared = field?.patchStrategy;
  return declared !== undefined && (declared === strategy || declared.split(',').includes(strategy));
}

function directed(patch: JsonObject): JsonObject {
  const directive = patch[PATCH];
  if (directive === 'delete') return {};
  if (directive !== 'replace') throw unknownPatchType(patch);
  const result = { ...patch };
  delete result[PATCH];
  return result;
}

/**
 * Merges one member of a patch into an object that is not shared.
 * @throws ApiError 500 without a reason for a merge inside an opaque value
 */
function mergeMember(result: JsonObject, name: string, { value, node }: MemberPatch): void {
  if (value === null) {
    delete result[name];
    return;
  }
  const live = ownMember(result, name);
  const field = fieldOf(node, name);
  const isMerged = (isObject(live) && isObject(value)) || (Array.isArray(live) && Array.isArray(value));
  if (isMerged && node !== undefined && field === undefined) throw noSuchField(node, name);
  let merged: Json | undefined;
  if (isObject(live) && isObject(value)) {
    merged = hasStrategy(field, 'replace') ? value : applyStrategicMergePatch(live, value, field?.node);
  } else if (Array.isArray(live) && Array.isArray(value)) {
    merged = mergeFieldLists(live, value, field);
  } else {
    merged = takenWhole(value);
  }
  if (merged === undefined) delete result[name];
  else setMember(result, name, merged);
}

function mergeFieldLists(live: Json[], patch: Json[], field: MergeField | undefined): Json[] {
  if (!hasStrategy(field, 'merge')) return patch;
  const itemNode = field?.node.kind === 'list' ? field.node.items : undefined;
  const merge: ListMerge = {
    mergeKey: field?.patchMergeKey,
    mergeItem: (item, change) => applyStrategicMergePatch(item, change, itemNode),
    newItem: (item) => item,
  };
  return mergeLists(live, patch, merge);
}

/**
 * A value that replaces nothing, or something of another type: without nulls in its objects, and without objects with a
 * `$patch`. Undefined if it is such an object itself. Other directives remain, and decoding reports them like any
 * unknown member.
 */
function takenWhole(value: Json): Json | undefined {
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of value) {
      const kept = takenWhole(item);
      if (kept !== undefined) items.push(kept);
    }
    return items;
  }
  if (!isObject(value)) return value;
  if (hasPatch(value)) return undefined;
  const result: JsonObject = {};
  for (const name of Object.keys(value)) {
    const member = value[name] as Json;
    if (member === null) continue;
    const kept = takenWhole(member);
    if (kept !== undefined) setMember(result, name, kept);
  }
  return result;
}

/** Removes what `$retainKeys` does not list; whatever the patch sets must be listed. */
function retainKeys(result: JsonObject, patch: JsonObject): void {
  const list = patch[RETAIN_KEYS];
  if (!Array.isArray(list)) throw badDirective('retainKeys');
  const retained = new Set(list);
  for (const name of Object.keys(patch)) {
    if (patch[name] === null || name === RETAIN_KEYS || retained.has(name)) continue;
    if (name.startsWith(DELETE_FROM_LIST) || name.startsWith(SET_ELEMENT_ORDER)) continue;
    throw badDirective('retainKeys');
  }
  for (const name of Object.keys(result)) if (!retained.has(name)) delete result[name];
}

/** The name after a directive's slash. */
function listNameOf(directive: string, prefix: string): string {
  const slash = directive.indexOf('/');
  if (directive.slice(0, slash) === prefix) return directive.slice(slash + 1);
  throw badDirective(prefix === SET_ELEMENT_ORDER ? 'setElementOrder list' : 'primitive list');
}

function deleteFromList(result: JsonObject, directive: string, deleted: Json): void {
  const name = listNameOf(directive, DELETE_FROM_LIST);
  const live = ownMember(result, name);
  if (deleted === null) delete result[name];
  else if (Array.isArray(live) && Array.isArray(deleted) && itemType(live, deleted) !== 'map') {
    setMember(result, name, withoutScalars(live, deleted));
  }
}

/**
 * Merges the list of a `$setElementOrder` and sorts it accordingly.
 * @returns the list's name in the patch, which is then complete; undefined if there is no such list
 */
function orderList(result: JsonObject, patch: JsonObject, { directive, node }: Ordering): string | undefined {
  const order = ownMember(patch, directive);
  if (!Array.isArray(order)) throw badArgumentType('[]interface {}', order ?? null);
  const name = listNameOf(directive, SET_ELEMENT_ORDER);
  const live = ownMember(result, name) ?? [];
  if (!Array.isArray(live)) throw badArgumentType('[]interface {}', live);
  const change = Object.hasOwn(patch, name) ? (patch[name] ?? null) : [];
  if (!Array.isArray(change)) throw badArgumentType('[]interface {}', change);
  if (node?.kind === 'map')
    throw notMergeable('merging an object in json but data type is not struct, instead is: map');
  const field = fieldOf(node, name);
  if (field === undefined) throw noSuchField(node, name);
  if (!Object.hasOwn(result, name) && !Object.hasOwn(patch, name)) return undefined;

  const mergeKey = field.patchMergeKey;
  if (!isInOrder(change, order, mergeKey)) {
    throw notMergeable(
      `The order in patch list:\n${goText(change)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`,
    );
  }
  const merged = orderedContents(live, change, field);
  if (mergeKey !== undefined) checkLookedUp(merged, order, mergeKey);
  if (itemType(live, change) === 'none') throw notMergeable('no elements in any of the given slices');
  const keysOf = (items: readonly Json[]) => (mergeKey === undefined ? items : mergeKeys(items, mergeKey));
  const keyOf = (item: Json) => keysOf([item])[0]!;
  const isKeyed = mergeKey !== undefined && hasStrategy(field, 'merge');
  const places = isKeyed ? placesAfter(keysOf(live), change, mergeKey) : keysOf(live);
  setMember(result, name, inElementOrder(merged, { wanted: keysOf(order), live: places, keyOf }));
  return name;
}

/** Names of opaque types. */
const OPAQUE: Readonly<Record<string, string | undefined>> = lookup({
  raw: 'RawExtension',
  json: 'JSON',
  fields: 'FieldsV1',
});

function noSuchField(node: Node | undefined, name: string): ApiError {
  const named = node?.kind === 'struct' ? node.name.slice(node.name.lastIndexOf('.') + 1) : OPAQUE[node?.kind ?? ''];
  const type = named === undefined ? '' : ` in struct ${named}`;
  return notMergeable(`unable to find api field${type} for the json field ${JSON.stringify(name)}`);
}

interface Ordering {
  readonly directive: string;
  readonly node: Node | undefined;
}

function orderedContents(live: Json[], change: Json[], field: MergeField): Json[] {
  if (change.length === 0) return live;
  return live.length === 0 ? (takenWhole(change) as Json[]) : mergeFieldLists(live, change, field);
}

function hasPatch(item: Json): boolean {
  return isObject(item) && Object.hasOwn(item, PATCH);
}

/**
 * Whether the patch's items are a subsequence of the order; an empty order permits anything. Items are compared one by
 * one, so that only those that are looked at can be at fault.
 * @throws ApiError 500 for items that are not objects with the merge key
 */
function isInOrder(patch: readonly Json[], order: readonly Json[], mergeKey: string | undefined): boolean {
  if (patch.length === 0 || order.length === 0) return true;
  if (mergeKey !== undefined) checkObjects(patch);
  let place = 0;
  for (const item of patch) {
    if (mergeKey !== undefined && hasPatch(item)) continue;
    let isFound = false;
    while (!isFound && place < order.length) isFound = haveSameKey(item, order[place++]!, mergeKey);
    if (!isFound) return false;
  }
  return true;
}

function checkObjects(items: readonly Json[]): void {
  for (const item of items) if (!isObject(item)) throw badArgumentType('map[string]interface {}', item);
}

function haveSameKey(item: Json, ordered: Json, mergeKey: string | undefined): boolean {
  if (mergeKey === undefined) return item === ordered;
  checkObjects([item, ordered]);
  const [key, other] = mergeKeys([item, ordered], mergeKey);
  return key === other;
}

/**
 * Looks each item up in the order, from its beginning.
 * @throws ApiError 500 for what is found there before the item and is not an object
 */
function checkLookedUp(items: readonly Json[], order: readonly Json[], mergeKey: string): void {
  const first = order.findIndex((item) => !isObject(item));
  if (first < 0) return;
  const before = new Set(order.slice(0, first).map((item) => ownMember(item as JsonObject, mergeKey)));
  if (mergeKeys(items, mergeKey).some((key) => !before.has(key))) {
    throw notMergeable(`value for key ${first} is not a map`);
  }
}
