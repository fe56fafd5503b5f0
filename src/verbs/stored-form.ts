// The stored form of an object: JSON of its storage version, kind and apiVersion first, metadata next, without a
// resourceVersion. Readers splice the version in right behind `"metadata":{`, so that a get copies no field.

import { Buffer } from 'node:buffer';
import { apiVersionOf } from '../api/group-version.ts';
import { parseJson } from '../api/json-reader.ts';
import { stringifyJson } from '../api/json-writer.ts';
import { longJson } from '../api/long-json-writer.ts';
import type { ApiObject, Json, JsonObject, ObjectMeta } from '../api/object.ts';
import type { Steps } from '../base/steps.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { StoredObject } from './resource-request.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Writes an object of the storage version down; one that is stored in another form is changed to it. */
export function encodeStored(definition: ResourceDefinition, object: ApiObject): Buffer {
  definition.storedForm?.write(object);
  return encodeObject(storedType(definition), object, definition.custom);
}

/** The same bytes as of encodeStored, in steps: for objects that are long. */
export function* encodingStored(definition: ResourceDefinition, object: ApiObject): Steps<Buffer> {
  definition.storedForm?.write(object);
  yield;
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = object;
  const { resourceVersion: _version, ...kept } = metadata;
  const layout: JsonObject = definition.custom
    ? { ...storedType(definition), metadata: kept as JsonObject, ...byName(rest) }
    : { ...storedType(definition), metadata: storedMetadata(metadata) as JsonObject, ...rest };
  const pieces = yield* longJson(layout, { sortedDepth: definition.custom ? SORTED_DEPTH : 0 });
  const encoded: Buffer[] = [];
  for (const piece of pieces) {
    encoded.push(Buffer.from(piece));
    yield;
  }
  const bytes = Buffer.allocUnsafeSlow(encoded.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of encoded) at += piece.copy(bytes, at);
  return bytes;
}

function storedType({ storedForm, storage }: ResourceDefinition): { kind: string; apiVersion: string } {
  return { kind: storage.kind, apiVersion: storedForm?.apiVersion ?? apiVersionOf(storage) };
}

/** The members of an object by name, at its own level alone. */
function byName(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * An object laid out as stored ones are. The bytes are a buffer of their own, not a piece of a shared one.
 * @param byName whether members stand by name at every depth below the first, as in custom resources, which Kubernetes
 *   holds as maps
 */
export function encodeObject(type: { kind: string; apiVersion: string }, object: ApiObject, byName = false): Buffer {
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = object;
  const { kind, apiVersion } = type;
  const text = stringifyJson(
    byName
      ? { kind, apiVersion, metadata: sortedMetadata(metadata), ...(inNameOrder(rest, 0) as JsonObject) }
      : { kind, apiVersion, metadata: storedMetadata(metadata), ...rest },
  );
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text, 'utf8');
  return bytes;
}

function sortedMetadata({ resourceVersion: _, ...metadata }: ObjectMeta): Json {
  return inNameOrder(metadata as JsonObject, 0);
}

/** Deeper than this, members stay as they are: the runtime's stack would not hold what may be stored. */
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
    const given = value[name] as Json;
    const member = inNameOrder(given, depth + 1);
    if (name < last || member !== given) isOrdered = false;
    last = name;
    members.push(member);
  }
  // Most values have been put in order before, and what is large is not made once more.
  if (isOrdered) return value;
  const places = new Map(names.map((name, index) => [name, index]));
  return Object.fromEntries(names.sort().map((name) => [name, members[places.get(name) as number] as Json]));
}

/** Metadata in the order of its declaration, so that equal objects are equal bytes. */
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
    if (member !== 'resourceVersion' && !(member in ordered)) ordered[member] = metadata[member];
  }
  return ordered;
}

/** Reads a stored object, its resourceVersion put in. */
export function decodeStored({ bytes, revision }: StoredObject): ApiObject {
  return atRevision(parseJson(bytes) as ApiObject, revision);
}

function atRevision(object: ApiObject, revision: number): ApiObject {
  if (revision > 0) object.metadata.resourceVersion = String(revision);
  return object;
}

/** A stored object as its definition reads it today, its resourceVersion put in; made ready where it has to be. */
export function readStored({ storedForm }: Pick<ResourceDefinition, 'storedForm'>, stored: StoredObject): ApiObject {
  if (storedForm === undefined) return decodeStored(stored);
  const converted = storedForm.conversion?.known(stored.bytes);
  if (converted === undefined) return storedForm.read(decodeStored(stored));
  return atRevision(parseJson(converted) as ApiObject, stored.revision);
}

/** A stored object's metadata, without reading the rest. */
export function metadataIn(bytes: Buffer): ObjectMeta {
  const start = metadataOffset(bytes) - 1;
  return parseJson(bytes.subarray(start, objectEnd(bytes, start))) as ObjectMeta;
}

/** Where the object ends whose brace is at `start`. */
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

/** Where the members of metadata begin in a stored object: theirs is the first brace behind the object's own. */
export function metadataOffset(bytes: Buffer): number {
  return bytes.indexOf(OPEN, 1) + 1;
}
