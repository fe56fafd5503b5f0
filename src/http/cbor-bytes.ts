// Values as CBOR: single ones, the events of a watch, and lists. Which type a value has follows from its own kind and
// apiVersion, as for protobuf; what has no declared type, as custom resources and tables, is written as what it is.

import { Buffer } from 'node:buffer';
import { CborWriter } from '../api/cbor-writer.ts';
import type { Json, JsonObject } from '../api/object.ts';
import type { Turn } from '../base/short-turns.ts';
import { encodeCbor } from '../schema/cbor-encode.ts';
import type { StructNode } from '../schema/node.ts';
import type { StoredObject } from '../verbs/resource-request.ts';
import type { EncodedObjects } from './encoded-objects.ts';
import type { PieceWriter } from './piece-writer.ts';
import { protobufType } from './protobuf-bytes.ts';

export const CBOR_TYPE = 'application/cbor';
/** Of watches: one document after the other. */
export const CBOR_SEQUENCE_TYPE = 'application/cbor-seq';

/** A value as a document of its own. */
export function cborBytes(value: JsonObject): Buffer {
  const out = new CborWriter();
  writeDocument(value, out);
  return copyOf(out);
}

/** One event of a watch. Its object is a document within a document. */
export function cborFrame(type: string, object: JsonObject): Buffer {
  const out = new CborWriter();
  out.selfDescribed();
  out.map(2);
  out.text('type');
  out.text(type);
  out.text('object');
  writeDocument(object, out);
  return copyOf(out);
}

interface CborList {
  readonly form: { readonly head: JsonObject; readonly itemsName: string; readonly emptyIsNull: boolean };
  readonly objects: readonly StoredObject[];
  readonly items: Pick<EncodedObjects, 'of'>;
  readonly turn: Turn;
}

/** Writes a list, an item at a time; others have their turn between items. */
export async function writeCborList({ form, objects, items, turn }: CborList, pieces: PieceWriter): Promise<void> {
  const out = new CborWriter();
  const head = Object.entries(form.head);
  out.selfDescribed();
  out.map(head.length + 1);
  for (const [name, value] of head) {
    out.text(name);
    out.value(value as Json);
  }
  out.text(form.itemsName);
  if (objects.length === 0 && form.emptyIsNull) out.value(null);
  else out.array(objects.length);
  await pieces.bytes(viewOf(out));
  for (const object of objects) {
    let wait = pieces.bytes(bufferOf(items.of(object)));
    if (wait !== undefined) await wait;
    wait = turn.over();
    if (wait !== undefined) await wait;
  }
}

/** Encodes items of a list. @param type undefined for items without a declared type */
export function cborItemEncoder(type: StructNode | undefined): (value: JsonObject) => Buffer<ArrayBuffer> {
  const out = new CborWriter();
  return (value) => {
    out.clear();
    writeValue(type, value, out);
    return copyOf(out);
  };
}

function writeDocument(value: JsonObject, out: CborWriter): void {
  const { apiVersion, kind } = value as { apiVersion?: string; kind?: string };
  out.selfDescribed();
  writeValue(protobufType({ apiVersion: apiVersion ?? '', kind: kind ?? '' }), value, out);
}

function writeValue(type: StructNode | undefined, value: JsonObject, out: CborWriter): void {
  if (type === undefined) out.value(value);
  else encodeCbor(type, value, out);
}

function viewOf(out: CborWriter): Buffer {
  return bufferOf(out.view());
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

function copyOf(out: CborWriter): Buffer<ArrayBuffer> {
  return Buffer.from(viewOf(out));
}
