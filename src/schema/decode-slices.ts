// Decoder of long values in slices, with the results and errors of the compiled readers, which it uses for what is short.

import { setMember } from '../api/json-decoder.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { sortingTexts } from '../base/sorting.ts';
import type { Steps } from '../base/steps.ts';
import {
  dropGated,
  isGatedOff,
  MADE,
  NOTHING,
  readerOf,
  readMember,
  type Slot,
  type Slots,
  slotsOf,
  sortFound,
  writeStruct,
  zeroOf,
} from './decode-readers.ts';
import { countingKeys, isOpaque, readingOpaque } from './decode-scalar.ts';
import { type DecodeState, formMember } from './decode-state.ts';
import type { ListNode, MapNode, Node, StructNode } from './node.ts';

/** Values within a value that is decoded in one step. */
const VALUES_IN_STEP = 500;

/**
 * The number of values in a value, or a greater number than `most`. Values with about that many are noted, because
 * enumerating the members of a large object takes time, even if only the first are asked for.
 */
function countValues(value: unknown, most: number, long: WeakSet<object>): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (long.has(value)) return most + 1;
  let count = 1;
  for (const name in value) {
    if (count > most) break;
    count += countValues((value as Readonly<Record<string, unknown>>)[name], most - count, long);
  }
  if (count > VALUES_IN_STEP / 2) long.add(value);
  return count;
}

/** Decodes a value like its reader, in slices if it is long. */
export function* reading(node: Node, value: unknown, state: DecodeState): Steps<Json> {
  if (typeof value !== 'object' || value === null) return readerOf(node)(value, state);
  const isList = Array.isArray(value);
  if (countValues(value, VALUES_IN_STEP, state.long) > VALUES_IN_STEP) {
    if (node.kind === 'struct' && node.form === undefined && !isList) {
      return yield* readingStruct(slotsOf(node), value as JsonObject, state);
    }
    if (node.kind === 'list' && isList) return yield* readingList(node, value, state);
    if (node.kind === 'map' && !isList) return yield* readingMap(node, value as JsonObject, state);
    if (node.kind === 'struct' && isReadByForm(node, isList)) return yield* readingForm(node, value, state);
    if (isOpaque(node)) return yield* readingOpaque(value, state);
  }
  const read = readerOf(node)(value, state);
  yield;
  return read;
}

/** Like readStruct, in slices; the result is always a new object. */
function* readingStruct(slots: Slots, source: JsonObject, state: DecodeState): Steps<JsonObject> {
  const { path, foundAt, foundValues } = state;
  const depth = state.enter();
  const base = state.found;
  for (const key in source) {
    state.keys++;
    path[depth] = key;
    const slot = slots.byName.get(key);
    const given = source[key];
    if (slot === undefined) {
      state.noteUnknown();
      yield* countingKeys(given, state);
    } else {
      const isGated = slot.gates !== undefined && isGatedOff(slot.gates, state);
      const empties = state.emptyCount;
      const decoded = isReadAtOnce(slot, given)
        ? readMember(slot, given, state)
        : yield* reading(slot.node, given, state);
      if (isGated) dropGated(decoded === slot.leftOut ? undefined : decoded, empties, state);
      else if (decoded !== slot.leftOut) {
        foundAt[state.found] = slot.at;
        foundValues[state.found++] = decoded;
      }
    }
  }
  sortFound(state, base);
  const object = writeStruct(slots, state, base);
  state.found = base;
  state.leave(depth);
  return object;
}

/** The reader of a field differs from that of its type only for bytes. */
function isReadAtOnce({ node }: Slot, given: unknown): boolean {
  return typeof given !== 'object' || given === null || node.kind === 'bytes';
}

/** Like listReader, in slices. */
function* readingList(node: ListNode, value: readonly unknown[], state: DecodeState): Steps<Json> {
  const absent = zeroOf(node.items);
  const depth = state.enter();
  const list: Json[] = [];
  for (const [index, given] of value.entries()) {
    state.path[depth] = index;
    list.push(yield* readingItem(node.items, { given, absent }, state));
    if (index % ITEMS_IN_STEP === 0) yield;
  }
  state.leave(depth);
  return list;
}

/** Scalars that are decoded in one step. */
const ITEMS_IN_STEP = 500;

interface GivenItem {
  readonly given: unknown;
  /** The meaning of null. */
  readonly absent: Json | typeof MADE;
}

function* readingItem(node: Node, { given, absent }: GivenItem, state: DecodeState): Steps<Json> {
  if (typeof given !== 'object') return readerOf(node)(given, state);
  if (given !== null) return yield* reading(node, given, state);
  return absent === MADE ? readerOf(node)(NOTHING, state) : (absent as Json);
}

/** Like mapReader, in slices. */
function* readingMap(node: MapNode, source: JsonObject, state: DecodeState): Steps<Json> {
  const isBytes = node.values.kind === 'bytes';
  const absent = isBytes ? '' : zeroOf(node.values);
  const depth = state.enter();
  const items = new Map<string, Json>();
  for (const key in source) {
    state.path[depth] = key;
    const given = source[key];
    if (given === null && isBytes) state.noteOddBytes();
    items.set(key, yield* readingItem(node.values, { given, absent }, state));
    if (items.size % ITEMS_IN_STEP === 0) yield;
  }
  state.keys += items.size;
  state.leave(depth);
  const map: JsonObject = {};
  const names = yield* sortingTexts([...items.keys()]);
  for (const [index, name] of names.entries()) {
    if (index % ITEMS_IN_STEP === 0) yield;
    setMember(map, name, items.get(name) as Json);
  }
  return map;
}

/** Whether a list or an object is decoded by the type's own decoder. */
function isReadByForm({ form }: StructNode, isList: boolean): boolean {
  return form !== undefined && form !== 'raw' && (!isList || form === 'structOrList');
}

/** Like formReader, in slices. */
function* readingForm(node: StructNode, value: object, state: DecodeState): Steps<Json> {
  state.noteOpaque();
  state.unwatched++;
  const deferred = state.beginCustomDecoder();
  const decoded = yield* reading(formMember(node, Array.isArray(value)), value, state);
  state.endCustomDecoder(deferred);
  state.unwatched--;
  return decoded;
}
