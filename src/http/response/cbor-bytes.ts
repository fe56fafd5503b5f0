// CBOR encoding of single values, watch events and lists. As with protobuf, the type of a value follows from its kind
// and apiVersion; values without a declared type, such as custom resources and tables, are encoded generically.

import { Buffer } from 'node:buffer';
import { CborWriter } from '../../api/cbor-writer.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import type { Turn } from '../../base/short-turns.ts';
import { isLater } from '../../base/soon.ts';
import { carriedOut, type Steps } from '../../base/steps.ts';
import { encodeCbor, encodingCbor } from '../../schema/cbor-encode.ts';
import type { StructNode } from '../../schema/node.ts';
import type { StoredObject } from '../../verbs/resource-request.ts';
import type { EncodedObjects } from './encoded-objects.ts';
import type { PieceWriter } from './piece-writer.ts';
import { protobufType } from './protobuf-bytes.ts';

export const CBOR_TYPE = 'application/cbor';
/** For watches: a sequence of documents. */
export const CBOR_SEQUENCE_TYPE = 'application/cbor-seq';

/**
 * The number of orders in which an event can be encoded. As in Kubernetes, the order of members is random, so that clients
 * do not come to depend on it: here, of an event and of the first member of its object.
 */
export const CBOR_ORDERS = 4;

/**
 * Encodes a value as a complete document.
 * @param order below CBOR_ORDERS
 */
export function cborBytes(value: JsonObject, order = 0): Buffer {
  const out = new CborWriter();
  writeDocument(value, order, out);
  return copyOf(out);
}

/** Like cborBytes, in slices, and in one order of members. */
export function* encodingCborBytes(value: JsonObject): Steps<Buffer> {
  const { apiVersion, kind } = value as { apiVersion?: string; kind?: string };
  const out = new CborWriter();
  out.selfDescribed();
  yield* encodingCbor(protobufType({ apiVersion: apiVersion ?? '', kind: kind ?? '' }), value, out);
  return copyOf(out);
}

/**
 * Encodes a watch event. Its object is a document within the document.
 * @param order below CBOR_ORDERS
 */
export function cborFrame(type: string, object: JsonObject, order = 0): Buffer {
  const out = new CborWriter();
  const members = [
    () => {
      out.text('type');
      out.text(type);
    },
    () => {
      out.text('object');
      writeDocument(object, order, out);
    },
  ];
  out.selfDescribed();
  out.map(members.length);
  for (const write of order < 2 ? members : members.reverse()) write();
  return copyOf(out);
}

interface CborList {
  readonly form: { readonly head: JsonObject; readonly itemsName: string; readonly emptyIsNull: boolean };
  readonly objects: readonly StoredObject[];
  readonly items: Pick<EncodedObjects, 'making'>;
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
    const making = carriedOut(items.making(object), turn);
    let wait = pieces.bytes(bufferOf(isLater(making) ? await making : making));
    if (wait !== undefined) await wait;
    wait = turn.over();
    if (wait !== undefined) await wait;
  }
}

/**
 * Encodes items of a list, in slices if they are long.
 * @param type undefined for items without a declared type
 */
export function cborItemEncoder(
  type: StructNode | undefined,
): (value: JsonObject, isLong: boolean) => Steps<Buffer<ArrayBuffer>> {
  const out = new CborWriter();
  return function* encoding(value, isLong) {
    out.clear();
    if (isLong) yield* encodingCbor(type, value, out);
    else writeValue(type, value, out);
    return copyOf(out);
  };
}

/** An odd order puts the first member last. */
function inOrder(value: JsonObject, order: number): JsonObject {
  if (order % 2 === 0) return value;
  const [first, ...others] = Object.entries(value);
  return Object.fromEntries(first === undefined ? [] : [...others, first]) as JsonObject;
}

function writeDocument(value: JsonObject, order: number, out: CborWriter): void {
  const { apiVersion, kind } = value as { apiVersion?: string; kind?: string };
  out.selfDescribed();
  writeValue(protobufType({ apiVersion: apiVersion ?? '', kind: kind ?? '' }), inOrder(value, order), out);
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
