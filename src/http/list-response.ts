// A list as an answer. Plain JSON goes out in pieces as the objects' stored bytes are joined, so memory stays flat in
// the list's size; tables and other forms are made of decoded objects, a piece at a time as well.

import type { Buffer } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ApiError } from '../api/errors.ts';
import { stringifyJson } from '../api/json-writer.ts';
import { withSortedMembers } from '../api/member-order.ts';
import type { Json, JsonObject } from '../api/object.ts';
import type { RequestAudit } from '../audit/request-audit.ts';
import { limits } from '../base/limits.ts';
import { PartialObjectMetadata } from '../resources/builtin/meta/v1.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { ListAnswer, StoredObject } from '../verbs/resource-request.ts';
import { readStored } from '../verbs/stored-form.ts';
import { writeCborList } from './cbor-bytes.ts';
import { type Format, isPlainJson } from './format.ts';
import { gzipPieces, wantsGzip } from './gzip.ts';
import type { ObjectEncoder } from './object-bytes.ts';
import { PieceWriter } from './piece-writer.ts';
import { writeProtobufList } from './protobuf-list.ts';
import type { RequestContext } from './request-context.ts';
import { includeObject, partialMetadata, TableMaker } from './transforms.ts';
import type { BodyWriter } from './transport.ts';
import { notAcceptable, respondValue } from './value-response.ts';

export interface ListResponse {
  readonly list: ListAnswer;
  readonly encoder: ObjectEncoder;
  readonly format: Format;
}

export async function respondList(context: RequestContext, response: ListResponse): Promise<void> {
  const { list, encoder } = response;
  if (encoder.converts) {
    const objects = [...list.objects];
    await encoder.prepare(objects);
    return respondReady(context, { ...response, list: { ...list, objects } });
  }
  return respondReady(context, response);
}

async function respondReady(context: RequestContext, given: ListResponse): Promise<void> {
  const response = context.audit?.recordsResponses === true ? await auditList(context.audit, given) : given;
  if (isPlainJson(response.format)) return respondJson(context, response);
  const { media, as } = response.format;
  if (media === 'protobuf') return respondProtobuf(context, response);
  if (media === 'cbor' && as === undefined) return respondCbor(context, response);
  return respondValue(context, { value: transformList(context, response), format: response.format });
}

/** Items whose JSON is made before others have their turn. */
const AUDITED_AT_ONCE = 100;

/** Notes a list that is answered, item by item, so that a long one holds nobody up. @returns what is to be answered */
async function auditList(audit: RequestAudit, response: ListResponse): Promise<ListResponse> {
  const objects = [...response.list.objects];
  const list = { ...response.list, objects };
  const { encoder, format } = response;
  // Values that are made whole note themselves.
  if (format.as !== undefined && !(format.media === 'protobuf')) return { ...response, list };
  const { definition, apiVersion } = encoder;
  const items: string[] = [];
  const kind = format.as?.kind ?? definition.listKind;
  for (const [index, object] of objects.entries()) {
    const value = encoder.value(object);
    const item = format.as === undefined ? itemOf(encoder, value) : partialMetadata(value, format.as.version);
    items.push(audit.json(item));
    if (index % AUDITED_AT_ONCE === AUDITED_AT_ONCE - 1) await nextTurn();
  }
  const version = format.as === undefined ? apiVersion : `meta.k8s.io/${format.as.version}`;
  const metadata = stringifyJson(listMetadata(list, format.as === undefined && definition.custom));
  const names = `"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(version)}`;
  audit.answersText(`{${names},"metadata":${metadata},"items":[${items.join(',')}]}`);
  return { ...response, list };
}

async function respondJson(context: RequestContext, { list, encoder, format }: ListResponse): Promise<void> {
  const out = new ListBody(context, format.contentType);
  const pieces = new PieceWriter((piece) => out.piece(piece));
  const { definition, apiVersion } = encoder;
  const metadata = stringifyJson(listMetadata(list, definition.custom));
  const kind = `"kind":${JSON.stringify(definition.listKind)}`;
  const version = `"apiVersion":${JSON.stringify(apiVersion)}`;
  // What Kubernetes holds as maps it writes by name.
  const [head, end] = definition.custom
    ? [`{${version},"items":[`, `],${kind},"metadata":${sortedText(metadata)}}\n`]
    : [`{${kind},${version},"metadata":${metadata},"items":[`, ']}\n'];
  let wait = pieces.text(head);
  if (wait !== undefined) await wait;
  let separator = '';
  for (const object of list.objects) {
    const { head: itemHead, tail } = encoder.item(object);
    wait = pieces.text(separator + itemHead);
    if (wait !== undefined) await wait;
    wait = pieces.bytes(tail);
    if (wait !== undefined) await wait;
    separator = ',';
  }
  wait = pieces.text(end);
  if (wait !== undefined) await wait;
  await out.end(pieces.rest());
}

function sortedText(metadata: string): string {
  return stringifyJson(withSortedMembers(JSON.parse(metadata) as Json));
}

