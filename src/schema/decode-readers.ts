// Compiled readers of the decoder: types are compiled to closures on first use.

import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { countKeys, type Read, scalarReader, zeroScalar } from './decode-scalar.ts';
import { type DecodeState, formMember } from './decode-state.ts';
import type { Field, ListNode, MapNode, Node, StructNode } from './node.ts';

/** Stands for an absent struct. */
export const NOTHING: Readonly<JsonObject> = Object.freeze({});

/** Compiled decoders by node: only a cache. */
const compiled = new WeakMap<Node, Read>();

export function readerOf(node: Node): Read {
  let read = compiled.get(node);
  if (read === undefined) {
    read = compile(node);
    compiled.set(node, read);
  }
  return read;
}

function compile(node: Node): Read {
  switch (node.kind) {
    case 'list':
      return listReader(node);
    case 'map':
      return mapReader(node);
    case 'struct':
      return node.form === undefined ? structReader(node) : formReader(node);
    default:
      return scalarReader(node.kind);
  }
}

/** Go's encoding of an unset value of this type; structs are created anew each time. */
export function zeroOf(node: Node): Json | typeof MADE {
  if (node.kind === 'struct') return node.form === undefined ? MADE : null;
  return node.kind === 'list' || node.kind === 'map' ? null : zeroScalar(node.kind);
}

export const MADE = Symbol('a struct of zero values');
const NEVER = Symbol('no value is left out');

/** A compiled field. */
export interface Slot {
  readonly name: string;
  /** Its index in the declaration. */
  readonly at: number;
  readonly node: Node;
  readonly read: Read;
  /** A string is used as it is, without calling `read`. */
  readonly isText: boolean;
  /** The meaning of null and absence. */
  readonly absent: Json | typeof MADE;
  /** The value for which the field is omitted. */
  readonly leftOut: Json | typeof NEVER;
  /** All of these must be enabled. */
  readonly gates: readonly string[] | undefined;
}

function slotOf(field: Field, at: number): Slot {
  const { node, pointer } = field;
  const absent = pointer ? null : zeroOf(node);
  return {
    name: field.name,
    at,
    node,
    read: node.kind === 'bytes' && field.omitEmpty && !pointer ? readNonEmptyBytes : readerOf(node),
    isText: node.kind === 'string',
    absent,
    leftOut: field.omitZero || (field.omitEmpty && (pointer || canBeEmpty(node))) ? (absent as Json) : NEVER,
    gates: field.gate?.split(','),
  };
}

/** Bytes that are omitted when empty. */
function readNonEmptyBytes(value: unknown, state: DecodeState): Json {
  const bytes = scalarReader('bytes')(value, state) || null;
  if (bytes === null) state.noteOddBytes();
  return bytes;
}

/**
 * Whether Go's omitempty has no effect on a type by value: structs, and types that are structs in Go, are never empty.
 */
export function canBeEmpty({ kind }: Node): boolean {
  switch (kind) {
    case 'struct':
    case 'quantity':
    case 'intOrString':
    case 'time':
    case 'microTime':
    case 'raw':
    case 'fields':
    case 'json':
      return false;
    default:
      return true;
  }
}

/** The fields of a struct, compiled at the first document that has one. */
export class Slots {
  readonly all: readonly Slot[];
  readonly byName = new Map<string, Slot>();
  /** Required fields. */
  readonly always: readonly Slot[];

  constructor(node: StructNode) {
    this.all = [...node.jsonFields.values()].map(slotOf);
    for (const slot of this.all) this.byName.set(slot.name, slot);
    this.always = this.all.filter((slot) => slot.leftOut === NEVER);
  }
}

/** By node: only a cache. */
const slotsByNode = new WeakMap<StructNode, Slots>();

export function slotsOf(node: StructNode): Slots {
  let slots = slotsByNode.get(node);
  if (slots === undefined) {
    slots = new Slots(node);
    slotsByNode.set(node, slots);
  }
  return slots;
}

