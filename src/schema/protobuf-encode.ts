// Protobuf encoder: a decoded object of a declared type becomes the bytes that Kubernetes would write: fields by
// number, values that are not pointers written even if zero, maps in key order. Types are compiled to closures on first
// use. Independent of the envelope.

import { stringifyJson } from '../api/json-writer.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { DELIMITED, FIXED64, VARINT } from '../api/protobuf-reader.ts';
import { ProtobufWriter } from '../api/protobuf-writer.ts';
import { durationNanoseconds } from '../base/duration-nanoseconds.ts';
import { compareKeys } from '../base/sorted-map.ts';
import { sorting } from '../base/sorting.ts';
import type { Steps } from '../base/steps.ts';
import { formMember } from './decode-state.ts';
import type { Field, ListNode, Node, StructNode } from './node.ts';
import { opaqueText } from './opaque-text.ts';
import { nanosecondsOf, secondsOf } from './protobuf-time.ts';

/**
 * Writes a decoded object as a message, before what the writer already contains.
 *
 * @param value in the canonical form that decoding produces; unknown members are ignored
 */
export function encodeProtobuf(node: StructNode, value: JsonObject, out: ProtobufWriter): void {
  messageOf(node)(value, out);
}

/** Like encodeProtobuf, in slices. */
export function* encodingProtobuf(node: StructNode, value: JsonObject, out: ProtobufWriter): Steps<void> {
  for (const slot of compiledSlots(node)) yield* writingField(slot, value, out);
}

/** Bytes that are written before other work may run. */
const BYTES_IN_STEP = 8_192;

function* writingField(slot: Slot, object: JsonObject, out: ProtobufWriter): Steps<void> {
  const { tag, shape, node } = slot;
  const value = ownMember(object, slot.name);
  if (typeof value !== 'object' || value === null || shape === 'inline') {
    writeField(slot, object, out);
  } else if (shape === 'list') {
    const items = (node as ListNode).items;
    yield* writingItems(value as Json[], { tag, node: items, write: slot.write }, out);
  } else if (shape === 'map') {
    yield* writingEntries(value as JsonObject, slot, out);
  } else if (node.kind === 'struct' && node.form === undefined) {
    yield* writingMessage(node, value as JsonObject, out);
    out.uint(tag);
  } else {
    writeField(slot, object, out);
  }
  if (out.isDue(BYTES_IN_STEP)) yield;
}

function* writingMessage(node: StructNode, value: JsonObject, out: ProtobufWriter): Steps<void> {
  const before = out.size;
  yield* encodingProtobuf(node, value, out);
  out.uint(out.size - before);
}

function* writingItems(
  list: readonly Json[],
  { tag, node, write }: Repeated & { readonly node: Node },
  out: ProtobufWriter,
): Steps<void> {
  for (let index = list.length - 1; index >= 0; index--) {
    const item = list[index] as Json;
    if (node.kind === 'struct' && node.form === undefined && item !== null) {
      yield* writingMessage(node, item as JsonObject, out);
    } else write(item, out);
    out.uint(tag);
    if (out.isDue(BYTES_IN_STEP)) yield;
  }
}

function* writingEntries(map: JsonObject, repeated: Repeated, out: ProtobufWriter): Steps<void> {
  const keys = yield* sorting(Object.keys(map), compareKeys);
  for (let index = keys.length - 1; index >= 0; index--) {
    writeEntry(map, keys[index] as string, { ...repeated, out });
    if (out.isDue(BYTES_IN_STEP)) yield;
  }
}

/** The wire type of a node's values. */
export function wireType(node: Node): number {
  switch (node.kind) {
    case 'bool':
    case 'int32':
    case 'int64':
      return VARINT;
    case 'float64':
      return FIXED64;
    default:
      return DELIMITED;
  }
}

/** Writes a value: a message without its length, or a field's value with it. */
type Write<T = Json> = (value: T, out: ProtobufWriter) => void;

/** Compiled encoders by node: only a cache. */
const messages = new WeakMap<Node, Write<JsonObject>>();

/** Writes the fields of a struct. */
function messageOf(node: StructNode): Write<JsonObject> {
  let write = messages.get(node);
  if (write === undefined) {
    write = compileMessage(node);
    messages.set(node, write);
  }
  return write;
}

