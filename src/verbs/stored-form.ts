// The stored form of an object: JSON of its storage version with kind and apiVersion first, then metadata, without a
// resourceVersion. Readers insert the version right after `"metadata":{`, so that a get does not copy fields.

import { Buffer } from 'node:buffer';
import { apiVersionOf } from '../api/group-version.ts';
import { parseJson, parsingJson } from '../api/json-reader.ts';
import { stringifyJson } from '../api/json-writer.ts';
import type { ApiObject, Json, JsonObject, ObjectMeta } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { limits } from '../base/limits.ts';
import { atOnce, type Steps } from '../base/steps.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { StructNode } from '../schema/node.ts';
import { hasOpaque, keepsTexts, noteTexts, withTexts } from '../schema/opaque-text.ts';
import { encodingJson } from './json-bytes.ts';
import type { StoredObject } from './resource-request.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COMMA = 0x2c;

/** Encodes an object of the storage version; an object with a different stored form is modified. */
export function encodeStored(definition: ResourceDefinition, object: ApiObject): Buffer {
  if (definition.storedForm !== undefined) atOnce(definition.storedForm.writing(object));
  const { storage, codec } = definition;
  const bytes = encodeObject(storedType(definition), object, codec.sortsMembers);
  return withOpaqueTexts(codec.typeOf(storage.schema), bytes, object);
}

/**
 * The JSON of an object with the texts of its opaque values.
 * @param type its type; undefined for maps
 */
export function withOpaqueTexts(type: StructNode | undefined, bytes: Buffer, object: ApiObject): Buffer {
  if (type === undefined || !hasOpaque(type)) return bytes;
  const text = withTexts(type, bytes.toString('utf8'), object);
  return text === undefined ? bytes : bufferOf(text);
}

/** The same bytes as encodeStored, in slices, for long objects. */
export function* encodingStored(definition: ResourceDefinition, object: ApiObject): Steps<Buffer> {
  if (definition.storedForm !== undefined) yield* definition.storedForm.writing(object);
  yield;
  const { storage, codec } = definition;
  const bytes = yield* encodingObject(storedType(definition), object, codec.sortsMembers);
  return withOpaqueTexts(codec.typeOf(storage.schema), bytes, object);
}

/** The same bytes as encodeObject, in slices, for long objects. */
export function* encodingObject(type: StoredType, object: ApiObject, isByName = false): Steps<Buffer> {
  return yield* encodingJson(layoutOf(type, object, isByName), { sortedDepth: isByName ? SORTED_DEPTH : 0 });
}

/**
 * The members in stored order.
 * @param isByName whether those below the first level are sorted as well, which is left to who writes them
 */
function layoutOf({ kind, apiVersion }: StoredType, object: ApiObject, isByName: boolean): JsonObject {
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = object;
  if (!isByName) return { kind, apiVersion, metadata: storedMetadata(metadata) as JsonObject, ...rest };
  const { resourceVersion: _version, ...kept } = metadata;
  return { kind, apiVersion, metadata: kept as JsonObject, ...byName(rest) };
}

interface StoredType {
  readonly kind: string;
  readonly apiVersion: string;
}

function storedType({ storedForm, storage }: ResourceDefinition): StoredType {
  return { kind: storage.kind, apiVersion: storedForm?.apiVersion ?? apiVersionOf(storage) };
}

/** Sorts the members of an object, at its top level only. */
function byName(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Encodes an object in stored order. The result is a separate buffer, not a view of a shared one.
 * @param isByName whether members are sorted at every level below the first, as in custom resources, which are maps in
 *   Kubernetes
 */
export function encodeObject(type: StoredType, object: ApiObject, isByName = false): Buffer {
  const layout = layoutOf(type, object, isByName);
  if (isByName) for (const name of Object.keys(layout)) layout[name] = inNameOrder(layout[name] as Json, 1);
  return bufferOf(stringifyJson(layout));
}

/** The text in a separate buffer, not a view of a shared one. */
function bufferOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text, 'utf8');
  return bytes;
}

/**
 * Members below this depth are not sorted, because the runtime's stack is not deep enough for everything that can be
 * stored.
 */
