// A list as protobuf. Its length stands before its items, so they are encoded once to be counted; what fits into a
// bound is kept for sending, the rest is encoded again, and memory stays flat in the list's size.

import { Buffer } from 'node:buffer';
import type { JsonObject } from '../api/object.ts';
import { beginEnvelope, endEnvelope, type TypeNames } from '../api/protobuf-envelope.ts';
import { ProtobufWriter } from '../api/protobuf-writer.ts';
import { limits } from '../base/limits.ts';
import type { Turn } from '../base/short-turns.ts';
import { ListMeta } from '../resources/builtin/meta/v1.ts';
import type { StructNode } from '../schema/node.ts';
import { encodeProtobuf } from '../schema/protobuf-encode.ts';
import type { StoredObject } from '../verbs/resource-request.ts';
import type { PieceWriter } from './piece-writer.ts';

export interface ProtobufList {
  readonly names: TypeNames;
  readonly metadata: JsonObject;
  readonly objects: readonly StoredObject[];
  readonly itemType: StructNode;
  /** An item as it is shown; the same each time it is asked for. */
  readonly item: (object: StoredObject) => JsonObject;
  readonly turn: Turn;
}

const METADATA = (1 << 3) | 2;
const ITEM = (2 << 3) | 2;

/** Writes a list in its envelope. */
export async function writeProtobufList(list: ProtobufList, pieces: PieceWriter): Promise<void> {
  const out = new ProtobufWriter();
  const { kept, length } = await measure(list, out);
  out.clear();
  encodeProtobuf(ListMeta, list.metadata, out);
  out.uint(out.size);
  out.uint(METADATA);
  beginEnvelope(out, list.names, out.size + length);
  await write(out.view(), pieces);
  for (const [index, object] of list.objects.entries()) {
    let wait = write(kept[index] ?? itemField(list, object, out), pieces);
    if (wait !== undefined) await wait;
    wait = list.turn.over();
    if (wait !== undefined) await wait;
  }
  out.clear();
  endEnvelope(out);
  await write(out.view(), pieces);
}

/** Encodes the items to know their length; keeps the first of them. */
async function measure(list: ProtobufList, out: ProtobufWriter): Promise<{ kept: Uint8Array[]; length: number }> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for (const object of list.objects) {
    const field = itemField(list, object, out);
    length += field.length;
    if (length <= limits.protobufListBytes) kept.push(field.slice());
    const wait = list.turn.over();
    if (wait !== undefined) await wait;
  }
  return { kept, length };
}

/** One item with its tag and length: a view of the writer's bytes. */
function itemField({ itemType, item }: ProtobufList, object: StoredObject, out: ProtobufWriter): Uint8Array {
  out.clear();
  encodeProtobuf(itemType, item(object), out);
  out.uint(out.size);
  out.uint(ITEM);
  return out.view();
}

function write(bytes: Uint8Array, pieces: PieceWriter): undefined | Promise<void> {
  return pieces.bytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}
