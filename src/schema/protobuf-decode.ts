// Decoding from protobuf: a message of a declared type becomes the value that decoding its JSON gives, members in
// declaration order, empty ones left out or written as the type says. Types are compiled to tables when they are first
// met. Knows nothing of the envelope; numbers of fields that the type does not have are passed over.

import { JsonError, parseJson } from '../api/json-reader.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { DELIMITED, ProtobufError, ProtobufReader } from '../api/protobuf-reader.ts';
import { canonicalQuantity } from '../api/quantity.ts';
import { canBeEmpty, MADE, zeroOf } from './decode.ts';
import { durationText } from './go-duration.ts';
import type { Field, ListNode, Node, StructNode } from './node.ts';
import { wireType } from './protobuf-encode.ts';
import { timeText } from './protobuf-time.ts';

export { ProtobufError } from '../api/protobuf-reader.ts';

/**
 * Decodes a message of a declared type. The value is new and shares nothing with the bytes but their text.
 *
 * @throws ProtobufError for bytes that are cut short, of wrong wire types or too deep, and for values that the type
 *   can't hold
 */
export function decodeProtobuf(node: StructNode, bytes: Uint8Array): JsonObject {
  const state = new State(bytes);
  return readMembers(tableOf(node), undefined, state);
}

/** What one run carries along. */
class State {
  readonly reader: ProtobufReader;
  /** Scratch space of the structs that are being read: the fields found, by their place, and their values. */
  readonly foundAt: number[] = [];
  readonly foundValues: Json[] = [];
  found = 0;

  constructor(bytes: Uint8Array) {
    this.reader = new ProtobufReader(bytes);
  }
}

/** Reads a value that is there; `previous` is what the same field said before. */
type Read = (state: State, previous: Json | undefined) => Json;

/** One field, compiled. */
interface Slot {
  readonly name: string;
  /** Its place among the members in JSON. */
  readonly at: number;
  /** Undefined where protobuf doesn't have the field. */
  readonly read: Read | undefined;
  /** The wire type of one value. */
  readonly wire: number;
  /** Lists of numbers may be packed into one value. */
  readonly packed: Read | undefined;
  /** What a value that was never set is written as; a read of nothing makes it where it is a struct. */
  readonly absent: Json | typeof MADE;
  /** The value at which the field is left out. */
  readonly leftOut: Json | typeof NEVER;
  /** Lists, maps and messages go on from what was read before. */
  readonly gathers: boolean;
  /** The struct's table, where `absent` is made. */
  readonly node: Node;
}

const NEVER = Symbol('no value is left out');

/** The fields of a message by number; an embedded struct with a number is a message within. */
type Numbered = readonly (Slot | { readonly embedded: Numbered } | undefined)[];

interface Table {
  readonly numbered: Numbered;
  readonly all: readonly Slot[];
  /** Those that are written though nobody said them. */
  readonly always: readonly Slot[];
  readonly name: string;
}

/** What was compiled, by node: a memory only, for compiling again would give the same. */
const tables = new WeakMap<Node, Table>();

function tableOf(node: StructNode): Table {
  let table = tables.get(node);
  if (table === undefined) {
    const all = [...node.jsonFields.values()].map(slotOf);
    const byName = new Map(all.map((slot) => [slot.name, slot]));
    const always = all.filter((slot) => slot.leftOut === NEVER);
    table = { numbered: numberedOf(node, byName), all, always, name: node.name };
    tables.set(node, table);
  }
  return table;
}

function numberedOf(node: StructNode, byName: ReadonlyMap<string, Slot>): Numbered {
  const numbered: (Slot | { readonly embedded: Numbered } | undefined)[] = [];
  for (const field of node.fields) {
    if (field.number === 0) continue;
    const embedded = field.inline && field.node.kind === 'struct';
    numbered[field.number] = embedded
      ? { embedded: numberedOf(field.node as StructNode, byName) }
      : byName.get(field.name);
  }
  return Array.from(numbered);
}