const SORTED_DEPTH = 500;

function inNameOrder(value: Json, depth: number): Json {
  if (typeof value !== 'object' || value === null || depth > SORTED_DEPTH) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => inNameOrder(item, depth + 1));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const names = Object.keys(value);
  let isOrdered = true;
  let last = '';
  const members: Json[] = [];
  for (const name of names) {
    const given = ownMember(value, name) as Json;
    const member = inNameOrder(given, depth + 1);
    if (name < last || member !== given) isOrdered = false;
    last = name;
    members.push(member);
  }
  // Most values are already sorted, and large ones are not copied needlessly.
  if (isOrdered) return value;
  const places = new Map(names.map((name, index) => [name, index]));
  return Object.fromEntries(names.sort().map((name) => [name, members[places.get(name) as number] as Json]));
}

/** Metadata in declaration order, so that equal objects have equal bytes. */
function storedMetadata(metadata: ObjectMeta): ObjectMeta {
  const ordered: ObjectMeta = {
    name: metadata.name,
    generateName: metadata.generateName,
    namespace: metadata.namespace,
    uid: metadata.uid,
    generation: metadata.generation,
    creationTimestamp: metadata.creationTimestamp,
    deletionTimestamp: metadata.deletionTimestamp,
    deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds,
    labels: metadata.labels,
    annotations: metadata.annotations,
    ownerReferences: metadata.ownerReferences,
    finalizers: metadata.finalizers,
    managedFields: metadata.managedFields,
  };
  for (const member in metadata) {
    if (member !== 'resourceVersion' && !Object.hasOwn(ordered, member)) ordered[member] = metadata[member];
  }
  return ordered;
}

/** An object as it is stored before an update. */
interface Before {
  readonly object: ApiObject;
  readonly bytes: Buffer;
}

/**
 * Encodes an update that leaves the spec as it is, the same object, from the stored bytes of that: of a status with a
 * long spec. The result is that of encodeStored; undefined if the spec changed, is short, or has another stored form.
 */
export function encodeBesideSpec(definition: ResourceDefinition, next: ApiObject, before: Before): Buffer | undefined {
  const { object, bytes } = before;
  const { spec } = object;
  if (definition.codec.sortsMembers || definition.storedForm !== undefined) return undefined;
  if (hasOpaque(definition.storage.schema)) return undefined;
  if (bytes.length < limits.copiedSpecBytes || spec === undefined || next['spec'] !== spec) return undefined;
  const type = storedType(definition);
  const [head, tail] = textsAround(type, object);
  const from = head.length;
  const to = bytes.length - tail.length;
  // What an older or another server has written may be in another order.
  if (from >= to || !bytes.subarray(0, from).equals(head) || !bytes.subarray(to).equals(tail)) return undefined;
  const [nextHead, nextTail] = textsAround(type, next);
  const encoded = Buffer.allocUnsafeSlow(nextHead.length + to - from + nextTail.length);
  nextHead.copy(encoded);
  bytes.copy(encoded, nextHead.length, from, to);
  nextTail.copy(encoded, nextHead.length + to - from);
  return encoded;
}

/** What encodeObject writes before and after the spec. */
function textsAround(type: { kind: string; apiVersion: string }, object: ApiObject): [Buffer, Buffer] {
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = object;
  const names = Object.keys(rest);
  const at = names.indexOf('spec');
  const part = (some: readonly string[]) => Object.fromEntries(some.map((name) => [name, ownMember(rest, name)]));
  const { kind, apiVersion } = type;
  const head = stringifyJson({ kind, apiVersion, metadata: storedMetadata(metadata), ...part(names.slice(0, at)) });
  const tail = stringifyJson(part(names.slice(at + 1)));
  return [Buffer.from(`${head.slice(0, -1)},"spec":`), Buffer.from(tail === '{}' ? '}' : `,${tail.slice(1)}`)];
}

/** Decodes a stored object, including its resourceVersion. */
export function decodeStored({ bytes, revision }: StoredObject): ApiObject {
  return atRevision(parseJson(bytes) as ApiObject, revision);
}

