// Protobuf decoder: a message of a declared type becomes the value that decoding its JSON would give, with fields in
// declaration order, empty ones omitted or written as the type requires. Types are compiled to tables on first use.
// Independent of the envelope; unknown fields are skipped.

import { setMember } from '../api/json-decoder.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { checkWidth } from '../api/object-width.ts';
import { ownMember } from '../api/own-member.ts';
import { DELIMITED, ProtobufError, ProtobufReader } from '../api/protobuf-reader.ts';
import { canBeEmpty, MADE, zeroOf } from './decode-readers.ts';
import type { Field, ListNode, Node, StructNode } from './node.ts';
import { readNonEmptyBytes, readNumbered, scalarReader } from './protobuf-decode-scalar.ts';
import { wireType } from './protobuf-encode.ts';

export { ProtobufError } from '../api/protobuf-reader.ts';
export { OpaqueError } from './protobuf-decode-scalar.ts';

/**
 * Decodes a message of a declared type. The value shares nothing with the bytes except text.
 *
 * @throws ProtobufError for truncated bytes, wrong wire types, excessive depth, and values that are invalid for their
 * type; ApiError 413 for a body with too many map entries
 */
export function decodeProtobuf(node: StructNode, bytes: Uint8Array, { isBody = false } = {}): JsonObject {
  const state = new State(bytes, isBody);
  const object = readMessage(tableOf(node), undefined, state);
  state.sortMaps();
  return object;
}

/** The state of one run. */
class State {
  readonly reader: ProtobufReader;
  /** Scratch space of the structs being decoded: the fields found, by index, and their values. */
  readonly foundAt: number[] = [];
  readonly foundValues: Json[] = [];
  found = 0;
  /** Where those of the current struct begin, and the greatest `order` among them. */
  base = 0;
  highest = 0;
  /** The members of all maps read so far: those of one map may stand among others. */
  mapMembers = 0;
  /** The map of the last entry, and its key: entries usually stand together and in the order of their keys. */
  #lastMap: JsonObject | undefined;
  #lastKey = '';
  readonly #unsorted = new Set<JsonObject>();
  readonly isBody: boolean;

  constructor(bytes: Uint8Array, isBody: boolean) {
    this.reader = new ProtobufReader(bytes);
    this.isBody = isBody;
  }

