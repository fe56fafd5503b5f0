// Custom objects in CBOR, as kube-apiserver stores them behind the feature gate CBORServingAndStorage, and reads them with
// or without it. Members are in the deterministic order of RFC 8949: shorter names first.

import { Buffer } from 'node:buffer';
import { parseCbor } from '../../api/cbor-reader.ts';
import { CborWriter } from '../../api/cbor-writer.ts';
import { isObject } from '../../api/is-object.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { limits } from '../../base/limits.ts';

const SELF_DESCRIBED = Buffer.from([0xd9, 0xd9, 0xf7]);

/** Whether a stored value is a document of CBOR. */
export function isCbor(stored: Buffer): boolean {
  return stored.subarray(0, SELF_DESCRIBED.length).equals(SELF_DESCRIBED);
}

/** The object of a stored document. @throws CborError; Error for documents that are no objects */
export function readCbor(stored: Buffer): JsonObject {
  const value = parseCbor(stored);
  if (isObject(value)) return value;
  throw new Error('the value is not an object');
}

/** The document of an object; undefined for one with more depth or members than readers accept. */
export function writeCbor(object: JsonObject): Uint8Array | undefined {
  if (!isWithinLimits(object, 1)) return undefined;
  const out = new CborWriter();
  out.selfDescribed();
  write(object, out);
  return out.view();
}

function isWithinLimits(value: Json | undefined, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const members = Array.isArray(value) ? value : Object.values(value);
  if (depth > limits.cborDepth || members.length > limits.cborItems) return false;
  return members.every((member) => isWithinLimits(member as Json | undefined, depth + 1));
}

function write(value: Json | undefined, out: CborWriter): void {
  if (typeof value !== 'object' || value === null) {
    out.scalar(value);
  } else if (Array.isArray(value)) {
    out.array(value.length);
    for (const item of value) write(item, out);
  } else {
    writeMembers(value, out);
  }
}

function writeMembers(value: JsonObject, out: CborWriter): void {
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  const sorted = names.map((name) => Buffer.from(name)).sort(shorterFirst);
  out.map(sorted.length);
  for (const name of sorted.map(String)) {
    out.text(name);
    write(ownMember(value, name) as Json, out);
  }
}

function shorterFirst(one: Buffer, other: Buffer): number {
  return one.length - other.length || Buffer.compare(one, other);
}