/** A compiled field. */
interface Slot {
  readonly name: string;
  readonly node: Node;
  readonly tag: number;
  readonly shape: 'value' | 'list' | 'map' | 'inline';
  /** Writes the value, one item or one entry, preceded by its length. */
  readonly write: Write;
  /** The encoding of an absent value, including its tag; undefined if nothing is written. */
  readonly absent: Uint8Array | undefined;
}

/** Compiled fields by node: only a cache. */
const slotsByNode = new WeakMap<StructNode, readonly Slot[]>();

function compiledSlots(node: StructNode): readonly Slot[] {
  let slots = slotsByNode.get(node);
  if (slots === undefined) {
    slots = slotsOf(node);
    slotsByNode.set(node, slots);
  }
  return slots;
}

function compileMessage(node: StructNode): Write<JsonObject> {
  let slots: readonly Slot[] | undefined;
  return (object, out) => {
    slots ??= compiledSlots(node);
    for (const slot of slots) writeField(slot, object, out);
  };
}

/** From the last number to the first, because the writer works backwards. */
function slotsOf(node: StructNode): Slot[] {
  const numbered = node.fields.filter((field) => field.number > 0);
  return numbered.sort((one, other) => other.number - one.number).map(slotOf);
}

function slotOf({ name, node, number, pointer, inline }: Field): Slot {
  if (node.kind === 'map') {
    const tag = (number << 3) | DELIMITED;
    return { name, node, tag, shape: 'map', write: entryWriter(node.values), absent: undefined };
  }
  if (node.kind === 'list' && node.named !== true) {
    const tag = (number << 3) | wireType(node.items);
    return { name, node, tag, shape: 'list', write: writerOf(node.items), absent: undefined };
  }
  const tag = (number << 3) | wireType(node);
  const write = writerOf(node);
  if (inline) return { name, node, tag, shape: 'inline', write, absent: undefined };
  const isOptional = pointer || node.kind === 'bytes' || node.kind === 'list';
  return { name, node, tag, shape: 'value', write, absent: isOptional ? undefined : absentField(tag, write) };
}

/** The encoding of an unset field. */
function absentField(tag: number, write: Write): Uint8Array {
  const out = new ProtobufWriter();
  write(null, out);
  out.uint(tag);
  return out.bytes();
}

function writeField({ name, tag, shape, write, absent }: Slot, object: JsonObject, out: ProtobufWriter): void {
  const value = shape === 'inline' ? object : ownMember(object, name);
  if (value === undefined || value === null) {
    if (absent !== undefined) out.raw(absent);
  } else if (shape === 'list') {
    writeItems(value as Json[], { tag, write }, out);
  } else if (shape === 'map') {
    writeEntries(value as JsonObject, { tag, write }, out);
  } else {
    write(value, out);
    out.uint(tag);
  }
}

type Repeated = Pick<Slot, 'tag' | 'write'>;

function writeItems(list: readonly Json[], { tag, write }: Repeated, out: ProtobufWriter): void {
  for (let index = list.length - 1; index >= 0; index--) {
    write(list[index] as Json, out);
    out.uint(tag);
  }
}

const KEY_TAG = (1 << 3) | DELIMITED;

/** A map is a list of messages {1: key, 2: value}. */
function writeEntries(map: JsonObject, { tag, write }: Repeated, out: ProtobufWriter): void {
  const keys = Object.keys(map);
  if (keys.length > 1) keys.sort(compareKeys);
  for (let index = keys.length - 1; index >= 0; index--) {
    writeEntry(map, keys[index] as string, { tag, write, out });
  }
}

function writeEntry(map: JsonObject, key: string, { tag, write, out }: Repeated & { out: ProtobufWriter }): void {
  const before = out.size;
  write(ownMember(map, key) as Json, out);
  out.text(key);
  out.uint(KEY_TAG);
  out.uint(out.size - before);
  out.uint(tag);
}

function entryWriter(values: Node): Write {
  const tag = (2 << 3) | wireType(values);
  const write = writerOf(values);
  return (value, out) => {
    write(value, out);
    out.uint(tag);
  };
}

/** Writes a value of a node; null is the zero value. */
function writerOf(node: Node): Write {
  if (node.kind === 'struct') return node.form === undefined ? structWriter(node) : formWriter(node);
  if (node.kind === 'list') return namedListWriter(node);
  if (node.kind === 'map') throw new Error('protobuf has no maps in lists and maps');
  return SCALARS[node.kind];
}