  setEntry(map: JsonObject, key: string, value: Json): void {
    if (map === this.#lastMap ? key < this.#lastKey : !isEmpty(map)) this.#unsorted.add(map);
    this.#lastMap = map;
    this.#lastKey = key;
    setMember(map, key, value);
  }

  /** Sorts the maps whose entries came in another order: Go writes maps in key order. */
  sortMaps(): void {
    for (const map of this.#unsorted) {
      const entries = Object.keys(map).map((name) => [name, ownMember(map, name) as Json] as const);
      for (const [name] of entries) delete map[name];
      for (const [name, value] of entries.sort(byName)) setMember(map, name, value);
    }
  }
}

function isEmpty(map: JsonObject): boolean {
  for (const _ in map) return false;
  return true;
}

function byName([one]: readonly [string, Json], [other]: readonly [string, Json]): number {
  return one < other ? -1 : 1;
}

/** Reads a value; `previous` is that of an earlier occurrence of the field, null for none. */
type Read = (state: State, previous: Json) => Json;

/** A compiled field. */
interface Slot {
  readonly name: string;
  /** Its index among the JSON fields. */
  readonly at: number;
  readonly read: Read;
  /** The wire type of a single value. */
  readonly wire: number;
  /** For a list of numbers: reads packed values. */
  readonly packed: Read | undefined;
  /** Creates the encoding of an unset value. */
  readonly absent: (state: State) => Json;
  /** The value for which the field is omitted. */
  readonly leftOut: Json | typeof NEVER;
}

const NEVER = Symbol('no value is left out');

/** A field of a message: a slot, or an embedded struct, which is a nested message. */
interface Numbered {
  readonly slot: Slot | undefined;
  /** The order of slots by number, from 1; messages usually have their fields in this order. */
  readonly order: number;
  readonly embedded: readonly (Numbered | undefined)[] | undefined;
}

interface Table {
  readonly all: readonly Slot[];
  /** Required fields. */
  readonly always: readonly Slot[];
  readonly numbered: readonly (Numbered | undefined)[];
}

/** Compiled decoders by node: only a cache. */
const tables = new WeakMap<Node, Table>();

function tableOf(node: StructNode): Table {
  let table = tables.get(node);
  if (table === undefined) {
    const all = [...node.jsonFields.values()].map(slotOf);
    const always = all.filter((slot) => slot.leftOut === NEVER);
    table = { all, always, numbered: numberFields(node, new Map(all.map((slot) => [slot.name, slot])), { last: 0 }) };
    tables.set(node, table);
  }
  return table;
}

function numberFields(
  node: StructNode,
  slots: ReadonlyMap<string, Slot>,
  order: { last: number },
): readonly (Numbered | undefined)[] {
  const numbered: (Numbered | undefined)[] = [];
  const fields = node.fields.filter((field) => field.number > 0);
  for (const field of fields.sort((one, other) => one.number - other.number)) {
    while (numbered.length < field.number) numbered.push(undefined);
    const slot = field.inline ? undefined : slots.get(field.name);
    const embedded = field.inline ? numberFields(field.node as StructNode, slots, order) : undefined;
    numbered.push({ slot, order: ++order.last, embedded });
  }
  return numbered;
}

function slotOf(field: Field, at: number): Slot {
  const { name, node, pointer, omitEmpty } = field;
  const zero = pointer ? null : zeroOf(node);
  const isLeftOut = field.omitZero || (omitEmpty && (pointer || canBeEmpty(node)));
  const isList = node.kind === 'list' && node.named !== true;
  const wire = wireType(isList ? node.items : node);
  return {
    name,
    at,
    read: isList
      ? listReader(node)
      : node.kind === 'bytes' && isLeftOut && !pointer
        ? readNonEmptyBytes
        : readerOf(node),
    wire,
    packed: isList && wire !== DELIMITED ? packedReader(node) : undefined,
    absent:
      zero === MADE ? (state) => writeMembers(tableOf(node as StructNode), state.found, state) : () => zero as Json,
    leftOut: isLeftOut ? (zero as Json) : NEVER,
  };
}

/** Reads a message to its end. @param previous an earlier occurrence, into which the new fields are merged */
function readMessage(table: Table, previous: JsonObject | undefined, state: State): JsonObject {
  const { base, highest } = state;
  state.base = state.found;
  state.highest = 0;
  if (previous !== undefined) recall(table, previous, state);
  readFields(table.numbered, state);
  const object = writeMembers(table, state.base, state);
  state.found = state.base;
  state.base = base;
  state.highest = highest;
  return object;
}

/** Restores the fields of an earlier occurrence of a struct. */
function recall(table: Table, previous: JsonObject, state: State): void {
  for (const { name, at } of table.all) {
    if (Object.hasOwn(previous, name)) found(state, at, previous[name] as Json);
  }
  state.highest = Number.POSITIVE_INFINITY;
}

function found(state: State, at: number, value: Json): void {
  state.foundAt[state.found] = at;
  state.foundValues[state.found++] = value;
}

function readFields(numbered: readonly (Numbered | undefined)[], state: State): void {
  const { reader } = state;
  while (!reader.done) {
    const tag = reader.tag();
    const field = numbered[tag >>> 3];
    if (field === undefined) reader.skip(tag);
    else if (field.slot !== undefined) readField(field.slot, { tag, order: field.order }, state);
    else if (field.embedded !== undefined) {
      if ((tag & 7) !== DELIMITED) throw wrongWireType(tag, 'an embedded struct');
      const outer = reader.enter();
      readFields(field.embedded, state);
      reader.leave(outer);
    }
  }
}

function readField(slot: Slot, { tag, order }: { tag: number; order: number }, state: State): void {
  const read = (tag & 7) === slot.wire ? slot.read : (tag & 7) === DELIMITED ? slot.packed : undefined;
  if (read === undefined) throw wrongWireType(tag, slot.name);
  if (order > state.highest) {
    state.highest = order;
    found(state, slot.at, read(state, null));
    return;
  }
  let index = state.found - 1;
  while (index >= state.base && state.foundAt[index] !== slot.at) index--;
  if (index < state.base) found(state, slot.at, read(state, null));
  else state.foundValues[index] = read(state, state.foundValues[index] as Json);
}

function wrongWireType(tag: number, name: string): ProtobufError {
  return new ProtobufError(`proto: wrong wireType = ${tag & 7} for field ${goFieldName(name)}`);
}

/** Words that Go capitalizes at the start of a field's name. */
const INITIALISMS =
  /^(?:api|aws|ca|cidr|csi|dns|fc|fs|gce|grpc|http|id|ip|iscsi|json|nfs|os|pd|qos|rbd|se|tcp|tls|ttl|tty|uid|url)(?=s?$|s?[A-Z])/;

/** The Go name of a field with a JSON name: `ClusterIP`, `APIVersion`. */
function goFieldName(name: string): string {
  const capitals = INITIALISMS.exec(name)?.[0].length ?? 1;
  return name.slice(0, capitals).toUpperCase() + name.slice(capitals);
}

/** Builds an object from what was found from `base` on, in declaration order. */
function writeMembers({ all, always }: Table, base: number, state: State): JsonObject {
  const { foundAt, foundValues } = state;
  const end = state.found;
  sortFound(state, base);
  const object: JsonObject = {};
  let next = 0;
  for (let index = base; index < end; index++) {
    const slot = all[foundAt[index] as number] as Slot;
    for (; next < always.length && (always[next] as Slot).at < slot.at; next++) {
      object[(always[next] as Slot).name] = (always[next] as Slot).absent(state);
    }
    if (always[next] === slot) next++;
    const value = foundValues[index] as Json;
    if (value !== slot.leftOut) object[slot.name] = value;
  }
  for (; next < always.length; next++) object[(always[next] as Slot).name] = (always[next] as Slot).absent(state);
  return object;
}

/** Sorts found fields by index: insertion sort, because they are nearly in order. */
function sortFound({ foundAt, foundValues, found: end }: State, base: number): void {
  for (let index = base + 1; index < end; index++) {
    const at = foundAt[index] as number;
    if ((foundAt[index - 1] as number) <= at) continue;
    const value = foundValues[index] as Json;
    let place = index;
    for (; place > base && (foundAt[place - 1] as number) > at; place--) {
      foundAt[place] = foundAt[place - 1] as number;
      foundValues[place] = foundValues[place - 1] as Json;
    }
    foundAt[place] = at;
    foundValues[place] = value;
  }
}

/** Reads a value of a node. */
function readerOf(node: Node): Read {
  if (node.kind === 'struct') return node.form === undefined ? structReader(node) : formReader(node);
  if (node.kind === 'map') return mapReader(node.values);
  if (node.kind === 'list') return namedListReader(node);
  return scalarReader(node.kind);
}

/** Reads the content of a nested message. */
function within(read: Read): Read {
  return (state, previous) => {
    const outer = state.reader.enter();
    const value = read(state, previous);
    state.reader.leave(outer);
    return value;
  };
}

function structReader(node: StructNode): Read {
  let table: Table | undefined;
  return within((state, previous) => {
    table ??= tableOf(node);
    return readMessage(table, (previous ?? undefined) as JsonObject | undefined, state);
  });
}

/** Types whose JSON form is one of their fields. */
function formReader(node: StructNode): Read {
  const { form } = node;
  if (form === 'raw') return scalarReader('raw');
  const read = structReader({ ...node, fields: node.fields, jsonFields: node.jsonFields, form: undefined });
  const [struct] = node.fields.filter((field) => field.node.kind === 'struct');
  const [other] = node.fields.filter((field) => field.node.kind !== 'struct');
  return (state) => {
    const members = read(state, null) as JsonObject;
    const asStruct = ownMember(members, struct?.name as string) as Json;
    const asOther = ownMember(members, other?.name as string) as Json;
    return form === 'structOrBool' ? (asStruct ?? asOther) : (asOther ?? asStruct);
  };
}

function listReader({ items }: ListNode): Read {
  const read = readerOf(items);
  return (state, previous) => {
    const list = (previous ?? []) as Json[];
    list.push(read(state, null));
    return list;
  };
}

function packedReader({ items }: ListNode): Read {
  const read = readerOf(items);
  return within((state, previous) => {
    const list = (previous ?? []) as Json[];
    while (!state.reader.done) list.push(read(state, null));
    return list.length === 0 ? null : list;
  });
}

/** A list that is a message around its items. */
function namedListReader({ items }: ListNode): Read {
  const read = readerOf(items);
  const wire = wireType(items);
  return within((state, previous) => {
    let list = previous as Json[] | null;
    readNumbered(state.reader, (tag) => {
      if (tag !== ((1 << 3) | wire)) return false;
      list ??= [];
      list.push(read(state, null));
      return true;
    });
    return list ?? unfilled(state);
  });
}

/** A list in a message of its own is there, even if it has no items: a body tells this, and storage does not. */
function unfilled({ isBody }: State): Json {
  return isBody ? [] : null;
}

/** A map is a list of messages {1: key, 2: value}. */
function mapReader(values: Node): Read {
  const read = readerOf(values);
  const keyTag = (1 << 3) | DELIMITED;
  const valueTag = (2 << 3) | wireType(values);
  const zero = values.kind === 'bytes' ? '' : zeroOf(values);
  const makeZero = (state: State) => {
    if (values.kind === 'list') return unfilled(state);
    return zero === MADE ? writeMembers(tableOf(values as StructNode), state.found, state) : (zero as Json);
  };
  return within((state, previous) => {
    if (state.isBody) checkWidth(++state.mapMembers);
    const map = (previous ?? {}) as JsonObject;
    let key = '';
    let value: Json | undefined;
    readNumbered(state.reader, (tag) => {
      if (tag === keyTag) key = state.reader.text();
      else if (tag === valueTag) value = read(state, value ?? null);
      else return false;
      return true;
    });
    value ??= makeZero(state);
    state.setEntry(map, key, value);
    return map;
  });
}
