// Encoding of watch events. An event is encoded once for each watched version and form; all watchers share the bytes,
// which the watch cache keeps with its most recent events.

import { Buffer } from 'node:buffer';
import { stringifyJson } from '../../api/json-writer.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import type { TypeNames } from '../../api/protobuf-envelope.ts';
import type { Status } from '../../api/status.ts';
import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { Soon } from '../../base/soon.ts';
import { isSince } from '../../lifecycle/version.ts';
import { decodeObject } from '../../schema/decode.ts';
import type { StructNode } from '../../schema/node.ts';
import type { StoredObject } from '../../verbs/resource-request.ts';
import { readStored } from '../../verbs/stored-form.ts';
import type { CacheEvent, EventType } from '../../verbs/watch.ts';
import type { KeptForms } from '../../watchcache/kept-forms.ts';
import { cborFrame } from './cbor-bytes.ts';
import { type Format, orderOf, type Transform } from './format.ts';
import { listAnnotation } from './initial-list.ts';
import type { ObjectEncoder } from './object-bytes.ts';
import { ObjectMessages } from './object-messages.ts';
import { messageFrame, protobufFrame } from './protobuf-bytes.ts';
import type { SharedFrames } from './shared-frames.ts';
import { type IncludeObject, partialMetadata, TableMaker } from './table.ts';
import { metadataStart, TableRows, type TextPart } from './table-rows.ts';

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

interface FrameShape {
  /** The type of the value, if it does not follow from its kind and apiVersion. */
  readonly valueType?: StructNode;
  /** Of members in CBOR. */
  readonly order?: number;
}

interface FrameOptions {
  readonly encoder: ObjectEncoder;
  readonly format: Format;
  /** The objects in table rows, for watches that request tables. */
  readonly include: IncludeObject | undefined;
  readonly shared: SharedFrames;
  readonly clock: Pick<Clock, 'now'>;
  /** The cache for forms of the objects. */
  readonly forms: KeptForms | undefined;
}

/** Encodes the events of one watch. */
export class WatchFrames {
  /** Whether objects may need preparation before they can be encoded. */
  readonly converts: boolean;
  readonly #encoder: ObjectEncoder;
  readonly #format: Format;
  readonly #tables: TableMaker | undefined;
  readonly #rows: TableRows | undefined;
  readonly #messages: ObjectMessages | undefined;
  /** The type of objects in events, except tables. */
  readonly #names: TypeNames;
  readonly #clock: Pick<Clock, 'now'>;
  /** Distinguishes this encoding from others of the same event; created once, so that it is hashed once. */
  readonly #keys: Readonly<Record<EventType, string>>;
  #columnsSent = false;
  readonly #shared: SharedFrames;
  /** Bytes of initial events so far. */
  #initialBytes = 0;

  constructor({ encoder, format, include, shared, clock, forms }: FrameOptions) {
    this.#shared = shared;
    this.converts = encoder.converts;
    this.#encoder = encoder;
    this.#format = format;
    this.#clock = clock;
    const { as } = format;
    this.#names =
      as === undefined
        ? { apiVersion: encoder.apiVersion, kind: encoder.definition.kind }
        : { apiVersion: `meta.k8s.io/${as.version}`, kind: 'PartialObjectMetadata' };
    if (format.media === 'protobuf' && as?.kind !== 'Table') {
      this.#messages = new ObjectMessages({ encoder, forms, metadataOnly: as !== undefined });
    }
    if (as !== undefined && include !== undefined) {
      this.#tables = new TableMaker(encoder.definition, { version: as.version, include });
      this.#rows = new TableRows({ encoder, forms, include, version: as.version });
    }
    const key = `${format.media} ${encoder.apiVersion} ${format.as?.kind ?? ''} ${format.as?.version ?? ''}`;
    this.#keys = { ADDED: `ADDED ${key}`, MODIFIED: `MODIFIED ${key}`, DELETED: `DELETED ${key}` };
  }

  /** The media type of the response. */
  get contentType(): string {
    return this.#format.contentType;
  }

  /** Prepares objects for encoding; undefined if they already are. @throws ApiError 500 */
  prepare(objects: Iterable<StoredObject>): Soon<void> {
    return this.#encoder.prepare(objects);
  }

