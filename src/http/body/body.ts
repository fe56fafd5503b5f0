// Request bodies: read within limits, distinguished by media type, and parsed without losing what strict decoding has
// to report.

import type { Buffer } from 'node:buffer';
import type { AuditTrail } from '../../api/audit-trail.ts';
import { ApiError, errors } from '../../api/errors.ts';
import { apiVersionOf } from '../../api/group-version.ts';
import {
  countKeys,
  decodingJson,
  type FloatLiterals,
  floatLiterals,
  JsonError,
  type LongJson,
  numberFault,
  parseJson,
  parseLongJson,
  strictDecodingErrors,
  unreadableJson,
} from '../../api/json-reader.ts';
import { jsonText } from '../../api/json-text.ts';
import { copyJson, stringifyJson } from '../../api/json-writer.ts';
import type { Json } from '../../api/object.ts';
import type { TypeNames } from '../../api/protobuf-envelope.ts';
import { messageOf } from '../../base/error-message.ts';
import { limits } from '../../base/limits.ts';
import type { ShortTurns, Turn } from '../../base/short-turns.ts';
import type { Steps } from '../../base/steps.ts';
import { type Codec, typedCodec } from '../../resources/codec.ts';
import { unrecognized } from '../../verbs/body-errors.ts';
import { unreadableOptions } from '../../verbs/delete-options.ts';
import type { PatchBody } from '../../verbs/patch.ts';
import type { RepeatedMembers, RequestBody } from '../../verbs/resource-request.ts';
import { writeOptions } from '../../verbs/write-options.ts';
import { BodyAbortedError, BodyTooLargeError, BodyTooSlowError, MalformedBodyError } from '../exchange/transport.ts';
import type { RequestContext } from '../request-context.ts';
import { CBOR_TYPE } from '../response/cbor-bytes.ts';
import { PROTOBUF_TYPE } from '../response/protobuf-bytes.ts';
import { parseCborBody } from './cbor-body.ts';
import { mergedPatchType } from './patch-type.ts';
import { bodyExcerpt, parseProtobufBody } from './protobuf-body.ts';

const TEXT_TYPES = ['application/json', 'application/yaml'];
const READ_TYPES = [...TEXT_TYPES, PROTOBUF_TYPE];
const READ_TYPES_WITH_CBOR = [...READ_TYPES, CBOR_TYPE];

/** @throws ApiError 413 */
export async function readBytes(context: RequestContext): Promise<Buffer> {
  try {
    const bytes = await context.exchange.body(limits.requestBodyBytes);
    context.services.turns.enter(context);
    context.spent('reading the body');
    noteSize(context, bytes.length);
    return bytes;
  } catch (error) {
    if (error instanceof BodyTooLargeError) {
      throw errors.bodyTooLarge(`Request entity too large: limit is ${limits.requestBodyBytes}`);
    }
    if (error instanceof MalformedBodyError) throw errors.unexplained(error.message);
    if (error instanceof BodyAbortedError && !(error instanceof BodyTooSlowError)) {
      context.audit?.breaksOff(context.exchange.protocol === 'HTTP/2.0' ? 'client disconnected' : 'unexpected EOF');
    }
    throw error;
  }
}

function noteSize({ info, services }: RequestContext, bytes: number): void {
  const { group, resource, isResource } = info;
  if (!isResource) return;
  const verb = info.verb === 'deletecollection' ? 'delete_collection' : info.verb;
  services.metrics.requests.bodySizes.with({ verb, group, resource }).observe(bytes);
}

interface ObjectReading {
  /** The codec of its resource; that of built-in kinds by default. */
  readonly codec?: Codec;
  /** Validates the options of the request, which are only looked at when the body has arrived. @throws ApiError */
  readonly checkOptions?: () => void;
  /** Whether the media type is only looked at after the options. */
  readonly isTypeLast?: boolean;
}

/**
 * The body of a create or update.
 * @param kind the expected kind
 * @throws ApiError 400 for a malformed body, 413, 415
 */
