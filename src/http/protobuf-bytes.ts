// Values as protobuf: in the envelope of the media type, and as the events of a watch. Which message a value is follows
// from its own kind and apiVersion, as in its JSON.

import { Buffer } from 'node:buffer';
import { parseApiVersion } from '../api/group-version.ts';
import type { JsonObject } from '../api/object.ts';
import { type TypeNames, writeEnvelope } from '../api/protobuf-envelope.ts';
import { ProtobufWriter } from '../api/protobuf-writer.ts';
import { lookup } from '../base/lookup.ts';
import { PartialObjectMetadata, PartialObjectMetadataList } from '../resources/builtin/meta/v1.ts';
import { isRemovedKind } from '../resources/builtin/removed-kinds.ts';
import { findBuiltinType } from '../resources/builtin/types.ts';
import type { StructNode } from '../schema/node.ts';
import { encodeProtobuf } from '../schema/protobuf-encode.ts';

export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

const META_TYPES: Readonly<Record<string, StructNode | undefined>> = lookup({
  PartialObjectMetadata,
  PartialObjectMetadataList,
});

/** The built-in type of an object; undefined where there is none, as of custom resources. */
export function protobufType({ apiVersion, kind }: TypeNames): StructNode | undefined {
  const names = parseApiVersion(apiVersion);
  if (names === undefined) return undefined;
  if (names.group === 'meta.k8s.io') return META_TYPES[kind];
  // The oldest documents of discovery say no version.
  return findBuiltinType(names.group, names.version === '' ? 'v1' : names.version, kind);
}

/** As protobufType, with kinds that are gone and that an emulated version brings back. */
export async function anyProtobufType(names: TypeNames): Promise<StructNode | undefined> {
  const { apiVersion, kind } = names;
  const type = protobufType(names);
  if (type !== undefined || !isRemovedKind(apiVersion, kind)) return type;
  const { REMOVED_TYPES } = await import('../resources/builtin/removed-types.ts');
  return REMOVED_TYPES[apiVersion]?.[kind];
}

/**
 * A value in its envelope.
 * @param type of the value, where that is known; by its kind and apiVersion otherwise
 */
export function protobufBytes(value: JsonObject, type?: StructNode): Buffer {
  const out = new ProtobufWriter();
  writeValue(value, out, type);
  return bufferOf(out);
}

const TEXT = (1 << 3) | 2;
const OBJECT = (2 << 3) | 2;
const RAW = (1 << 3) | 2;

/** One event of a watch: four bytes of length, and {1: type, 2: {1: the object in its envelope}}. */
export function protobufFrame(type: string, object: JsonObject, objectType?: StructNode): Buffer {
  const out = new ProtobufWriter();
  writeValue(object, out, objectType);
  return frameOf(type, out);
}

/** The same of an object whose message is there already. */
export function messageFrame(type: string, names: TypeNames, message: Uint8Array): Buffer {
  const out = new ProtobufWriter();
  writeEnvelope(out, names, () => out.raw(message));
  return frameOf(type, out);
}

/** @param out holds the object in its envelope */
function frameOf(type: string, out: ProtobufWriter): Buffer {
  out.uint(out.size);
  out.uint(RAW);
  out.uint(out.size);
  out.uint(OBJECT);
  out.text(type);
  out.uint(TEXT);
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(out.size);
  out.raw(length);
  return bufferOf(out);
}

function writeValue(value: JsonObject, out: ProtobufWriter, known?: StructNode): void {
  const { apiVersion, kind } = value as { apiVersion?: string; kind?: string };
  const names = { apiVersion: apiVersion ?? '', kind: kind ?? '' };
  const type = known ?? protobufType(names);
  if (type === undefined) throw new Error(`${names.apiVersion} ${names.kind} has no protobuf form`);
  writeEnvelope(out, names, () => encodeProtobuf(type, value, out));
}

function bufferOf(out: ProtobufWriter): Buffer {
  const bytes = out.bytes();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