async function respondProtobuf(context: RequestContext, { list, encoder, format }: ListResponse): Promise<void> {
  const out = new ListBody(context, format.contentType);
  const pieces = new PieceWriter((piece) => out.piece(piece));
  const { as } = format;
  if (as?.kind === 'PartialObjectMetadata') throw notSingle(encoder);
  const own = {
    names: { apiVersion: encoder.apiVersion, kind: encoder.definition.listKind },
    itemType: encoder.version.schema,
  };
  const { names, itemType } =
    as === undefined
      ? own
      : { names: { apiVersion: `meta.k8s.io/${as.version}`, kind: as.kind }, itemType: PartialObjectMetadata };
  const item = (object: StoredObject) => encoder.value(object);
  const metadata = listMetadata(list, false);
  await writeProtobufList({ names, metadata, objects: [...list.objects], itemType, item }, pieces);
  await out.end(pieces.rest());
}

async function respondCbor(context: RequestContext, { list, encoder, format }: ListResponse): Promise<void> {
  const out = new ListBody(context, format.contentType);
  const pieces = new PieceWriter((piece) => out.piece(piece));
  const { definition, apiVersion } = encoder;
  await writeCborList(
    {
      names: { kind: definition.listKind, apiVersion },
      metadata: listMetadata(list, definition.custom),
      objects: [...list.objects],
      itemType: definition.custom ? undefined : encoder.version.schema,
      item: (object) => itemOf(encoder, encoder.value(object)),
    },
    pieces,
  );
  await out.end(pieces.rest());
}

/** The body of a list: small ones whole, larger ones streamed, compressed for those who accept it. */
class ListBody {
  readonly #context: RequestContext;
  readonly #contentType: string;
  #writer: BodyWriter | undefined;

  constructor(context: RequestContext, contentType: string) {
    this.#context = context;
    this.#contentType = contentType;
  }

  /** Answers whether the piece may be filled again. */
  async piece(piece: Buffer): Promise<boolean> {
    this.#writer ??= this.#start();
    if (this.#writer.write(piece)) return false;
    await this.#writer.drained();
    return this.#writer.freesPieces === true;
  }

  async end(rest: Buffer): Promise<void> {
    if (this.#writer !== undefined) {
      this.#writer.end(rest);
    } else if (rest.length >= limits.gzipFromBytes && wantsGzip(this.#context)) {
      this.#start().end(rest);
    } else {
      this.#context.respond(200, this.#context.headers(this.#contentType), rest);
    }
  }

  #start(): BodyWriter {
    const headers = this.#context.headers(this.#contentType);
    if (!wantsGzip(this.#context)) return this.#context.stream(200, headers);
    return gzipPieces(this.#context.stream(200, { ...headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' }));
  }
}

/** Custom resources' lists say that there is no continue token; built-in kinds leave it out. */
function listMetadata(list: ListAnswer, custom: boolean): JsonObject {
  // What is not stored has no version.
  const metadata: JsonObject = list.revision === 0 ? {} : { resourceVersion: String(list.revision) };
  if (list.continueToken !== '' || custom) metadata.continue = list.continueToken;
  if (list.remaining !== undefined && list.remaining > 0) metadata.remainingItemCount = list.remaining;
  return metadata;
}

function transformList(context: RequestContext, { list, encoder, format }: ListResponse): JsonObject {
  const { definition, apiVersion } = encoder;
  const { as } = format;
  const metadata = listMetadata(list, as === undefined && definition.custom);
  if (as === undefined) {
    const items: JsonObject[] = [];
    for (const object of list.objects) items.push(itemOf(encoder, encoder.value(object)));
    return { kind: definition.listKind, apiVersion, metadata, items };
  }
  if (as.kind === 'PartialObjectMetadata') throw notSingle(encoder);
  if (as.kind === 'PartialObjectMetadataList') {
    const items: JsonObject[] = [];
    for (const object of list.objects) items.push(partialMetadata(encoder.value(object), as.version));
    return {
      kind: as.kind,
      apiVersion: `meta.k8s.io/${as.version}`,
      metadata,
      items: items.length === 0 ? null : items,
    };
  }
  const maker = new TableMaker(definition, {
    version: as.version,
    include: includeObject(context.query.text('includeObject')),
    nowMs: context.services.clock.now(),
  });
  const rows: JsonObject[] = [];
  for (const object of list.objects) rows.push(maker.row(readStored(definition, object), encoder.value(object)));
  return maker.table(rows, metadata);
}

function notSingle({ definition }: ObjectEncoder): ApiError {
  return notAcceptable(
    `you requested PartialObjectMetadata, but the requested object is a list (${goTypeOf(definition)})`,
  );
}

function itemOf({ definition }: ObjectEncoder, value: JsonObject): JsonObject {
  if (definition.custom) return value;
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = value;
  return rest;
}

/** Kubernetes names its own type. */
function goTypeOf({ custom, group, listKind }: ResourceDefinition): string {
  if (custom) return '*unstructured.UnstructuredList';
  return `*${group === '' ? 'core' : group.split('.')[0]}.${listKind}`;
}
