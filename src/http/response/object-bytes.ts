// Encoding of objects in responses. A built-in object requested in its stored version is never decoded: its
// resourceVersion is inserted into the stored bytes. All others are decoded, converted and encoded.

import { Buffer } from 'node:buffer';
import { apiVersionOf } from '../../api/group-version.ts';
import { parsingJson } from '../../api/json-reader.ts';
import { stringifyJson } from '../../api/json-writer.ts';
import type { ApiObject, JsonObject, ObjectMeta } from '../../api/object.ts';
import { limits } from '../../base/limits.ts';
import type { Soon } from '../../base/soon.ts';
import { atOnce, type Steps } from '../../base/steps.ts';
import type { ResourceDefinition, ServedVersion } from '../../resources/definition.ts';
import { decodingObject } from '../../schema/decode.ts';
import type { StructNode } from '../../schema/node.ts';
import { hasOpaque, keepsTexts, textInJson, withTexts } from '../../schema/opaque-text.ts';
import { prepareCollection, prepareStored } from '../../verbs/converted-storage.ts';
import { encodingJson } from '../../verbs/json-bytes.ts';
import type { StoredObject } from '../../verbs/resource-request.ts';
import {
  encodeObject,
  encodingObject,
  metadataOffset,
  objectEnd,
  readingStored,
  readStored,
} from '../../verbs/stored-form.ts';
import { servingStored } from '../../verbs/version-forms.ts';
import { declaringMetadata, metadataAlone } from './table.ts';

/** Encodes objects of one resource in one version. Created once for each pair. */
export class ObjectEncoder {
  readonly definition: ResourceDefinition;
  readonly version: ServedVersion;
  readonly apiVersion: string;
  /** The declared type of objects in this version; undefined for maps. */
  readonly type: StructNode | undefined;
  /** Warnings for clients if this version of the kind is deprecated. */
  readonly deprecation: string | undefined;
  /** Whether objects may need preparation before they can be encoded. */
  readonly converts: boolean;
  /** Whether the stored form equals the served form. */
  readonly #direct: boolean;
  /** If objects may not be read as they are stored: the transformation of stored bytes. */
  readonly #read: WeakMap<Buffer, Served> | undefined;
  readonly #head: string;
  readonly #itemHead: string;

  constructor(definition: ResourceDefinition, version: ServedVersion) {
    this.definition = definition;
    this.version = version;
    this.apiVersion = apiVersionOf({ group: definition.group, version: version.version });
    this.type = definition.codec.typeOf(version.schema);
    this.deprecation = version.deprecation;
    this.converts = definition.storedForm?.conversion !== undefined;
    this.#direct = version.conversion === undefined;
    this.#read = definition.storedForm === undefined && !hasOpaque(version.schema) ? undefined : new WeakMap();
    const kind = `"kind":${JSON.stringify(definition.kind)},`;
    const apiVersion = `"apiVersion":${JSON.stringify(this.apiVersion)},`;
    const { sortsMembers, namesItems } = definition.codec;
    const names = sortsMembers ? `${apiVersion}${kind}` : `${kind}${apiVersion}`;
    this.#head = `{${names}"metadata":{`;
    this.#itemHead = namesItems ? this.#head : '{"metadata":{';
  }

  /** Prepares objects for encoding; undefined if they already are. @throws ApiError 500 */
  prepare(objects: Iterable<StoredObject>): Soon<void> {
    return prepareStored(this.definition, objects);
  }

  /** Prepares the objects of a list or a watch. @throws ApiError 429 */
  prepareAll(objects: Iterable<StoredObject>): Promise<void> {
    return prepareCollection(this.definition, this.apiVersion, objects);
  }

  /** The decoded object in the served version. */
  value(object: StoredObject): ApiObject {
    return atOnce(this.reading(object));
  }

  /** Like value, in slices for a long object. */
  *reading(object: StoredObject): Steps<ApiObject> {
    const stored = yield* readingStored(this.definition, object);
    return yield* servingStored(this.definition, this.version, stored);
  }