  /** The frame of an event, shared with other watches if possible. */
  event(type: EventType, object: StoredObject, event: CacheEvent): Buffer {
    if (this.#tables !== undefined) return this.object(type, object);
    const order = orderOf(this.#format);
    const key = this.#key(type, order);
    event.frames ??= new Map();
    let frame = event.frames.get(key);
    if (frame === undefined) {
      frame = this.object(type, object, order);
      event.frames.set(key, frame);
    }
    return frame;
  }

  /** The frame of an initial event, shared with other watches. */
  initial(object: StoredObject): Buffer {
    const order = orderOf(this.#format);
    const make = () => this.object('ADDED', object, order);
    const isShared = this.#tables === undefined && this.#initialBytes < limits.watcherBufferedBytes;
    const frame = isShared ? this.#shared.frame(object, this.#key('ADDED', order), make) : make();
    this.#initialBytes += frame.length;
    return frame;
  }

  /** Whether events can have the requested form: list forms are not possible. */
  get canShow(): boolean {
    return this.#format.as?.kind !== 'PartialObjectMetadataList';
  }

  /** Frames of one key are equal. */
  #key(type: EventType, order: number): string {
    return order === 0 ? this.#keys[type] : `${this.#keys[type]} ${order}`;
  }

  /** The unshared frame of an object. @param order of CBOR */
  object(type: EventType, object: StoredObject, order = 0): Buffer {
    const { as } = this.#format;
    if (as === undefined && this.#format.media === 'json') return frameOf(type, this.#encoder.json(object));
    if (this.#messages !== undefined) return messageFrame(type, this.#names, this.#messages.of(object));
    if (as === undefined) return this.#frame(type, this.#encoder.value(object), { order });
    if (this.#format.media === 'json') return this.#joined(type, object, as);
    if (this.#tables === undefined)
      return this.#frame(type, partialMetadata(this.#encoder.metadataValue(object), as.version), { order });
    return this.#frame(type, this.#table(this.#tables, object));
  }

  /** The bookmark frame: everything up to `revision` has been sent. */
  bookmark(revision: number, endsInitialEvents: boolean): Buffer {
    const { apiVersion, definition, version } = this.#encoder;
    const { value } = decodeObject(version.schema, { kind: definition.kind, apiVersion, metadata: {} }, {});
    const object = value as ApiObject;
    // The kinds of apps have a number of replicas even in a bookmark; ReplicationController, whose number may be absent
    // in Kubernetes' internal types too, has none.
    if (definition.subresources['scale'] !== undefined && definition.group === 'apps') {
      object.spec = { ...(object.spec as JsonObject), replicas: 0 };
    }
    object.metadata = { resourceVersion: String(revision), ...this.#unset() };
    if (endsInitialEvents) {
      const annotation = listAnnotation(definition, apiVersion, this.#format);
      object.metadata.annotations = { [INITIAL_EVENTS_END]: 'true', ...annotation };
    }
    const { as } = this.#format;
    if (as === undefined) return this.#frame('BOOKMARK', object, { valueType: version.schema });
    if (this.#tables === undefined) return this.#frame('BOOKMARK', this.#partial(object, as.version));
    const whole = this.#tables.row(object, object, this.#clock.now());
    const row = { ...whole, object: whole['object'] ?? this.#partial(object, as.version) };
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    return this.#frame('BOOKMARK', this.#tables.table([row], metadata, this.#firstTable()));
  }

  #partial(object: ApiObject, version: Transform['version']): JsonObject {
    const partial = partialMetadata(object, version);
    const { resourceVersion, ...metadata } = partial['metadata'] as JsonObject;
    return { ...partial, metadata: { resourceVersion, ...this.#unset(), ...metadata } as JsonObject };
  }

  /** Releases before 1.34 write the time of what was never created, except in custom objects. */
  #unset(): object {
    const { definition } = this.#encoder;
    return isSince(definition, 34) || (this.#encoder.type === undefined && this.#format.as === undefined)
      ? {}
      : { creationTimestamp: null };
  }

  /** The frame that reports an error of the watch. */
  error(status: Status): Buffer {
    return this.#frame('ERROR', status);
  }

  #frame(type: string, value: JsonObject | Status, { valueType, order = 0 }: FrameShape = {}): Buffer {
    if (this.#format.media === 'protobuf') return protobufFrame(type, value as JsonObject, valueType);
    if (this.#format.media === 'cbor') return cborFrame(type, value as JsonObject, order);
    return Buffer.from(`{"type":"${type}","object":${stringifyJson(value)}}\n`);
  }

  /** A table or metadata, assembled from cached text. */
  #joined(type: EventType, object: StoredObject, { version }: Transform): Buffer {
    const before = `{"type":"${type}","object":`;
    if (this.#tables === undefined || this.#rows === undefined) {
      const { head, tail } = this.#encoder.metadata(object);
      return joined([before + metadataStart(version) + head, tail, '}}\n']);
    }
    const { rows: _, ...table } = this.#tables.table([], versionOf(object), this.#firstTable());
    const parts = this.#rows.parts(object, this.#clock.now());
    return joined([Buffer.from(`${before}${stringifyJson(table).slice(0, -1)},"rows":[`), ...parts, ']}}\n']);
  }

  #table(tables: TableMaker, object: StoredObject): JsonObject {
    const stored = readStored(this.#encoder.definition, object);
    const row = tables.row(stored, this.#encoder.value(object), this.#clock.now());
    return tables.table([row], versionOf(object), this.#firstTable());
  }

  #firstTable(): boolean {
    const first = !this.#columnsSent;
    this.#columnsSent = true;
    return first;
  }
}

/** A table with one object. */
function versionOf({ revision }: StoredObject): JsonObject {
  return revision === 0 ? {} : { resourceVersion: String(revision) };
}

function joined(parts: readonly TextPart[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
}

function frameOf(type: string, object: Buffer): Buffer {
  const head = `{"type":"${type}","object":`;
  const frame = Buffer.allocUnsafeSlow(head.length + object.length + 2);
  frame.write(head, 0, 'latin1');
  object.copy(frame, head.length);
  frame.write('}\n', head.length + object.length, 'latin1');
  return frame;
}
