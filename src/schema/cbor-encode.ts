// CBOR encoding of values of a declared type. Most of it follows from the value; the type determines which strings are
// bytes and which integral numbers are floats, which CBOR distinguishes and JSON does not.

import type { CborWriter } from '../api/cbor-writer.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { limits } from '../base/limits.ts';
import type { Steps } from '../base/steps.ts';
import { formMember } from './decode-state.ts';
import type { Node } from './node.ts';

/** Encodes a value in the canonical form that decoding produces. */
export function encodeCbor(node: Node, value: Json | undefined, out: CborWriter): void {
  if (typeof value === 'object' && value !== null) encodeWhole(node, value, out);
  else if (node.kind === 'bytes' && typeof value === 'string') out.bytes(value);
  else if (node.kind === 'float64' && value !== null && value !== undefined) out.float(Number(value));
  else out.scalar(value);
}

/** Like encodeCbor, in slices. */
export function* encodingCbor(node: Node | undefined, value: Json | undefined, out: CborWriter): Steps<void> {
  const kind = typeof value === 'object' && value !== null ? shapeOf(node, value) : undefined;
  if (kind === undefined) {
    if (node === undefined) out.value(value);
    else encodeCbor(node, value, out);
    return;
  }
  if (kind.list !== undefined) {
    out.array(kind.list.length);
    for (const item of kind.list) yield* encodingPart(kind.items, item, out);
    return;
  }
  const { members, typeOf } = kind;
  const all = Object.keys(members);
  if (all.length > limits.membersInStep) yield;
  const names = all.filter((name) => ownMember(members, name) !== undefined);
  if (all.length > limits.membersInStep) yield;
  out.map(names.length);
  for (const name of names) {
    out.text(name);
    yield* encodingPart(typeOf(name), ownMember(members, name) as Json, out);
  }
}

/** Bytes that are written before other work may run. */
const BYTES_IN_STEP = 8_192;

function* encodingPart(node: Node | undefined, value: Json, out: CborWriter): Steps<void> {
  if (typeof value === 'object' && value !== null) yield* encodingCbor(node, value, out);
  else if (node === undefined) out.value(value);
  else encodeCbor(node, value, out);
  if (out.isDue(BYTES_IN_STEP)) yield;
}

type Shape =
  | { readonly list: readonly Json[]; readonly items: Node | undefined }
  | {
      readonly list?: undefined;
      readonly members: JsonObject;
      readonly typeOf: (name: string) => Node | undefined;
    };

/** A list or map and the types in it, if any. */
function shapeOf(node: Node | undefined, value: Json[] | JsonObject): Shape {
  if (node?.kind === 'struct' && node.form !== undefined && node.form !== 'raw') {
    return shapeOf(formMember(node, Array.isArray(value)), value);
  }
  if (Array.isArray(value)) return { list: value, items: node?.kind === 'list' ? node.items : undefined };
  if (node?.kind === 'map') return { members: value, typeOf: () => node.values };
  const fields = node?.kind === 'struct' && node.form === undefined ? node.jsonFields : undefined;
  return { members: value, typeOf: (name) => fields?.get(name)?.node };
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