  /** The same with its fields in declaration order, for indented output. */
  ordered(object: StoredObject): ApiObject {
    return atOnce(this.ordering(object));
  }

  /** Like ordered, in slices for a long object. */
  *ordering(object: StoredObject): Steps<ApiObject> {
    const value = yield* this.reading(object);
    if (this.type === undefined) return value;
    return (yield* decodingObject(this.type, value)).value as ApiObject;
  }

  /** The object as complete JSON. */
  json(object: StoredObject): Buffer {
    return this.#json(object, '');
  }

  /** The same as a response body, which ends with a line feed. */
  line(object: StoredObject): Buffer {
    return this.#json(object, '\n');
  }

  #json(object: StoredObject, end: string): Buffer {
    if (!this.#direct) return Buffer.from(this.#converted(this.value(object)) + end);
    const bytes = this.#served(object);
    const head = this.#head + versionMember(object.revision);
    const start = metadataOffset(bytes);
    const endsAt = head.length + bytes.length - start;
    const out = Buffer.allocUnsafe(endsAt + end.length);
    out.write(head, 0, 'latin1');
    bytes.copy(out, head.length, start);
    if (end !== '') out.write(end, endsAt, 'latin1');
    return out;
  }

  /** The JSON of an object that is not served as it is stored. */
  #converted(value: JsonObject): string {
    const json = stringifyJson(value);
    const text = withTexts(this.version.schema, json, value);
    return text === undefined ? json : textInJson(text);
  }

  /** Like line, in slices for a long object. */
  *writingLine(object: StoredObject): Steps<Buffer> {
    if (!this.#direct && !hasOpaque(this.version.schema)) {
      return yield* encodingJson(yield* this.reading(object), { end: '\n' });
    }
    yield* this.serving(object);
    yield;
    return this.line(object);
  }

  /** The object as a list item, in two pieces: a text and the remaining bytes. */
  item(object: StoredObject): Pieces {
    if (this.#direct) {
      const bytes = this.#served(object);
      return { head: this.#itemHead + versionMember(object.revision), tail: bytes.subarray(metadataOffset(bytes)) };
    }
    const { kind, apiVersion, ...rest } = this.value(object);
    return {
      head: '',
      tail: Buffer.from(this.#converted(this.definition.codec.namesItems ? { apiVersion, kind, ...rest } : rest)),
    };
  }

  /**
   * The object's metadata as JSON in declaration order, in pieces like an item's. If the stored bytes have that order
   * and are served, nothing is decoded.
   */
  metadata(object: StoredObject): Pieces {
    return atOnce(this.encodingMetadata(object));
  }

  /** Like metadata, in slices for long metadata. */
  *encodingMetadata(object: StoredObject): Steps<Pieces> {
    const unshown = this.definition.numberAnnotation?.name;
    if (!this.#direct || (unshown !== undefined && object.bytes.includes(unshown))) {
      // Annotations that another version adds are not part of plain metadata.
      const stored = yield* readingStored(this.definition, object);
      const metadata = metadataAlone(stored.metadata, unshown);
      return { head: '', tail: yield* encodingMetadata(metadata, object) };
    }
    const stored = this.#storedMetadata(object);
    if (!this.definition.codec.sortsMembers) return stored;
    const metadata = (yield* parsingJson(stored.head + stored.tail.toString('utf8'))) as ObjectMeta;
    return { head: '', tail: yield* encodingMetadata(metadata, object) };
  }

  #storedMetadata(object: StoredObject): Pieces {
    const bytes = this.#served(object);
    const start = metadataOffset(bytes);
    const end = bytes === object.bytes ? metadataEnd(object) : objectEnd(bytes, start - 1);
    return { head: `{${versionMember(object.revision)}`, tail: bytes.subarray(start, end) };
  }

  /** An object with only the decoded metadata. */
  metadataValue(object: StoredObject): ApiObject {
    return atOnce(this.readingMetadata(object));
  }

  /** Like metadataValue, in slices for long metadata. */
  *readingMetadata(object: StoredObject): Steps<ApiObject> {
    const { head, tail } = yield* this.encodingMetadata(object);
    return { metadata: (yield* parsingJson(head + tail.toString('utf8'))) as ObjectMeta };
  }

  /** Stored bytes as served in this version. Most are unchanged; results of applying a schema are cached. */
  #served({ bytes }: StoredObject): Buffer {
    const known = this.#known(bytes);
    if (known !== undefined) return known;
    const { kind, codec, storedForm } = this.definition;
    if (storedForm === undefined) return this.#keep(bytes, Buffer.from(textInJson(bytes.toString('utf8'))));
    const object = readStored(this.definition, { bytes, revision: 0 });
    return this.#keep(bytes, encodeObject({ kind, apiVersion: this.apiVersion }, object, codec.sortsMembers));
  }

  /** Prepares an object for what returns it at once, in slices if it is long. */
  *serving({ bytes }: StoredObject): Steps<void> {
    if (!this.#direct || this.#known(bytes) !== undefined) return;
    const { kind, codec, storedForm } = this.definition;
    // Opaque values are as they were written.
    if (storedForm === undefined) {
      this.#keep(bytes, Buffer.from(textInJson(bytes.toString('utf8'))));
      return;
    }
    const object = yield* readingStored(this.definition, { bytes, revision: 0 });
    this.#keep(bytes, yield* encodingObject({ kind, apiVersion: this.apiVersion }, object, codec.sortsMembers));
  }

  #known(bytes: Buffer): Buffer | undefined {
    const { storedForm } = this.definition;
    if (this.#read === undefined || storedForm?.isCurrent(bytes) === true) return bytes;
    if (storedForm === undefined && !keepsTexts(bytes)) return bytes;
    const known = this.#read.get(bytes);
    // A webhook that is asked again may answer something else.
    return known !== undefined && known.converted === storedForm?.conversion?.known(bytes) ? known.bytes : undefined;
  }

  #keep(bytes: Buffer, made: Buffer): Buffer {
    const { storedForm } = this.definition;
    const same = made.subarray(metadataOffset(made)).equals(bytes.subarray(metadataOffset(bytes)));
    const served = { bytes: same ? bytes : made, converted: storedForm?.conversion?.known(bytes) };
    this.#read?.set(bytes, served);
    return served.bytes;
  }
}

