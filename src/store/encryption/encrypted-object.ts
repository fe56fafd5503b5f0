// The EncryptedObject message of KMS v2 as stored: the value, encrypted with a key or a seed, and that source,
// encrypted by the plugin. The message and its limits are kube-apiserver's.

import { labelFaults, subdomainFaults } from '../../api/names.ts';
import { readBytesByName } from '../../api/protobuf-map.ts';
import { DELIMITED, ProtobufError, ProtobufReader, VARINT } from '../../api/protobuf-reader.ts';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { TransformError } from '../value-transformer.ts';

/** The source of the keys for values: encrypted by the plugin, and shared by many values. */
export interface SealedSource {
  /** The key or seed, encrypted by the plugin. */
  readonly sealed: Uint8Array;
  /** The plugin's ID of the key that it used. */
  readonly keyId: string;
  /** Annotations that the plugin needs for decryption, sorted by name. */
  readonly annotations: ReadonlyMap<string, Uint8Array>;
  readonly type: SourceType;
}

/** An AES-GCM key, which only older servers wrote, or the seed of a key for each value. */
type SourceType = typeof SOURCE_KEY | typeof SOURCE_SEED;
const SOURCE_KEY = 0;
export const SOURCE_SEED = 1;

interface EncryptedObject {
  readonly source: SealedSource;
  readonly data: Uint8Array;
}

const MAX_SEALED_BYTES = 1024;
const MAX_KEY_ID_BYTES = 1024;
const MAX_ANNOTATIONS_BYTES = 32 * 1024;

/** The fields of a source as part of each value: encoded once. */
export function encodeSource({ sealed, keyId, annotations, type }: SealedSource): Buffer {
  const out = new ProtobufWriter();
  if (type !== SOURCE_KEY) {
    out.uint(type);
    out.uint((5 << 3) | VARINT);
  }
  for (const [name, value] of [...annotations].toReversed()) {
    const before = out.size;
    writeBytes(out, 2, value);
    writeBytes(out, 1, Buffer.from(name));
    out.uint(out.size - before);
    out.uint((4 << 3) | DELIMITED);
  }
  writeBytes(out, 3, sealed);
  writeBytes(out, 2, Buffer.from(keyId));
  return Buffer.from(out.bytes());
}

/** @param source as encoded by `encodeSource` */
export function encodeEncryptedObject(data: Uint8Array, source: Uint8Array): Buffer {
  const out = new ProtobufWriter();
  out.raw(source);
  writeBytes(out, 1, data);
  return Buffer.from(out.bytes());
}

/** @throws TransformError for bytes that are not such a message, or violate its limits */
export function decodeEncryptedObject(stored: Uint8Array): EncryptedObject {
  try {
    const decoded = decode(new ProtobufReader(stored));
    const problem = decoded.data.length === 0 ? 'encrypted data is empty' : sourceProblem(decoded.source);
    if (problem !== undefined) throw new TransformError(problem);
    return decoded;
  } catch (error) {
    if (error instanceof ProtobufError) throw new TransformError(error.message);
    throw error;
  }
}

/** Why a source is invalid; undefined if it is valid. */
export function sourceProblem({ sealed, keyId, annotations, type }: SealedSource): string | undefined {
  if (type !== SOURCE_KEY && type !== SOURCE_SEED) return `unknown encryptedDEKSourceType: ${type}`;
  const wrongSource = 'failed to validate encrypted DEK source: encrypted DEK source';
  if (sealed.length === 0) return `${wrongSource} is empty`;
  if (sealed.length > MAX_SEALED_BYTES) {
    return `${wrongSource} is ${sealed.length} bytes, exceeds max size of ${MAX_SEALED_BYTES}`;
  }
  const wrongKey = keyIdProblem(keyId);
  if (wrongKey !== undefined) return `failed to validate key id: ${wrongKey.text}`;
  const wrong = annotationProblems(annotations);
  if (wrong.length === 0) return undefined;
  return `failed to validate annotations: ${wrong.length === 1 ? wrong[0] : `[${wrong.join(', ')}]`}`;
}

/** Why a key ID is invalid, in words and as counted in metrics. */
export function keyIdProblem(
  keyId: string,
): { readonly code: 'empty' | 'too_long'; readonly text: string } | undefined {
  const bytes = Buffer.byteLength(keyId);
  if (bytes === 0) return { code: 'empty', text: 'keyID is empty' };
  if (bytes <= MAX_KEY_ID_BYTES) return undefined;
  return { code: 'too_long', text: `keyID is ${bytes} bytes, exceeds max size of ${MAX_KEY_ID_BYTES}` };
}

function annotationProblems(annotations: SealedSource['annotations']): string[] {
  const problems: string[] = [];
  let bytes = 0;
  for (const [name, value] of annotations) {
    problems.push(...domainProblems(name).map((problem) => `annotations: ${problem}`));
    bytes += Buffer.byteLength(name) + value.length;
  }
  if (bytes > MAX_ANNOTATIONS_BYTES) {
    problems.push(`total size of annotations is ${bytes}, exceeds max size of ${MAX_ANNOTATIONS_BYTES}`);
  }
  return problems;
}

/** Why a name is not a domain of two segments or more; it may end in a dot. */
function domainProblems(text: string): string[] {
  if (text === '') return ['Required value'];
  const name = text.replace(/\.$/, '');
  const invalid = (value: string, why: string): string => `Invalid value: ${JSON.stringify(value)}: ${why}`;
  const faults = subdomainFaults(name);
  if (faults.length > 0) return [invalid(name, faults.join(','))];
  if (!name.includes('.')) return [invalid(name, 'should be a domain with at least two segments separated by dots')];
  return name.split('.').flatMap((label) => {
    const wrong = labelFaults(label);
    return wrong.length === 0 ? [] : [invalid(label, wrong.join(','))];
  });
}

function writeBytes(out: ProtobufWriter, field: number, bytes: Uint8Array): void {
  out.raw(bytes);
  out.uint(bytes.length);
  out.uint((field << 3) | DELIMITED);
}

function decode(reader: ProtobufReader): EncryptedObject {
  const found = { data: EMPTY, sealed: EMPTY, keyId: '', type: SOURCE_KEY as number };
  const annotations = new Map<string, Uint8Array>();
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === ((1 << 3) | DELIMITED)) found.data = reader.raw();
    else if (tag === ((2 << 3) | DELIMITED)) found.keyId = reader.text();
    else if (tag === ((3 << 3) | DELIMITED)) found.sealed = reader.raw();
    else if (tag === ((4 << 3) | DELIMITED)) readBytesByName(reader, annotations);
    else if (tag === ((5 << 3) | VARINT)) found.type = reader.int32();
    else reader.skip(tag);
  }
  const { data, sealed, keyId, type } = found;
  return { data, source: { sealed, keyId, annotations, type: type as SourceType } };
}

const EMPTY: Uint8Array = new Uint8Array(0);