function structReader(node: StructNode): Read {
  let slots: Slots | undefined;
  return (value, state) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return state.refuse(value, node);
    slots ??= slotsOf(node);
    return readStruct(slots, value as JsonObject, state);
  };
}

/**
 * Decodes members in their order, so that errors are found in that order; encodes them in declaration order. Found
 * members are in the state's scratch space from `base` on.
 */
function readStruct(slots: Slots, source: JsonObject, state: DecodeState): JsonObject {
  const { path, foundAt, foundValues } = state;
  const { byName } = slots;
  const depth = state.enter();
  const base = state.found;
  let canonical = state.owned && source !== NOTHING;
  let last = -1;
  let sorted = true;
  let written = 0;
  for (const key in source) {
    state.keys++;
    path[depth] = key;
    const slot = byName.get(key);
    const given = source[key];
    if (slot === undefined) {
      canonical = false;
      readUnknown(given, state);
      continue;
    }
    if (slot.gates !== undefined && isGatedOff(slot.gates, state)) {
      readGated(slot, given, state);
      canonical = false;
      continue;
    }
    const decoded = slot.isText && typeof given === 'string' ? given : readMember(slot, given, state);
    if (decoded === slot.leftOut) {
      canonical = false;
      continue;
    }
    if (decoded !== given) canonical = false;
    if (slot.at < last) sorted = false;
    last = slot.at;
    if (slot.leftOut === NEVER) written++;
    foundAt[state.found] = slot.at;
    foundValues[state.found++] = decoded;
  }
  if (!sorted) sortFound(state, base);
  const isWhole = canonical && sorted && written === slots.always.length;
  const object = isWhole ? source : writeStruct(slots, state, base);
  state.found = base;
  state.leave(depth);
  return object;
}

export function readMember(slot: Slot, given: unknown, state: DecodeState): Json {
  if (given !== null && given !== undefined) return slot.read(given, state);
  return slot.absent === MADE ? slot.read(NOTHING, state) : (slot.absent as Json);
}

function readUnknown(value: unknown, state: DecodeState): void {
  state.noteUnknown();
  if (typeof value !== 'object' || value === null) return;
  countKeys(value, state);
}

/** Sorts the few found members by declaration order. */
export function sortFound({ foundAt, foundValues, found }: DecodeState, base: number): void {
  for (let index = base + 1; index < found; index++) {
    const at = foundAt[index] as number;
    const value = foundValues[index];
    let place = index;
    for (; place > base && (foundAt[place - 1] as number) > at; place--) {
      foundAt[place] = foundAt[place - 1] as number;
      foundValues[place] = foundValues[place - 1];
    }
    foundAt[place] = at;
    foundValues[place] = value;
  }
}

/** Writes the found members, and required ones in between. */
export function writeStruct({ all, always }: Slots, state: DecodeState, base: number): JsonObject {
  const { foundAt, foundValues, found } = state;
  const object: JsonObject = {};
  let next = 0;
  for (let index = base; index < found; index++) {
    const at = foundAt[index] as number;
    for (; next < always.length && (always[next] as Slot).at < at; next++)
      writeAbsent(object, always[next] as Slot, state);
    if (next < always.length && (always[next] as Slot).at === at) next++;
    object[(all[at] as Slot).name] = foundValues[index] as Json;
  }
  for (; next < always.length; next++) writeAbsent(object, always[next] as Slot, state);
  return object;
}

export function isGatedOff(gates: readonly string[], { gateEnabled }: DecodeState): boolean {
  return gateEnabled !== undefined && !gates.every(gateEnabled);
}

/**
 * A field behind a disabled gate is decoded for errors and for field ownership; empty values in it are dropped with it.
 */