function atRevision(object: ApiObject, revision: number): ApiObject {
  if (revision > 0) object.metadata.resourceVersion = String(revision);
  return object;
}

/** Like decodeStored, in slices for a long object. */
function* decodingStored({ bytes, revision }: StoredObject): Steps<ApiObject> {
  return atRevision((yield* parsingJson(bytes)) as ApiObject, revision);
}

/** What a stored object is read by. */
export type StoredDefinition = Pick<ResourceDefinition, 'storedForm' | 'storage' | 'codec'>;

/** A stored object as its current definition decodes it, including its resourceVersion; prepared if necessary. */
export function readStored(definition: StoredDefinition, stored: StoredObject): ApiObject {
  return atOnce(readingStored(definition, stored, decodeStored));
}

/** Like readStored, in slices for a long object. */
export function* readingStored(
  { storedForm, storage, codec }: StoredDefinition,
  stored: StoredObject,
  decode?: (stored: StoredObject) => ApiObject,
): Steps<ApiObject> {
  const converted = storedForm?.conversion?.known(stored.bytes);
  if (converted !== undefined) return atRevision((yield* parsingJson(converted)) as ApiObject, stored.revision);
  const object = decode === undefined ? yield* decodingStored(stored) : decode(stored);
  if (keepsTexts(stored.bytes)) noteTexts(codec.typeOf(storage.schema), stored.bytes.toString('utf8'), object);
  return storedForm === undefined ? object : yield* storedForm.reading(object);
}

/**
 * The metadata of a stored object, without decoding the rest, nor the managers if the metadata is long: those of a long
 * object have about as many members as the object itself.
 */
export function metadataIn(bytes: Buffer): ObjectMeta {
  const start = metadataOffset(bytes) - 1;
  const metadata = bytes.subarray(start, objectEnd(bytes, start));
  const managers = metadata.length < LONG_METADATA ? undefined : managersIn(metadata);
  if (managers === undefined) return parseJson(metadata) as ObjectMeta;
  const { from, to } = managers;
  return parseJson(Buffer.concat([metadata.subarray(0, from), ABSENT, metadata.subarray(to)])) as ObjectMeta;
}

const LONG_METADATA = 16_384;
const MANAGERS = Buffer.from('"managedFields"');
const ABSENT = Buffer.from(':null');

/** Where metadata have the colon and the list of managers. */
function managersIn(metadata: Buffer): { from: number; to: number } | undefined {
  let depth = 0;
  let isName = false;
  let from = -1;
  for (let at = 0; at < metadata.length; at++) {
    const byte = metadata[at];
    if (byte === QUOTE) {
      const end = closingQuote(metadata, at);
      if (isName && metadata.subarray(at, end + 1).equals(MANAGERS)) from = end + 1;
      isName = false;
      at = end;
    } else if (byte === OPEN || byte === OPEN_LIST) {
      isName = ++depth === 1;
    } else if (byte === CLOSE || byte === CLOSE_LIST) {
      if (--depth === 1 && from >= 0) return { from, to: at + 1 };
    } else if (byte === COMMA) isName = depth === 1;
  }
  return undefined;
}

/** The end of the JSON object whose brace is at `start`. */
export function objectEnd(bytes: Buffer, start: number): number {
  let depth = 0;
  let at = start;
  do {
    if (at >= bytes.length) throw new SyntaxError('unexpected end of the stored object');
    const byte = bytes[at];
    if (byte === QUOTE) at = closingQuote(bytes, at);
    else if (byte === OPEN) depth++;
    else if (byte === CLOSE) depth--;
    at++;
  } while (depth > 0);
  return at;
}

function closingQuote(bytes: Buffer, open: number): number {
  let at = open + 1;
  while (bytes[at] !== QUOTE) {
    if (at >= bytes.length) throw new SyntaxError('unexpected end of the stored object');
    at += bytes[at] === BACKSLASH ? 2 : 1;
  }
  return at;
}

/** The start of the members of metadata in a stored object: theirs is the first brace after the object's own. */
export function metadataOffset(bytes: Buffer): number {
  return bytes.indexOf(OPEN, 1) + 1;
}