/** Metadata in declaration order; short metadata at once, which is much faster. */
function* encodingMetadata(metadata: ObjectMeta, { bytes }: StoredObject): Steps<Buffer> {
  const declared = yield* declaringMetadata(metadata);
  if (bytes.length < limits.wholeJsonCharacters) return Buffer.from(stringifyJson(declared));
  return yield* encodingJson(declared as JsonObject);
}

/** An encoded value in two pieces: a text and the remaining bytes. */
interface Pieces {
  readonly head: string;
  readonly tail: Buffer;
}

/** Stored bytes as served. */
interface Served {
  readonly bytes: Buffer;
  /** The answer of the conversion webhook of which they were made; undefined without one. */
  readonly converted: string | undefined;
}

/** Where metadata ends in the stored bytes; cached with the object. */
function metadataEnd(object: StoredObject): number {
  if (object.metadataEnd !== undefined && object.metadataEnd !== 0) return object.metadataEnd;
  const end = objectEnd(object.bytes, metadataOffset(object.bytes) - 1);
  if (object.metadataEnd !== undefined) object.metadataEnd = end;
  return end;
}

function versionMember(revision: number): string {
  return revision === 0 ? '' : `"resourceVersion":"${revision}",`;
}

/** One encoder for each resource and version, looked up without an allocation. */
export class ObjectEncoders {
  readonly #encoders = new WeakMap<ServedVersion, ObjectEncoder>();

  for(definition: ResourceDefinition, version: ServedVersion): ObjectEncoder {
    let encoder = this.#encoders.get(version);
    if (encoder === undefined) {
      encoder = new ObjectEncoder(definition, version);
      this.#encoders.set(version, encoder);
    }
    return encoder;
  }
}