export async function readObject(
  context: RequestContext,
  kind: string,
  { codec = typedCodec, checkOptions, isTypeLast = false }: ObjectReading = {},
): Promise<RequestBody> {
  const early = isTypeLast ? undefined : objectType(context, codec);
  const bytes = await readBytes(context);
  checkOptions?.();
  const mediaType = early ?? objectType(context, codec);
  const { turns, catalog } = context.services;
  const expected = { kind, apiVersion: apiVersionOf(context.info), turns, minor: catalog.minor };
  const body = await parseBody(bytes, mediaType, expected);
  context.trace?.decoded();
  return body;
}

/** @throws ApiError 415 */
function objectType(context: RequestContext, { hasProtobuf }: Codec): string {
  const mediaType = bodyType(context);
  // Without field validation, kube-apiserver parses such a body and finds no type for it: 400.
  if (!hasProtobuf && mediaType === PROTOBUF_TYPE && context.query.text('fieldValidation') !== 'Ignore') {
    throw errors.unsupportedMediaType(context.services.settings.cbor ? [...TEXT_TYPES, CBOR_TYPE] : TEXT_TYPES);
  }
  return mediaType;
}

/** The DeleteOptions in the body of a delete; undefined for an empty body. */
export async function readDeleteOptions(context: RequestContext): Promise<RequestBody | undefined> {
  const bytes = await readBytes(context);
  if (bytes.length === 0) return undefined;
  const mediaType = bodyType(context);
  try {
    const { turns, catalog } = context.services;
    return await parseBody(bytes, mediaType, { kind: 'DeleteOptions', apiVersion: 'v1', turns, minor: catalog.minor });
  } catch (error) {
    const why = error instanceof ApiError && typeof error.cause === 'string' ? error.cause : messageOf(error);
    throw unreadableOptions(why, context.services.catalog.minor);
  }
}

/** The media type of a body; JSON if there is no Content-Type. @throws ApiError 415 */
function bodyType({ exchange, services }: RequestContext): string {
  const header = exchange.headers['content-type'] ?? '';
  const type = header === '' ? 'application/json' : mediaTypeOf(header);
  const types = services.settings.cbor ? READ_TYPES_WITH_CBOR : READ_TYPES;
  if (types.includes(type)) return type;
  throw errors.unsupportedMediaType(types);
}

/** The media type in a header; '' if its parameters are malformed or repeated. */
function mediaTypeOf(header: string): string {
  const [type = '', ...parameters] = header.split(';');
  const names = new Set<string>();
  for (const [index, parameter] of parameters.entries()) {
    const name = PARAMETER.exec(parameter)?.[1]?.toLowerCase();
    if (name === undefined) {
      // One semicolon may end the header.
      if (parameter.trim() === '' && index === parameters.length - 1) break;
      return '';
    }
    if (names.has(name)) return '';
    names.add(name);
  }
  return type.trim().toLowerCase();
}

