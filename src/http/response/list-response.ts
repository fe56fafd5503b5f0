// List responses. Plain JSON is sent in chunks assembled from the objects' stored bytes, so that memory does not grow
// with the size of the list; tables and other forms are built from decoded objects, also chunk by chunk.

import type { Buffer } from 'node:buffer';
import { stringifyJson } from '../../api/json-writer.ts';
import type { RequestAudit } from '../../audit/request-audit.ts';
import { limits } from '../../base/limits.ts';
import type { Turn } from '../../base/short-turns.ts';
import { isLater } from '../../base/soon.ts';
import { carriedOut, type Steps } from '../../base/steps.ts';
import { PartialObjectMetadata } from '../../resources/builtin/meta/v1.ts';
import { typedCodec } from '../../resources/codec.ts';
import type { StructNode } from '../../schema/node.ts';
import type { ListAnswer, StoredObject } from '../../verbs/resource-request.ts';
import { decodeStored } from '../../verbs/stored-form.ts';
import type { BodyWriter } from '../exchange/transport.ts';
import type { RequestContext } from '../request-context.ts';
import { cborItemEncoder, writeCborList } from './cbor-bytes.ts';
import { EncodedObjects } from './encoded-objects.ts';
import { type Format, isPlainJson, type Transform } from './format.ts';
import { gzipPieces, wantsGzip } from './gzip.ts';
import { assertOfList, type ListForm, listForm } from './list-form.ts';
import { writeIndentedList, writeJsonList, writeYamlList } from './list-text.ts';
import type { ObjectEncoder } from './object-bytes.ts';
import { ObjectMessages } from './object-messages.ts';
import { PieceWriter } from './piece-writer.ts';
import { writeProtobufList } from './protobuf-list.ts';

interface ListResponse {
  readonly list: ListAnswer;
  readonly encoder: ObjectEncoder;
  readonly format: Format;
  /** Whether a limit was asked for. */
  readonly isPage?: boolean;
}

export async function respondList(context: RequestContext, given: ListResponse): Promise<void> {
  const response = given.format.as?.kind === 'Table' ? inRowOrder(given) : given;
  const { list, encoder } = response;
  if (encoder.converts) {
    const objects = [...list.objects];
    // A page is read from the store, and only a cache may be filled later.
    await (response.isPage === true ? encoder.prepare(objects) : encoder.prepareAll(objects));
    return respondReady(context, { ...response, list: { ...list, objects } });
  }
  return respondReady(context, response);
}

/** A list whose kind has its own order of table rows. */
function inRowOrder(response: ListResponse): ListResponse {
  const { list, encoder } = response;
  const order = encoder.definition.table?.order;
  if (order === undefined) return response;
  const objects = [...list.objects].sort((one, other) => order(decodeStored(one), decodeStored(other)));
  return { ...response, list: { ...list, objects } };
}

async function respondReady(context: RequestContext, given: ListResponse): Promise<void> {
  const response = context.audit?.recordsResponses === true ? await auditList(context, context.audit, given) : given;
  context.trace?.serializes(response.format.contentType);
  const out = new ListBody(context, response.format.contentType);
  const pieces = new PieceWriter((piece) => out.piece(piece));
  const turn = context.services.turns.begin(context);
  await write(context, { ...response, turn }, pieces);
  await out.end(pieces.rest());
}

interface TurnedList extends ListResponse {
  readonly turn: Turn;
}

function write(context: RequestContext, response: TurnedList, pieces: PieceWriter): Promise<void> {
  const { format, turn } = response;
  if (isPlainJson(format)) return writeStored(response, pieces);
  if (format.media === 'protobuf') return writeProtobuf(context, response, pieces);
  const form = listForm(context, response);
  const { objects } = response.list;
  if (format.media === 'cbor') return writeCbor(context, { ...response, form }, pieces);
  if (format.media === 'yaml') return writeYamlList({ form, objects, turn }, pieces);
  return (format.pretty ? writeIndentedList : writeJsonList)({ form, objects, turn }, pieces);
}

/**
 * Records a list response in the audit event, item by item, so that a long one does not block other requests. @returns
 * the list to respond with
 */
async function auditList(context: RequestContext, audit: RequestAudit, response: ListResponse): Promise<ListResponse> {
  const turn = context.services.turns.begin(context);
  const objects = await collected(response.list.objects, turn);
  const list = { ...response.list, objects };
  const { head, itemsName, emptyIsNull, item } = listForm(context, response);
  const before = `{"${itemsName}":[`.length;
  const items: string[] = [];
  for (const object of objects) {
    // As a list with a single item, because audit events omit parts of objects by their path.
    const making = carriedOut(item(object), turn);
    const value = isLater(making) ? await making : making;
    items.push(audit.json({ [itemsName]: [value] }).slice(before, -']}'.length));
    await turn.over();
  }
  const text = items.length === 0 && emptyIsNull ? 'null' : `[${items.join(',')}]`;
  audit.answersText(`${stringifyJson(head).slice(0, -1)},"${itemsName}":${text}}`);
  return { ...response, list };
}

