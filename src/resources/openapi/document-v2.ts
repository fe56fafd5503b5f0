// The single OpenAPI v2 document, built from the descriptions of all documents.

import type { Json, JsonObject } from '../../api/object.ts';
import { atOnce, type Steps } from '../../base/steps.ts';
import { type BodyType, type OperationDescription, type PathDescription, PHRASES } from './description.ts';
import type { OpenApiDocument } from './documents.ts';
import { type Parameter, SHARED_PARAMETERS } from './parameters.ts';
import {
  BEARER_TOKEN,
  extensions,
  type PublishedApi,
  sortedByName,
  sortingByName,
  TypeReferences,
} from './rendering.ts';

/** Builds the document from the others one after another, so that the work can be split. */
export class OpenApiV2Writer {
  readonly #version: string;
  readonly #references: TypeReferences;
  readonly #paths = new Map<string, JsonObject>();

  constructor({ version, enums }: PublishedApi) {
    this.#version = version;
    this.#references = new TypeReferences({ version: 2, ref: (name) => `#/definitions/${name}`, enums });
  }

  add(document: OpenApiDocument): void {
    for (const _path of this.adding(document));
  }

  /** Adds a document path by path; other requests run in between. */
  *adding(document: OpenApiDocument): Generator<string, void> {
    for (const path of document.describe()) {
      this.#paths.set(path.path, pathItem(path, this.#references));
      yield path.path;
    }
  }

  /** The document as a JSON value. */
  finish(): JsonObject {
    return atOnce(this.finishing());
  }

  /** The same, schema by schema; other requests run in between. */
  *finishing(): Steps<JsonObject> {
    const definitions = yield* this.#references.declaring();
    return {
      swagger: '2.0',
      info: { title: 'Kubernetes', version: this.#version },
      paths: yield* sortingByName(this.#paths),
      definitions,
      parameters: sortedByName([...SHARED_PARAMETERS].map((shared) => [shared.name, written(shared)] as const)),
      securityDefinitions: { BearerToken: BEARER_TOKEN },
      security: [{ BearerToken: [] }],
    };
  }
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
    description,
    operationId: id,
    ...(consumes.length === 0 ? {} : { consumes: [...consumes] }),
    produces: [...produces],
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
