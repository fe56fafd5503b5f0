// CBOR encoding of values of a declared type. Most of it follows from the value; the type determines which strings are
// bytes and which integral numbers are floats, which CBOR distinguishes and JSON does not.

import type { CborWriter } from '../api/cbor-writer.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { formMember } from './decode-state.ts';
import type { Node } from './node.ts';

/** Encodes a value in the canonical form that decoding produces. */
export function encodeCbor(node: Node, value: Json | undefined, out: CborWriter): void {
  if (typeof value === 'object' && value !== null) encodeWhole(node, value, out);
  else if (node.kind === 'bytes' && typeof value === 'string') out.bytes(value);
  else if (node.kind === 'float64' && value !== null && value !== undefined) out.float(Number(value));
  else out.scalar(value);
}

function encodeWhole(node: Node, value: Json[] | JsonObject, out: CborWriter): void {
  if (node.kind === 'list') encodeList(node.items, value as Json[], out);
  else if (node.kind === 'map') encodeMembers(() => node.values, value as JsonObject, out);
  else if (node.kind !== 'struct' || node.form === 'raw') out.value(value);
  else if (node.form !== undefined) encodeWhole(formMember(node, Array.isArray(value)), value, out);
  else encodeMembers((name) => node.jsonFields.get(name)?.node, value as JsonObject, out);
}

function encodeList(items: Node, list: readonly Json[], out: CborWriter): void {
  out.array(list.length);
  for (const item of list) encodeCbor(items, item, out);
}

/** Members without a type (kind and apiVersion of embedded objects) are encoded generically. */
function encodeMembers(typeOf: (name: string) => Node | undefined, object: JsonObject, out: CborWriter): void {
  let size = 0;
  for (const name in object) if (object[name] !== undefined) size++;
  out.map(size);
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    out.text(name);
    const node = typeOf(name);
    if (node === undefined) out.value(value);
    else encodeCbor(node, value, out);
  }
}