/** All objects of a list; some may have to be selected first. */
async function collected(objects: Iterable<StoredObject>, turn: Turn): Promise<StoredObject[]> {
  const all: StoredObject[] = [];
  for (const object of objects) {
    all.push(object);
    await turn.over();
  }
  return all;
}

async function writeStored({ list, encoder, turn }: TurnedList, pieces: PieceWriter): Promise<void> {
  const { definition, apiVersion } = encoder;
  const { codec, listKind } = definition;
  const [head, end] = codec.listText({ listKind, apiVersion, metadata: codec.listMetadata(list) });
  let wait = pieces.text(head);
  if (wait !== undefined) await wait;
  let separator = '';
  for (const object of list.objects) {
    if (object.bytes.length >= limits.slicedBodyBytes) {
      const serving = carriedOut(encoder.serving(object), turn);
      if (isLater(serving)) await serving;
    }
    const { head: itemHead, tail } = encoder.item(object);
    wait = pieces.text(separator + itemHead);
    if (wait !== undefined) await wait;
    wait = pieces.bytes(tail);
    if (wait !== undefined) await wait;
    separator = ',';
    wait = turn.over();
    if (wait !== undefined) await wait;
  }
  wait = pieces.text(end);
  if (wait !== undefined) await wait;
}

async function writeProtobuf(
  context: RequestContext,
  { list, encoder, format, turn }: TurnedList,
  pieces: PieceWriter,
): Promise<void> {
  const { as } = format;
  if (as !== undefined) assertOfList(as, encoder);
  const names =
    as === undefined
      ? { apiVersion: encoder.apiVersion, kind: encoder.definition.listKind }
      : { apiVersion: `meta.k8s.io/${as.version}`, kind: as.kind };
  const forms = context.services.writes.registry.forms(encoder.definition);
  const messages = new ObjectMessages({ encoder, forms, metadataOnly: as !== undefined });
  const objects = await collected(list.objects, turn);
  return writeProtobufList({ names, metadata: typedCodec.listMetadata(list), objects, messages, turn }, pieces);
}

interface FormedList extends TurnedList {
  readonly form: ListForm;
}

async function writeCbor(context: RequestContext, response: FormedList, pieces: PieceWriter): Promise<void> {
  const { list, encoder, form, format, turn } = response;
  const objects = await collected(list.objects, turn);
  const itemType = format.as === undefined ? encoder.type : metadataType(format.as);
  const { as } = format;
  // Rows contain ages.
  const forms = as?.kind === 'Table' ? undefined : context.services.writes.registry.forms(encoder.definition);
  const name = as === undefined ? 'CBOR' : `CBOR of ${as.kind} ${as.version}`;
  const encodeItem = cborItemEncoder(itemType);
  function* encoding(object: StoredObject): Steps<Buffer<ArrayBuffer>> {
    return yield* encodeItem(yield* form.item(object), object.bytes.length >= limits.slicedBodyBytes);
  }
  const items = new EncodedObjects({ encoder, forms, name, encoding });
  return writeCborList({ form, objects, items, turn }, pieces);
}

/** Table rows have no declared type. */
function metadataType({ kind }: Transform): StructNode | undefined {
  return kind === 'Table' ? undefined : PartialObjectMetadata;
}

/** The body of a list: complete if small, otherwise streamed, and compressed for clients that accept it. */
class ListBody {
  readonly #context: RequestContext;
  readonly #contentType: string;
  readonly #isPacked: boolean;
  #writer: BodyWriter | undefined;

  constructor(context: RequestContext, contentType: string) {
    this.#context = context;
    this.#isPacked = wantsGzip(context);
    this.#contentType = contentType;
  }

  /** Resolves with whether the chunk may be reused. */
  async piece(piece: Buffer): Promise<boolean> {
    this.#writer ??= this.#start();
    this.#count(piece);
    if (!this.#writer.write(piece)) {
      await this.#writer.drained();
      this.#context.services.turns.enter(this.#context);
    }
    return this.#writer.freesPieces === true;
  }

  async end(rest: Buffer): Promise<void> {
    if (this.#writer !== undefined) {
      this.#count(rest);
      this.#writer.end(rest);
    } else if (rest.length >= limits.gzipFromBytes && this.#isPacked) {
      this.#start().end(rest);
    } else {
      this.#context.respond(200, this.#context.headers(this.#contentType), rest);
    }
  }

  /** Compressed responses are counted by the compressor. */
  #count(piece: Buffer): void {
    if (!this.#isPacked) this.#context.sent(piece.length);
  }

  #start(): BodyWriter {
    const headers = this.#context.headers(this.#contentType);
    if (!this.#isPacked) return this.#context.stream(200, headers);
    const packed = { ...headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' };
    return gzipPieces(this.#context.stream(200, packed), (bytes) => {
      this.#context.sent(bytes);
    });
  }
}
