// Encoding in protobuf: a decoded object of a declared type becomes the bytes that Kubernetes' own program writes for it:
// fields in the order of their numbers, values that are no pointers written even when they are zero, maps in key order.
// Types are compiled to closures when they are first met. Knows nothing of the envelope.

import type { Json, JsonObject } from '../api/object.ts';
import { stringifyJson } from '../api/json-writer.ts';
import { DELIMITED, FIXED64, VARINT } from '../api/protobuf-reader.ts';
import { ProtobufWriter } from '../api/protobuf-writer.ts';
import { compareKeys } from '../base/sorted-map.ts';
import { formMember } from './decode-state.ts';
import { durationNanoseconds } from './go-duration.ts';
import type { Field, ListNode, Node, StructNode } from './node.ts';
import { nanosecondsOf, secondsOf } from './protobuf-time.ts';

/**
 * Writes a decoded object as a message, in front of what the writer holds already.
 *
 * @param value in the canonical form that decoding gives; members that the type does not have are not looked at
 */
export function encodeProtobuf(node: StructNode, value: JsonObject, out: ProtobufWriter): void {
  messageOf(node)(value, out);
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

/** Writes a value: a message without a length, or a field's value with one. */
type Write<T = Json> = (value: T, out: ProtobufWriter) => void;

/** What was compiled, by node: a memory only, for compiling again would give the same. */
const messages = new WeakMap<Node, Write<JsonObject>>();

/** Writes the members of a struct. */
function messageOf(node: StructNode): Write<JsonObject> {
  let write = messages.get(node);
  if (write === undefined) {
    write = compileMessage(node);
    messages.set(node, write);
  }
  return write;
}

/** One field, compiled. */
interface Slot {
  readonly name: string;
  readonly tag: number;
  readonly shape: 'value' | 'list' | 'map' | 'inline';
  /** Writes the value, one item or one entry's value, its length before it. */
  readonly write: Write;
  /** The field of a value that is not there, tag included; undefined where nothing is written then. */
  readonly absent: Uint8Array | undefined;
}

function compileMessage(node: StructNode): Write<JsonObject> {
  let slots: Slot[] | undefined;
  return (object, out) => {
    slots ??= slotsOf(node);
    for (const slot of slots) writeField(slot, object, out);
  };
}

/** From the last number to the first, as the writer goes from the end to the beginning. */
function slotsOf(node: StructNode): Slot[] {
  const numbered = node.fields.filter((field) => field.number > 0);
  return numbered.sort((one, other) => other.number - one.number).map(slotOf);
}

function slotOf(field: Field): Slot {
  const { name, node, number, pointer, inline } = field;
  const isList = node.kind === 'list' && node.named !== true;
  const item = node.kind === 'map' ? node.values : isList ? (node as ListNode).items : node;
  const shape = inline ? 'inline' : node.kind === 'map' ? 'map' : isList ? 'list' : 'value';
  const tag = (number << 3) | (shape === 'map' ? DELIMITED : wireType(item));
  const write = writerOf(item);
  const isOptional = pointer || shape !== 'value' || node.kind === 'bytes' || node.kind === 'list';
  return { name, tag, shape, write, absent: isOptional ? undefined : absentField(tag, write) };
}

/** What is written for a field whose value was never set. */
function absentField(tag: number, write: Write): Uint8Array {
  const out = new ProtobufWriter();
  write(null, out);
  out.uint(tag);
  return out.bytes();
}

function writeField({ name, tag, shape, write, absent }: Slot, object: JsonObject, out: ProtobufWriter): void {
  if (shape === 'inline') {
    write(object, out);
    out.uint(tag);
    return;
  }
  const value = object[name];
  if (value === undefined || value === null) {
    if (absent !== undefined) out.raw(absent);
  } else if (shape === 'value') {
    write(value, out);
    out.uint(tag);
  } else if (shape === 'list') {
    writeItems(value as Json[], { tag, write }, out);
  } else {
    writeEntries(value as JsonObject, { tag, write }, out);
  }
}

function writeItems(list: readonly Json[], { tag, write }: Pick<Slot, 'tag' | 'write'>, out: ProtobufWriter): void {
  for (let index = list.length - 1; index >= 0; index--) {
    write(list[index] as Json, out);
    out.uint(tag);
  }
}

const KEY_TAG = (1 << 3) | DELIMITED;

/** A map is a list of messages {1: key, 2: value}. */
function writeEntries(map: JsonObject, { tag, write }: Pick<Slot, 'tag' | 'write'>, out: ProtobufWriter): void {
  const keys = Object.keys(map);
  if (keys.length > 1) keys.sort(compareKeys);
  for (let index = keys.length - 1; index >= 0; index--) {
    const key = keys[index] as string;
    const before = out.size;
    write(map[key] as Json, out);
    out.uint(ENTRY_VALUE | DELIMITED);
    out.text(key);
    out.uint(KEY_TAG);
    out.uint(out.size - before);
    out.uint(tag);
  }
}

const ENTRY_VALUE = 2 << 3;
