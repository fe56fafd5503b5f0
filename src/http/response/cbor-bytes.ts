// CBOR encoding of single values, watch events and lists. As with protobuf, the type of a value follows from its kind
// and apiVersion; values without a declared type, such as custom resources and tables, are encoded generically.

import { Buffer } from 'node:buffer';
import { CborWriter } from '../../api/cbor-writer.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import type { Turn } from '../../base/short-turns.ts';
import type { Steps } from '../../base/steps.ts';
import { encodeCbor, encodingCbor } from '../../schema/cbor-encode.ts';
import type { StructNode } from '../../schema/node.ts';
import type { StoredObject } from '../../verbs/resource-request.ts';
import type { EncodedObjects } from './encoded-objects.ts';
import type { PieceWriter } from './piece-writer.ts';
import { protobufType } from './protobuf-bytes.ts';

export const CBOR_TYPE = 'application/cbor';
/** For watches: a sequence of documents. */
export const CBOR_SEQUENCE_TYPE = 'application/cbor-seq';

/** Encodes a value as a complete document. */
export function cborBytes(value: JsonObject): Buffer {
  const out = new CborWriter();
  writeDocument(value, out);
  return copyOf(out);
}

/** Like cborBytes, in slices. */
export function* encodingCborBytes(value: JsonObject): Steps<Buffer> {
  const { apiVersion, kind } = value as { apiVersion?: string; kind?: string };
  const out = new CborWriter();
  out.selfDescribed();
  yield* encodingCbor(protobufType({ apiVersion: apiVersion ?? '', kind: kind ?? '' }), value, out);
  return copyOf(out);
}

/** Encodes a watch event. Its object is a document within the document. */
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

/** Writes a list item by item; other requests run between items. */
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