const PARAMETER = /^\s*([\w!#$%&'*+.^`|~-]+)=(?:[\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*")\s*$/;

interface ExpectedBody extends TypeNames {
  /** The minor release of Kubernetes 1 whose types are read. */
  readonly minor: number;
  readonly turns: ShortTurns;
}

async function parseBody(bytes: Buffer, mediaType: string, expected: ExpectedBody): Promise<RequestBody> {
  const turn = workOn(bytes, expected.turns);
  const body = await parseTyped(bytes, mediaType, { ...expected, turn });
  return turn === undefined || body.turn !== undefined ? body : Object.assign(body, { turn });
}

/** Cooperative slices for a long body; undefined for a short one. */
export function workOn(bytes: Buffer, turns: ShortTurns): Turn | undefined {
  return bytes.length < limits.slicedBodyBytes ? undefined : turns.begin({ taskName: 'reading a long body' });
}

type Parsing = ExpectedBody & { readonly turn: Turn | undefined };

async function parseTyped(bytes: Buffer, mediaType: string, expected: Parsing): Promise<RequestBody> {
  if (mediaType === PROTOBUF_TYPE) return parseProtobufBody(bytes, expected);
  if (mediaType === CBOR_TYPE) return parseCborBody(bytes, expected);
  return mediaType === 'application/yaml' ? parseYamlBody(bytes, expected) : parseJsonBody(bytes, expected);
}

async function parseJsonBody(bytes: Buffer, { kind, turn }: Parsing): Promise<RequestBody> {
  const text = jsonText(bytes);
  try {
    return new JsonBody(bytes, text, await parseLongJson(text, () => turn?.over()));
  } catch (error) {
    if (error instanceof JsonError) throw unrecognized(kind, unreadableJson(error), bodyExcerpt(bytes));
    throw error;
  }
}

class JsonBody implements RequestBody {
  readonly value: unknown;
  readonly #bytes: Buffer;
  readonly #text: string;
  readonly #long: LongJson | undefined;

  constructor(bytes: Buffer, text: string, long: LongJson | undefined) {
    this.value = long === undefined ? parseJson(text) : long.value;
    this.#bytes = bytes;
    this.#text = text;
    this.#long = long;
  }

  get excerpt(): string {
    return bodyExcerpt(this.#bytes);
  }

  get text(): string {
    return this.#text;
  }

  get json(): string {
    return this.#text;
  }

  get floats(): FloatLiterals | undefined {
    return this.#long?.hasFloats === false ? undefined : floatLiterals(this.#text);
  }

  untypedFault(): Steps<JsonError | undefined> {
    return numberFault(this.#text);
  }

  repeated(keys: number): Steps<RepeatedMembers> | undefined {
    return (this.#long?.keys ?? countKeys(this.#text)) === keys ? undefined : this.#merged();
  }

  *#merged(): Steps<RepeatedMembers> {
    const text = this.#text;
    const replaced: Json[] = [];
    const note = (document: Json) => {
      if (replaced.length < limits.replacedValues) replaced.push(document);
    };
    const value = yield* decodingJson(text, { mergeRepeated: true, infinite: true, replaced: note });
    return { value, replaced, faults: (unknown, opaque) => strictDecodingErrors(text, unknown, opaque) };
  }
}

async function parseYamlBody(bytes: Buffer, { kind, turns }: Parsing): Promise<RequestBody> {
  const { parseYaml, YamlError } = await import('../../api/yaml-reader.ts');
  try {
    // Aliases can make a short body large.
    const turn = turns.begin({ taskName: 'reading a body in YAML' });
    const { value, duplicates, nodes } = await parseYaml(bytes, { pause: () => turn.over() });
    const merged = function* (): Steps<RepeatedMembers> {
      yield;
      return { value: copyJson(value), replaced: [], faults };
    };
    const faults = function* (unknown: readonly string[]): Steps<string[]> {
      return [...duplicates, ...unknown.map((path) => `unknown field ${JSON.stringify(path)}`)];
    };
    return {
      value,
      excerpt: bodyExcerpt(bytes),
      get text() {
        return bytes.toString('utf8');
      },
      ...(nodes > limits.membersInStep && { turn }),
      strictText: (found) => {
        const lines = found.slice(0, duplicates.length).map((line) => `  ${line}`);
        const others = found.slice(duplicates.length);
        if (lines.length === 0) return others.join(', ');
        return [`yaml: unmarshal errors:\n${lines.join('\n')}`, ...others].join(', ');
      },
      repeated: () => (duplicates.length === 0 ? undefined : merged()),
    };
  } catch (error) {
    if (error instanceof YamlError) throw unrecognized(kind, error.message, bodyExcerpt(bytes));
    throw error;
  }
}

/** Audit events contain a patch unchanged, unless it is not JSON or its options are invalid. @throws ApiError 422 */
function auditPatch(context: RequestContext, audit: AuditTrail, text: string): void {
  writeOptions({ query: context.query, definition: context.services.catalog }, 'PatchOptions');
  try {
    audit.requestText(stringifyJson(parseJson(text)));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
}

/**
 * The body of a patch other than an apply. It is read now, and parsed once the object has been found.
 * @param codec of the resource, which may have no strategic merge patch
 * @throws ApiError 413, 415
 */
export async function readPatch(context: RequestContext, codec: Codec): Promise<PatchBody> {
  const type = mergedPatchType(context, codec);
  const bytes = await readBytes(context);
  const text = jsonText(bytes);
  if (context.audit?.recordsRequests === true) auditPatch(context, context.audit, text);
  return { type, text, turn: workOn(bytes, context.services.turns) };
}