function structWriter(node: StructNode): Write {
  const write = messageOf(node);
  return (value, out) => {
    const before = out.size;
    write((value ?? NOTHING) as JsonObject, out);
    out.uint(out.size - before);
  };
}

const NOTHING: Readonly<JsonObject> = Object.freeze({});

/** A nested or named list: a message around its items. */
function namedListWriter({ items }: ListNode): Write {
  const item = { tag: (1 << 3) | wireType(items), write: writerOf(items) };
  return (value, out) => {
    const before = out.size;
    if (value !== null) writeItems(value as Json[], item, out);
    out.uint(out.size - before);
  };
}

/** Types with a custom JSON form have their fields in protobuf. */
function formWriter(node: StructNode): Write {
  const { form } = node;
  if (form === 'raw') return writeOpaque;
  const write = structWriter({ ...node, fields: node.fields, form: undefined });
  const [flag] = node.fields.filter((field) => field.node.kind === 'bool');
  return (value, out) => write(formMembers(node, flag?.name, value), out);
}

function formMembers(node: StructNode, flag: string | undefined, value: Json): JsonObject {
  if (value === null) return {};
  if (typeof value === 'boolean') return { [flag as string]: value };
  const wanted = formMember(node, Array.isArray(value));
  const member = node.fields.find((field) => field.node === wanted);
  return { ...(flag === undefined ? {} : { [flag]: true }), [member?.name as string]: value };
}

type ScalarNodeKind = Exclude<Node['kind'], 'struct' | 'list' | 'map'>;

const INT_TAG = (1 << 3) | VARINT;

const SCALARS: { readonly [K in ScalarNodeKind]: Write } = Object.freeze({
  string: (value, out) => out.text((value ?? '') as string),
  bool: (value, out) => out.uint(value === true ? 1 : 0),
  int32: writeInt,
  int64: writeInt,
  float64: (value, out) => out.double(Number(value ?? 0)),
  bytes: (value, out) => {
    const bytes = bytesOf((value ?? '') as string);
    out.raw(bytes);
    out.uint(bytes.length);
  },
  quantity: (value, out) => {
    const before = out.size;
    out.text((value ?? '0') as string);
    out.uint(KEY_TAG);
    out.uint(out.size - before);
  },
  intOrString: writeIntOrString,
  time: writeTime,
  microTime: writeTime,
  duration: (value, out) => {
    const before = out.size;
    out.int(durationNanoseconds((value ?? '0s') as string) ?? 0n);
    out.uint(INT_TAG);
    out.uint(out.size - before);
  },
  raw: (value, out) => writeOpaque(value, out, opaqueText),
  fields: writeOpaque,
  json: (value, out) => writeOpaque(value, out, opaqueText),
});

function writeInt(value: Json, out: ProtobufWriter): void {
  out.int((value ?? 0) as number | bigint);
}

/** {1: 0 for a number or 1 for a string, 2: the number, 3: the string}, always with all of them. */
function writeIntOrString(value: Json, out: ProtobufWriter): void {
  const before = out.size;
  const isText = typeof value === 'string';
  out.text(isText ? value : '');
  out.uint((3 << 3) | DELIMITED);
  writeInt(isText ? 0 : value, out);
  out.uint((2 << 3) | VARINT);
  out.uint(isText ? 1 : 0);
  out.uint(INT_TAG);
  out.uint(out.size - before);
}

/** {1: seconds, 2: nanoseconds}; the zero time has neither. */
function writeTime(value: Json, out: ProtobufWriter): void {
  const before = out.size;
  if (value !== null) {
    out.int(nanosecondsOf(value as string));
    out.uint((2 << 3) | VARINT);
    out.int(secondsOf(value as string));
    out.uint(INT_TAG);
  }
  out.uint(out.size - before);
}

/** {1: the value's JSON}. */
function writeOpaque(value: Json, out: ProtobufWriter, textOf: (value: Json) => string = stringifyJson): void {
  const before = out.size;
  if (value !== null) {
    out.text(textOf(value));
    out.uint(KEY_TAG);
  }
  out.uint(out.size - before);
}

function bytesOf(base64: string): Uint8Array {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < characters.length; index++) bytes[index] = characters.charCodeAt(index);
  return bytes;
}
