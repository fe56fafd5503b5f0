// The forms of a list other than its stored bytes: tables, metadata only, and values for indented output. A form is
// produced item by item, so that the encoders of all media types let other requests run in between.

import { Buffer } from 'node:buffer';
import type { ApiError } from '../../api/errors.ts';
import { stringifyJson } from '../../api/json-writer.ts';
import type { JsonObject } from '../../api/object.ts';
import { limits } from '../../base/limits.ts';
import type { Steps } from '../../base/steps.ts';
import { typedCodec } from '../../resources/codec.ts';
import { encodingJson } from '../../verbs/json-bytes.ts';
import type { ListAnswer, StoredObject } from '../../verbs/resource-request.ts';
import { readingStored } from '../../verbs/stored-form.ts';
import type { RequestContext } from '../request-context.ts';
import type { Format, Transform } from './format.ts';
import type { ObjectEncoder } from './object-bytes.ts';
import { includeObject, makingPartial, TableMaker } from './table.ts';
import { metadataStart, TableRows, type TextPart } from './table-rows.ts';
import { notAcceptable } from './value-response.ts';

export interface ListForm {
  /** Everything except the items: kind, apiVersion, metadata, columns. */
  readonly head: JsonObject;
  readonly itemsName: 'items' | 'rows';
  /** Whether an empty list is encoded as null. */
  readonly emptyIsNull: boolean;
  /** An item, in slices if it is long. */
  readonly item: (object: StoredObject) => Steps<JsonObject>;
  /** The item as compact JSON. */
  readonly json: (object: StoredObject) => Steps<readonly TextPart[]>;
}

interface ListFormSource {
  readonly list: Omit<ListAnswer, 'objects'>;
  readonly encoder: ObjectEncoder;
  readonly format: Format;
}

/** @throws ApiError 406 for the form of a single object, 400 for a table with invalid parameters */
export function listForm(context: RequestContext, { list, encoder, format }: ListFormSource): ListForm {
  const { definition, apiVersion } = encoder;
  const { as } = format;
  if (as !== undefined) {
    assertOfList(as, encoder);
    const { shard: _shard, ...rest } = list;
    const metadata = typedCodec.listMetadata(rest);
    return as.kind === 'Table' ? tableForm(context, { as, encoder, metadata }) : metadataForm(as, encoder, metadata);
  }
  function* item(object: StoredObject): Steps<JsonObject> {
    return itemOf(encoder, yield* encoder.reading(object));
  }
  return {
    head: { kind: definition.listKind, apiVersion, metadata: definition.codec.listMetadata(list) },
    itemsName: 'items',
    emptyIsNull: false,
    item,
    *json(object) {
      const value = yield* item(object);
      if (object.bytes.length < limits.wholeJsonCharacters) return [Buffer.from(stringifyJson(value))];
      return [yield* encodingJson(value)];
    },
  };
}

function metadataForm({ kind, version }: Transform, encoder: ObjectEncoder, metadata: JsonObject): ListForm {
  const start = metadataStart(version);
  return {
    head: { kind, apiVersion: `meta.k8s.io/${version}`, metadata },
    itemsName: 'items',
    emptyIsNull: true,
    *item(object) {
      return yield* makingPartial(yield* encoder.readingMetadata(object), version);
    },
    *json(object) {
      const { head, tail } = yield* encoder.encodingMetadata(object);
      return [start + head, tail, '}'];
    },
  };
}

interface TableFormSource {
  readonly as: Transform;
  readonly encoder: ObjectEncoder;
  readonly metadata: JsonObject;
}

function tableForm(context: RequestContext, { as, encoder, metadata }: TableFormSource): ListForm {
  const { definition } = encoder;
  const include = includeObject(context.query.text('includeObject'));
  const nowMs = context.services.clock.now();
  const maker = new TableMaker(definition, { version: as.version, include });
  const forms = context.services.writes.registry.forms(definition);
  const all = new TableRows({ encoder, forms, include, version: as.version });
  const { rows, ...head } = maker.table([], metadata);
  return {
    head,
    itemsName: 'rows',
    emptyIsNull: rows === null,
    *item(object) {
      const stored = yield* readingStored(definition, object);
      return yield* maker.makingRow(stored, yield* encoder.reading(object), nowMs);
    },
    json: (object) => all.makingParts(object, nowMs),
  };
}

/** @throws ApiError 406 */
export function assertOfList(as: Transform, encoder: ObjectEncoder): void {
  if (as.kind === 'PartialObjectMetadata') throw notSingle(encoder);
}

function notSingle({ definition }: ObjectEncoder): ApiError {
  return notAcceptable(
    `you requested PartialObjectMetadata, but the requested object is a list (${definition.codec.goTypeOfList(definition)})`,
  );
}

/** An object as a list item. */
function itemOf({ definition }: ObjectEncoder, value: JsonObject): JsonObject {
  if (definition.codec.namesItems) return value;
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = value;
  return rest;
}
