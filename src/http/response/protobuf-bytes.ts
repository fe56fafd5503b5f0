// Protobuf encoding of values, in the envelope of the media type, and of watch events. As in JSON, the type follows
// from the value's kind and apiVersion.

import { Buffer } from 'node:buffer';
import { parseApiVersion } from '../../api/group-version.ts';
import type { JsonObject } from '../../api/object.ts';
import { beginEnvelope, endEnvelope, type TypeNames, writeEnvelope } from '../../api/protobuf-envelope.ts';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { lookup } from '../../base/lookup.ts';
import type { Steps } from '../../base/steps.ts';
import { NEWEST_MINOR } from '../../lifecycle/version.ts';
import { PartialObjectMetadata, PartialObjectMetadataList } from '../../resources/builtin/meta/v1.ts';
import { isRemovedKind } from '../../resources/builtin/removed-kinds.ts';
import { findBuiltinType } from '../../resources/builtin/types.ts';
import { typeInRelease } from '../../schema/declared-struct.ts';
import type { StructNode } from '../../schema/node.ts';
import { encodeProtobuf, encodingProtobuf } from '../../schema/protobuf-encode.ts';

export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

const META_TYPES: Readonly<Record<string, StructNode | undefined>> = lookup({
  PartialObjectMetadata,
  PartialObjectMetadataList,
});

/**
 * The built-in type of an object; undefined for others, such as custom resources.
 *
 * @param minor the release that it is of; by default the newest, which can write the objects of all
 */
export function protobufType({ apiVersion, kind }: TypeNames, minor: number = NEWEST_MINOR): StructNode | undefined {
  const names = parseApiVersion(apiVersion);
  if (names === undefined) return undefined;
  if (names.group === 'meta.k8s.io') return META_TYPES[kind];
  // The oldest discovery documents have no version.
  return findBuiltinType(names.group, names.version === '' ? 'v1' : names.version, kind, minor);
}

/** Like protobufType, but includes removed kinds that an emulated version brings back. */
export async function anyProtobufType(names: TypeNames, minor: number): Promise<StructNode | undefined> {
  const { apiVersion, kind } = names;
  const type = protobufType(names, minor);
  if (type !== undefined || !isRemovedKind(apiVersion, kind)) return type;
  const { REMOVED_TYPES } = await import('../../resources/builtin/removed-types.ts');
  const removed = REMOVED_TYPES[apiVersion]?.[kind];
  return removed && typeInRelease(removed, minor);
}

/**
 * A value in its envelope.
 * @param type of the value, if known; otherwise by its kind and apiVersion
 */
export function protobufBytes(value: JsonObject, type?: StructNode): Buffer {
  const out = new ProtobufWriter();
  writeValue(value, out, type);
  return bufferOf(out);
}

/** Like protobufBytes, in slices. */
export function* encodingProtobufBytes(value: JsonObject, known?: StructNode): Steps<Buffer> {
  const { names, type } = typed(value, known);
  const out = new ProtobufWriter();
  endEnvelope(out);
  const before = out.size;
  yield* encodingProtobuf(type, value, out);
  beginEnvelope(out, names, out.size - before);
  return bufferOf(out);
}

const TEXT = (1 << 3) | 2;
const OBJECT = (2 << 3) | 2;
const RAW = (1 << 3) | 2;

/** One watch event: its length in four bytes, and {1: type, 2: {1: the object in its envelope}}. */
export function protobufFrame(type: string, object: JsonObject, objectType?: StructNode): Buffer {
  const out = new ProtobufWriter();
  writeValue(object, out, objectType);
  return frameOf(type, out);
}

/** The same for an object whose message already exists. */
export function messageFrame(type: string, names: TypeNames, message: Uint8Array): Buffer {
  const out = new ProtobufWriter();
  writeEnvelope(out, names, () => out.raw(message));
  return frameOf(type, out);
}

/** @param out contains the object in its envelope */
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

function typed(value: JsonObject, known: StructNode | undefined): { names: TypeNames; type: StructNode } {
  const { apiVersion, kind } = value as { apiVersion?: string; kind?: string };
  const names = { apiVersion: apiVersion ?? '', kind: kind ?? '' };
  const type = known ?? protobufType(names);
  if (type === undefined) throw new Error(`${names.apiVersion} ${names.kind} has no protobuf form`);
  return { names, type };
}

function writeValue(value: JsonObject, out: ProtobufWriter, known?: StructNode): void {
  const { names, type } = typed(value, known);
  writeEnvelope(out, names, () => encodeProtobuf(type, value, out));
}

function bufferOf(out: ProtobufWriter): Buffer {
  const bytes = out.bytes();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