function readGated(slot: Slot, given: unknown, state: DecodeState): void {
  const empties = state.emptyCount;
  const decoded = readMember(slot, given, state);
  dropGated(decoded === slot.leftOut ? undefined : decoded, empties, state);
}

/** @param decoded undefined for a value that is left out anyway */
export function dropGated(decoded: Json | undefined, empties: number, state: DecodeState): void {
  state.forgetEmpties(empties);
  if (decoded !== undefined) state.noteGated(decoded);
}

function writeAbsent(object: JsonObject, slot: Slot, state: DecodeState): void {
  if (slot.gates !== undefined && isGatedOff(slot.gates, state)) return;
  object[slot.name] = readMember(slot, null, state);
}

/** An empty list is null, as when it returns from Kubernetes' storage. */
function listReader(node: ListNode): Read {
  const read = readerOf(node.items);
  const absent = zeroOf(node.items);
  return (value, state) => {
    if (!Array.isArray(value)) return state.refuse(value, node);
    if (value.length === 0) return state.noteEmpty(true);
    const depth = state.enter();
    const list: Json[] = new Array(value.length);
    let canonical = state.owned;
    for (let index = 0; index < value.length; index++) {
      state.path[depth] = index;
      const given = value[index];
      const item = given === null ? (absent === MADE ? read(NOTHING, state) : (absent as Json)) : read(given, state);
      if (item !== given) canonical = false;
      list[index] = item;
    }
    state.leave(depth);
    return canonical ? value : list;
  };
}

function mapReader(node: MapNode): Read {
  const read = readerOf(node.values);
  const absent = node.values.kind === 'bytes' ? '' : zeroOf(node.values);
  return (value, state) => {
    if (typeof value !== 'object' || Array.isArray(value)) return state.refuse(value, node);
    const source = value as JsonObject;
    const depth = state.enter();
    const names: string[] = [];
    const items: Json[] = [];
    let canonical = state.owned;
    let sorted = true;
    let last = '';
    for (const key in source) {
      if (key < last) sorted = false;
      last = key;
      state.path[depth] = key;
      const given = source[key];
      if (given === null && absent === '' && node.values.kind === 'bytes') state.noteOddBytes();
      const item = given === null ? (absent === MADE ? read(NOTHING, state) : (absent as Json)) : read(given, state);
      if (item !== given) canonical = false;
      names.push(key);
      items.push(item);
    }
    state.keys += names.length;
    state.leave(depth);
    if (names.length === 0) return state.noteEmpty(false);
    if (canonical && sorted) return source;
    const map = canonical ? source : inOrder(names, items);
    return sorted ? map : inKeyOrder(map, names);
  };
}

function inOrder(names: readonly string[], items: readonly Json[]): JsonObject {
  const map: JsonObject = {};
  for (const [index, name] of names.entries()) setMember(map, name, items[index] as Json);
  return map;
}

/** Go writes maps in key order, so equal maps have equal text. */
function inKeyOrder(map: JsonObject, names: string[]): JsonObject {
  const ordered: JsonObject = {};
  for (const name of names.sort()) setMember(ordered, name, ownMember(map, name) as Json);
  return ordered;
}

/** Sets a member with any name. */
function setMember(object: JsonObject, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Types with custom decoders, which Kubernetes' strict decoding does not check. */
function formReader(node: StructNode): Read {
  const { form } = node;
  if (form === 'raw') return scalarReader('raw');
  return (value, state) => {
    if (form === 'structOrBool' && typeof value === 'boolean') return value;
    const isList = Array.isArray(value);
    if (typeof value !== 'object' || (isList && form !== 'structOrList')) {
      return form === 'structOrBool' ? state.fail('boolean or JSON schema expected') : null;
    }
    state.noteOpaque();
    state.unwatched++;
    const deferred = state.beginCustomDecoder();
    const decoded = readerOf(formMember(node, isList))(value, state);
    state.endCustomDecoder(deferred);
    state.unwatched--;
    return decoded;
  };
}
