// Responses with a value: single objects, Statuses, discovery documents.

import { ApiError, errors } from '../../api/errors.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import type { Status } from '../../api/status.ts';
import { limits } from '../../base/limits.ts';
import { lookup } from '../../base/lookup.ts';
import type { Turn } from '../../base/short-turns.ts';
import { isLater, type Soon } from '../../base/soon.ts';
import { atOnce, carriedOut, type Steps } from '../../base/steps.ts';
import type { ResourceDefinition, ServedVersion, TableColumns } from '../../resources/definition.ts';
import type { StructNode } from '../../schema/node.ts';
import type { StoredObject } from '../../verbs/resource-request.ts';
import { readingStored } from '../../verbs/stored-form.ts';
import { auditBytes } from '../filters/audit.ts';
import type { RequestContext } from '../request-context.ts';
import { type Format, isPlainJson, writeValue } from './format.ts';
import { respondWhole } from './gzip.ts';
import type { ObjectEncoder } from './object-bytes.ts';
import {
  includeObject,
  type MetaVersion,
  makingPartial,
  partialMetadata,
  TableMaker,
  type TableSource,
} from './table.ts';

interface ValueResponse {
  /** 200 by default. */
  readonly status?: number;
  readonly value: unknown;
  readonly format: Format;
  /** The type of the value, if it does not follow from its kind and apiVersion. */
  readonly type?: StructNode | undefined;
  /** Slices, for a long value. */
  readonly turn?: Turn | undefined;
  /** True for documents that are not objects of the API: audit events and traces omit them. */
  readonly isPlain?: boolean;
}

/** Responds with any value. */
export async function respondValue(context: RequestContext, response: ValueResponse): Promise<void> {
  const { status = 200, value, format, type } = response;
  if (response.isPlain !== true) {
    context.audit?.answersObject(value);
    context.trace?.serializes(format.contentType);
  }
  const written = writeValue(value, format, { type, turn: response.turn });
  const body = isLater(written) ? await written : written;
  const { contentType } = format;
  if (body.length >= limits.gzipFromBytes) return respondWhole(context, { status, contentType, body });
  context.respond(status, context.headers(contentType), body);
}

interface ObjectResponse {
  readonly status: number;
  readonly object: StoredObject;
  readonly encoder: ObjectEncoder;
  readonly format: Format;
}

/** Responds with one stored object. */
export function respondObject(context: RequestContext, response: ObjectResponse): Soon<void> {
  const { object, encoder, format } = response;
  if (encoder.converts) {
    const preparing = encoder.prepare([object]);
    if (preparing !== undefined) return preparing.then(() => respondObject(context, response));
  }
  if (!isPlainJson(format)) return respondTransformed(context, response);
  context.trace?.serializes(format.contentType);
  if (object.bytes.length < limits.slicedBodyBytes) return respondLine(context, response, encoder.line(object));
  const turn = context.services.turns.begin({ taskName: 'writing a long object' });
  const writing = carriedOut(encoder.writingLine(object), turn);
  if (!isLater(writing)) return respondLine(context, response, writing);
  return writing.then((body) => respondLine(context, response, body));
}

function respondLine(context: RequestContext, { status, format }: ObjectResponse, body: Buffer): Soon<void> {
  const { contentType } = format;
  if (context.audit?.recordsResponses === true) auditBytes(context.audit, body);
  if (body.length >= limits.gzipFromBytes) return respondWhole(context, { status, contentType, body });
  context.respond(status, context.headers(contentType), body);
}

async function respondTransformed(
  context: RequestContext,
  { status, object, encoder, format }: ObjectResponse,
): Promise<void> {
  const isLong = object.bytes.length >= limits.slicedBodyBytes;
  const turn = isLong ? context.services.turns.begin({ taskName: 'writing a long object' }) : undefined;
  const transforming = carriedOut(transformingObject(context, { object, encoder, format }), turn);
  const value = isLater(transforming) ? await transforming : transforming;
  await respondValue(context, { status, value, format, turn, type: typeOf(encoder.version, format) });
}

/** The type of an object that is encoded as itself. */
function typeOf({ schema }: ServedVersion, { as }: Format): StructNode | undefined {
  return as === undefined ? schema : undefined;
}

interface MadeResponse {
  /** 201 by default. */
  readonly status?: number;
  readonly object: ApiObject;
  readonly format: Format;
  /** The requested version, if the object has that version. */
  readonly version?: ServedVersion | undefined;
  /** Its columns, if it has a table form. */
  readonly table?: TableColumns | undefined;
  /** The Go name of the object's type. */
  readonly goType: string;
  /** Slices, for a long object. */
  readonly turn?: Turn | undefined;
}

/** Responds with an unstored object in the requested form. @throws ApiError 406 for the list form */
export function respondMade(context: RequestContext, made: MadeResponse): Promise<void> {
  const { status = 201, object, format, version, goType, table, turn } = made;
  const { as } = format;
  if (as?.kind === 'PartialObjectMetadataList') throw notList(goType);
  if (as?.kind === 'Table') {
    const value = atOnce(
      makingTable(context, { source: { table }, version: as.version, stored: object, served: object }),
    );
    return respondValue(context, { status, value, format });
  }
  const value = as === undefined ? object : partialMetadata(object, as.version);
  return respondValue(context, { status, value, format, turn, type: version && typeOf(version, format) });
}

