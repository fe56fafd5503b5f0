// Protobuf encoding and decoding of objects by their types.

import { Buffer } from 'node:buffer';
import type { JsonObject } from '../../src/api/object.ts';
import { readEnvelope, writeEnvelope } from '../../src/api/protobuf-envelope.ts';
import { ProtobufWriter } from '../../src/api/protobuf-writer.ts';
import { findBuiltinType } from '../../src/resources/builtin/types.ts';
import { decodeObject } from '../../src/schema/decode.ts';
import { decodeProtobuf } from '../../src/schema/protobuf-decode.ts';
import { encodeProtobuf } from '../../src/schema/protobuf-encode.ts';
import type { Body } from './bodies.ts';

/** A body of this media type that is an object is sent in its type's encoding. */
export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

interface TypeNames {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Encodes a body as protobuf. @throws Error if it has no known type, or does not match it */
export function protobufOf(body: Body): Buffer {
  const names = { apiVersion: String(body['apiVersion']), kind: String(body['kind']) };
  const type = typeOf(names);
  if (type === undefined) throw new Error(`${names.apiVersion} ${names.kind} is not known`);
  const { value } = decodeObject(type, structuredClone(body));
  const out = new ProtobufWriter();
  writeEnvelope(out, names, () => encodeProtobuf(type, value, out));
  return Buffer.from(out.bytes());
}

/** Whether a body can be encoded in protobuf. */
export function hasProtobuf(body: Body): boolean {
  try {
    protobufOf(body);
    return true;
  } catch {
    return false;
  }
}

/**
 * Decodes a protobuf response to JSON, with whether its bytes equal those of our own encoder; for an unknown type, only
 * its names.
 */
export function protobufAnswer(bytes: Buffer): unknown {
  const { apiVersion, kind, raw } = readEnvelope(bytes);
  const type = typeOf({ apiVersion, kind });
  if (type === undefined) return { json: { apiVersion, kind } };
  const object = decodeProtobuf(type, raw);
  const out = new ProtobufWriter();
  encodeProtobuf(type, object as JsonObject, out);
  return { json: { ...object, apiVersion, kind }, canonical: Buffer.from(out.bytes()).equals(raw) };
}

function typeOf({ apiVersion, kind }: TypeNames) {
  const slash = apiVersion.lastIndexOf('/');
  return findBuiltinType(apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1), kind);
}
