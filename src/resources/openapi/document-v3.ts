// An OpenAPI v3 document from a description of paths.

import type { JsonObject } from '../../api/object.ts';
import type { Steps } from '../../base/steps.ts';
import type { OpenApiOptions } from '../../schema/openapi.ts';
import { isToldOf, isToldOfCustom } from '../builtin/meta/every-group.ts';
import { type BodyType, type OperationDescription, type PathDescription, PHRASES } from './description.ts';
import type { OpenApiDocument } from './documents.ts';
import type { Parameter } from './parameters.ts';
import { BEARER_TOKEN, extensions, type PublishedApi, sortingByName, TypeReferences } from './rendering.ts';

/** The document as a JSON value, path by path and schema by schema; other requests run in between. */
export function* openapiV3(document: OpenApiDocument, { version, enums, minor }: PublishedApi): Steps<JsonObject> {
  const ref = (name: string) => `#/components/schemas/${name}`;
  const told = toldKinds(document, minor);
  const writer = new PathWriter(new TypeReferences({ version: 3, ref, enums, minor, ...told }));
  const items = new Map<string, JsonObject>();
  for (const path of document.describe()) {
    items.set(path.path, writer.pathItem(path));
    yield;
  }
  const paths = yield* sortingByName(items);
  const schemas = yield* writer.references.declaring();
  if (document.custom) {
    const info = { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' };
    return { openapi: '3.0.0', info, paths, components: { schemas } };
  }
  const named = Object.keys(schemas).length > 0 ? { schemas } : {};
  const components = { ...named, securitySchemes: { BearerToken: BEARER_TOKEN } };
  return { openapi: '3.0.0', info: { title: 'Kubernetes', version }, paths, components };
}

/** The first minor release of Kubernetes 1 whose documents publish common kinds of their own group version only. */
const OWN_KINDS_SINCE = 36;

/** Which of the kinds that every group version has a document publishes. */
function toldKinds({ key, custom }: OpenApiDocument, minor: number): Pick<OpenApiOptions, 'isTold'> {
  if (custom) return { isTold: isToldOfCustom };
  if (minor < OWN_KINDS_SINCE) return {};
  return { isTold: (kind) => isToldOf(key.replace(/^apis?\//, ''), kind) };
}

/** Encodes paths; parts that many of them share are created once. */
class PathWriter {
  readonly references: TypeReferences;
  readonly #parameters = new Map<Parameter, JsonObject>();
  readonly #contents = new Map<BodyType, Map<readonly string[], JsonObject>>();

  constructor(references: TypeReferences) {
    this.references = references;
  }

  pathItem({ parameters, operations }: PathDescription): JsonObject {
    const item: JsonObject = {};
    for (const [method, described] of Object.entries(operations)) item[method] = this.#operation(described);
    if (parameters.length > 0) item['parameters'] = parameters.map((each) => this.#parameter(each));
    return item;
  }

  #operation(described: OperationDescription): JsonObject {
    const { id, description, tag, parameters, body, consumes } = described;
    const written: JsonObject = { tags: [tag], ...(description !== undefined && { description }), operationId: id };
    if (parameters.length > 0) written['parameters'] = parameters.map((each) => this.#parameter(each));
    if (body !== undefined) {
      const content = this.#content(consumes, body.type);
      written['requestBody'] = body.required ? { content, required: true } : { content };
    }
    written['responses'] = this.#responses(described);
    return Object.assign(written, extensions(described));
  }

  #responses({ codes, produces, returns }: OperationDescription): JsonObject {
    const answers: JsonObject = {};
    for (const code of codes) {
      answers[code] = { description: PHRASES[code], content: this.#content(produces, returns) };
    }
    answers[401] = { description: PHRASES[401] };
    return answers;
  }

  #content(mediaTypes: readonly string[], type: BodyType): JsonObject {
    const ofType = getOrAdd(this.#contents, type, () => new Map<readonly string[], JsonObject>());
    return getOrAdd(ofType, mediaTypes, () => {
      const schema = this.references.schema(type);
      return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));
    });
  }

  #parameter(described: Parameter): JsonObject {
    return getOrAdd(this.#parameters, described, () => {
      const { name, in: place, description, type } = described;
      const schema = { type, uniqueItems: true };
      return { name, in: place, description, ...(place === 'path' ? { required: true } : {}), schema };
    });
  }
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
