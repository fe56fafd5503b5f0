// The single OpenAPI v2 document: its frame, and its entries from the descriptions of all documents.

import type { Json, JsonObject } from '../../api/object.ts';
import { ListMeta, ObjectMeta } from '../builtin/meta/v1.ts';
import { builtinType } from '../builtin/types.ts';
import { type BodyType, type OperationDescription, type PathDescription, PHRASES } from './description.ts';
import type { OpenApiDocument } from './documents.ts';
import { inRelease, type Parameter, SHARED_PARAMETERS } from './parameters.ts';
import { BEARER_TOKEN, extensions, type PublishedApi, sortedByName, TypeReferences } from './rendering.ts';
import { Patch } from './server-types.ts';

/** Members of the document that have an entry for each path or type. */
export type LongMember = 'paths' | 'definitions';

/** A path or a type. */
export interface OpenApiV2Entry {
  readonly member: LongMember;
  readonly name: string;
  readonly value: JsonObject;
}

export interface OpenApiV2Encoding {
  readonly name: 'json' | 'protobuf';
  /** An encoded entry with its name. */
  entry(member: LongMember, name: string, value: Json): Uint8Array;
  /** What stands between two entries. */
  readonly separator: Uint8Array;
  /** A document in pieces: the frame, with the entries in their places. */
  pieces(frame: JsonObject, entries: Readonly<Record<LongMember, readonly Uint8Array[]>>): Iterable<Uint8Array>;
}

/** The built-in types that custom resources refer to. */
const TYPES_OF_CUSTOM_RESOURCES = [
  ObjectMeta,
  ListMeta,
  Patch,
  builtinType('', 'v1', 'DeleteOptions'),
  builtinType('', 'v1', 'Status'),
  builtinType('autoscaling', 'v1', 'Scale'),
];

/** The document without its paths and types. */
export function openapiV2Frame({ version, minor }: PublishedApi): JsonObject {
  const shared = inRelease([...SHARED_PARAMETERS], minor);
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version },
    paths: {},
    definitions: {},
    parameters: sortedByName(shared.map((each) => [each.name, written(each)] as const)),
    securityDefinitions: { BearerToken: BEARER_TOKEN },
    security: [{ BearerToken: [] }],
  };
}

/**
 * The entries of some documents, unsorted and one by one, because together they are large. Other requests may run
 * wherever it yields, be it an entry or nothing.
 *
 * @param documents either those of custom resources or those of the server; built-in types, also those that custom
 *   resources refer to, are among the entries of the latter
 */
export function* openapiV2Entries(
  documents: readonly OpenApiDocument[],
  { of, enums, minor }: Pick<PublishedApi, 'enums' | 'minor'> & { readonly of: 'custom resources' | 'the server' },
): Generator<OpenApiV2Entry | undefined, void> {
  const references = new TypeReferences({ version: 2, ref: (name) => `#/definitions/${name}`, enums, minor });
  for (const document of documents) {
    for (const path of document.describe()) {
      yield { member: 'paths', name: path.path, value: pathItem(path, references) };
    }
  }
  for (const made of references.custom()) yield made && { member: 'definitions', name: made[0], value: made[1] };
  if (of === 'custom resources') return;
  for (const type of TYPES_OF_CUSTOM_RESOURCES) references.schema(type);
  for (const [name, value] of yield* references.builtin()) yield { member: 'definitions', name, value };
}

function pathItem({ parameters, operations }: PathDescription, references: TypeReferences): JsonObject {
  const item: JsonObject = {};
  for (const [method, described] of Object.entries(operations)) item[method] = operation(described, references);
  if (parameters.length > 0) item['parameters'] = parameters.map(parameter);
  return item;
}

function operation(described: OperationDescription, references: TypeReferences): JsonObject {
  const { id, description, tag, consumes, produces, codes, returns, body } = described;
  const parameters: Json[] = described.parameters.map(parameter);
  if (body !== undefined) parameters.unshift(bodyParameter(body.type, body.required, references));
  const answers: JsonObject = {};
  for (const code of codes) answers[code] = { description: PHRASES[code], schema: references.schema(returns) };
  answers[401] = { description: PHRASES[401] };
  return {
    tags: [tag],
    ...(description !== undefined && { description }),
    operationId: id,
    ...(consumes.length === 0 ? {} : { consumes: [...consumes] }),
    ...(produces.length === 0 ? {} : { produces: [...produces] }),
    schemes: ['https'],
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: answers,
    ...extensions(described),
  };
}

function bodyParameter(type: BodyType, required: boolean, references: TypeReferences): JsonObject {
  return { name: 'body', in: 'body', ...(required ? { required } : {}), schema: references.schema(type) };
}

function parameter(described: Parameter): JsonObject {
  return SHARED_PARAMETERS.has(described) ? { $ref: `#/parameters/${described.name}` } : written(described);
}

function written({ name, in: place, description, type }: Parameter): JsonObject {
  return { name, in: place, description, ...(place === 'path' ? { required: true } : {}), type, uniqueItems: true };
}
