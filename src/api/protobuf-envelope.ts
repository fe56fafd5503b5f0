// The envelope of the protobuf media type: four magic bytes, and a message with the type and the bytes of an object.
// Independent of types.

import { DELIMITED, ProtobufError, ProtobufReader } from './protobuf-reader.ts';
import type { ProtobufWriter } from './protobuf-writer.ts';

/** `k8s` and a zero byte. */
const MAGIC = Uint8Array.of(0x6b, 0x38, 0x73, 0);

const FIRST = (1 << 3) | DELIMITED;
const SECOND = (2 << 3) | DELIMITED;
/** Content encoding and type: empty for plain protobuf. */
const CONTENT_FACTS = Uint8Array.of((3 << 3) | DELIMITED, 0, (4 << 3) | DELIMITED, 0);

export interface TypeNames {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Writes an object in its envelope. @param write writes the object's message */
export function writeEnvelope(out: ProtobufWriter, names: TypeNames, write: () => void): void {
  endEnvelope(out);
  const before = out.size;
  write();
  beginEnvelope(out, names, out.size - before);
}

/** The part of an envelope after the object, which is written first. */
export function endEnvelope(out: ProtobufWriter): void {
  out.raw(CONTENT_FACTS);
}

/** The part of an envelope before an object of `length` bytes. */
export function beginEnvelope(out: ProtobufWriter, { apiVersion, kind }: TypeNames, length: number): void {
  out.uint(length);
  out.uint(SECOND);
  const before = out.size;
  out.text(kind);
  out.uint(SECOND);
  out.text(apiVersion);
  out.uint(FIRST);
  out.uint(out.size - before);
  out.uint(FIRST);
  out.raw(MAGIC);
}

export interface Envelope extends TypeNames {
  /** The object's message: a view of the bytes. */
  readonly raw: Uint8Array;
}

/** Opens an envelope. @throws ProtobufError for bytes that are not one */
export function readEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new ProtobufError('empty data');
  if (!MAGIC.every((byte, index) => bytes[index] === byte)) {
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${MAGIC.join(' ')}]`,
    );
  }
  if (bytes.length === MAGIC.length) throw new ProtobufError('empty body');
  const reader = new ProtobufReader(bytes.subarray(MAGIC.length));
  let names: TypeNames = { apiVersion: '', kind: '' };
  let raw: Uint8Array = new Uint8Array(0);
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === FIRST) names = readNames(reader);
    else if (tag === SECOND) raw = reader.raw();
    else reader.skip(tag);
  }
  return { ...names, raw };
}

function readNames(reader: ProtobufReader): TypeNames {
  let apiVersion = '';
  let kind = '';
  const outer = reader.enter();
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === FIRST) apiVersion = reader.text();
    else if (tag === SECOND) kind = reader.text();
    else reader.skip(tag);
  }
  reader.leave(outer);
  return { apiVersion, kind };
}