function notList(goType: string): ApiError {
  return notAcceptable(`you requested PartialObjectMetadataList, but the requested object is not a list (${goType})`);
}

interface OneRow {
  readonly source: TableSource;
  readonly version: MetaVersion;
  readonly stored: ApiObject;
  readonly served: ApiObject;
}

function* makingTable(context: RequestContext, { source, version, stored, served }: OneRow): Steps<JsonObject> {
  const maker = new TableMaker(source, { version, include: includeObject(context.query.text('includeObject')) });
  const row = yield* maker.makingRow(stored, served, context.services.clock.now());
  return maker.table([row], metadataOf(stored));
}

interface Transformation {
  readonly object: StoredObject;
  readonly encoder: ObjectEncoder;
  readonly format: Format;
}

/** An object in the requested form. @throws ApiError 406 for the list form of a single object */
function* transformingObject(context: RequestContext, { object, encoder, format }: Transformation): Steps<JsonObject> {
  const { as } = format;
  if (as === undefined) return yield* format.pretty ? encoder.ordering(object) : encoder.reading(object);
  if (as.kind === 'PartialObjectMetadata') {
    return yield* makingPartial(yield* encoder.readingMetadata(object), as.version);
  }
  const { definition } = encoder;
  if (as.kind === 'PartialObjectMetadataList') {
    throw encoder.type === undefined ? errors.unexplained('content is not a list') : notList(goTypeOfKind(definition));
  }
  const stored = yield* readingStored(definition, object);
  yield;
  const served = yield* encoder.reading(object);
  return yield* makingTable(context, { source: definition, version: as.version, stored, served });
}

/** The Go type of a built-in kind in Kubernetes' internal version. */
export function goTypeOfKind({ group, kind }: Pick<ResourceDefinition, 'group' | 'kind'>): string {
  return `*${GO_PACKAGES[group] ?? group.split('.', 1)[0]}.${kind}`;
}

/** Groups whose Go package is not named after the first label of the group. */
const GO_PACKAGES: Readonly<Record<string, string | undefined>> = lookup({
  '': 'core',
  'events.k8s.io': 'core',
  'internal.apiserver.k8s.io': 'apiserverinternal',
});

function metadataOf({ metadata }: ApiObject): JsonObject {
  return { resourceVersion: metadata.resourceVersion };
}

export function notAcceptable(message: string): ApiError {
  return new ApiError({ code: 406, reason: 'NotAcceptable', message });
}

/** Responds with an error. Anything but an ApiError becomes a 500 with its details only in the log. */
export async function respondError(context: RequestContext, error: unknown, format: Format): Promise<void> {
  const known = error instanceof ApiError ? error : unknownError(context, error);
  if (known.code >= 500 && known.cause !== undefined) {
    context.services.log.error('request failed', {
      path: context.info.path,
      verb: context.info.verb,
      error: known.cause,
    });
  }
  if (context.isAnswered && !context.isLate) return;
  await respondStatus(context, known.status, format);
}

/**
 * The error for an exception that is not an ApiError. Objects may be nested so deeply that walking them or their
 * patches overflows the stack: that is the fault of the object and is reported as such, with the location in the log.
 */
function unknownError(context: RequestContext, error: unknown): ApiError {
  if (!(error instanceof RangeError) || !error.message.startsWith('Maximum call stack')) {
    return errors.internal('the server met an unexpected condition', error);
  }
  const { path, verb } = context.info;
  context.services.log.warn('object nests too deep', { path, verb, error });
  return errors.badRequest('the object nests too deep for this request');
}

/** Responds with a Status; its code is the status of the response, 200 for success. */
export async function respondStatus(context: RequestContext, status: Status, format: Format): Promise<void> {
  const code = status.code ?? 200;
  if (format.isUnasked !== true) context.audit?.answersStatus(status);
  context.trace?.serializes(format.contentType);
  const written = await writeStatus(context, status, { ...format, as: undefined });
  const headers = context.headers(format.contentType);
  const retryAfter = status.details?.retryAfterSeconds;
  if (retryAfter !== undefined && retryAfter > 0) headers['retry-after'] = String(retryAfter);
  context.respond(code, headers, written);
}

/** Long messages and many causes are written in slices. */
function writeStatus({ services }: RequestContext, status: Status, format: Format): Soon<Buffer> {
  const { message = '', details } = status;
  const isLong = message.length > limits.jsonPieceCharacters || (details?.causes ?? []).length > CAUSES_AT_ONCE;
  const turn = isLong ? services.turns.begin({ taskName: 'writing a long Status' }) : undefined;
  return writeValue(status, format, { turn });
}

const CAUSES_AT_ONCE = 100;

/** The Status of a completed deletion. */
export function deletedStatus(details: Status['details']): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}
