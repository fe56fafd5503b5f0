// One OpenAPI 3 document from a description of paths.

import type { JsonObject } from '../../api/object.ts';
import type { OpenApiDocument } from './documents.ts';
import { type OperationDescription, type PathDescription, PHRASES } from './description.ts';
import type { Parameter } from './parameters.ts';
import { BEARER_TOKEN, extensions, sortedByName, TypeReferences } from './rendering.ts';

/** The document as a JSON value. @param version that of the API, as info names it: `1.34` */
export function openapiV3(document: OpenApiDocument, version: string): JsonObject {
  const references = new TypeReferences({ version: 3, ref: (name) => `#/components/schemas/${name}` });
  const paths = sortedByName(document.describe().map((path) => [path.path, pathItem(path, references)] as const));
  const schemas = references.declared();
  if (document.custom) {
    return {
      openapi: '3.0.0',
      info: { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' },
      paths,
      components: { schemas },
    };
  }
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version },
    paths,
    components: { schemas, securitySchemes: { BearerToken: BEARER_TOKEN } },
  };
}

function pathItem({ parameters, operations }: PathDescription, references: TypeReferences): JsonObject {
  const item: JsonObject = {};
  for (const [method, described] of Object.entries(operations)) item[method] = operation(described, references);
  if (parameters.length > 0) item['parameters'] = parameters.map(parameter);
  return item;
}

function operation(described: OperationDescription, references: TypeReferences): JsonObject {
  const { id, description, tag, parameters, body } = described;
  const written: JsonObject = { tags: [tag], description, operationId: id };
  if (parameters.length > 0) written['parameters'] = parameters.map(parameter);
  if (body !== undefined) {
    const content = contentOf(described.consumes, references.schema(body.type));
    written['requestBody'] = body.required ? { content, required: true } : { content };
  }
  written['responses'] = responses(described, references);
  return Object.assign(written, extensions(described));
}

function responses({ codes, produces, returns }: OperationDescription, references: TypeReferences): JsonObject {
  const content = contentOf(produces, references.schema(returns));
  const answers: JsonObject = {};
  for (const code of codes) answers[code] = { description: PHRASES[code], content };
  answers[401] = { description: PHRASES[401] };
  return answers;
}

function contentOf(mediaTypes: readonly string[], schema: JsonObject): JsonObject {
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));
}

function parameter({ name, in: place, description, type }: Parameter): JsonObject {
  const schema = { type, uniqueItems: true };
  return { name, in: place, description, ...(place === 'path' ? { required: true } : {}), schema };
}
