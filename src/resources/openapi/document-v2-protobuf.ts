// The OpenAPI v2 document as a protobuf message (gnostic's openapi.v2.Document), which kubectl and Helm request first.
// It has fields for what this server's documents contain.

import type { Json, JsonObject } from '../../api/object.ts';
import {
  any,
  bool,
  double,
  either,
  encodedEntry,
  encodedHead,
  encodedMember,
  type Fields,
  integer,
  type LongMap,
  list,
  message,
  named,
  text,
  texts,
  type Write,
  within,
} from './document-messages.ts';
import type { LongMember, OpenApiV2Encoding } from './document-v2.ts';

const reference = message(() => ({ fields: { $ref: [1, text] } }));
const isReference = (value: Json) => (value as JsonObject)['$ref'] !== undefined;

const schema: Write = message(() => ({
  fields: {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    default: [5, any],
    multipleOf: [6, double],
    maximum: [7, double],
    exclusiveMaximum: [8, bool],
    minimum: [9, double],
    exclusiveMinimum: [10, bool],
    maxLength: [11, integer],
    minLength: [12, integer],
    pattern: [13, text],
    maxItems: [14, integer],
    minItems: [15, integer],
    uniqueItems: [16, bool],
    maxProperties: [17, integer],
    minProperties: [18, integer],
    required: [19, texts],
    enum: [20, list(any)],
    additionalProperties: [21, either((value) => typeof value === 'boolean', within(2, bool), within(1, schema))],
    type: [22, within(1, text)],
    items: [23, within(1, schema)],
    properties: [25, within(1, named(schema))],
    example: [30, any],
  },
  extensions: 31,
}));

const bodyParameter = message(() => ({
  fields: { description: [1, text], name: [2, text], in: [3, text], required: [4, bool], schema: [5, schema] },
}));
const queryParameter = message(() => ({
  fields: {
    required: [1, bool],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [6, text],
    uniqueItems: [20, bool],
  },
}));
const pathParameter = message(() => ({
  fields: {
    required: [1, bool],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [5, text],
    uniqueItems: [19, bool],
  },
}));

const isIn = (place: string) => (value: Json) => (value as JsonObject)['in'] === place;
const parameter: Write = either(
  isIn('body'),
  within(1, bodyParameter),
  within(2, either(isIn('path'), within(4, pathParameter), within(3, queryParameter))),
);
// A path's parameters, each a message with a reference or a parameter.
const parameters = list(either(isReference, within(2, reference), within(1, parameter)));

const response = message(() => ({ fields: { description: [1, text], schema: [2, within(1, schema)] } }));

const operation = message(() => ({
  fields: {
    tags: [1, texts],
    description: [3, text],
    operationId: [5, text],
    produces: [6, texts],
    consumes: [7, texts],
    parameters: [8, parameters],
    responses: [9, within(1, named(within(1, response)))],
    schemes: [10, texts],
  },
  extensions: 13,
}));

const pathItem = message(() => ({
  fields: {
    get: [2, operation],
    put: [3, operation],
    post: [4, operation],
    delete: [5, operation],
    options: [6, operation],
    head: [7, operation],
    patch: [8, operation],
    parameters: [9, parameters],
  },
}));

const apiKey = message(() => ({
  fields: { type: [1, text], name: [2, text], in: [3, text], description: [4, text] },
}));

const DOCUMENT: Fields = {
  swagger: [1, text],
  info: [2, message(() => ({ fields: { title: [1, text], version: [2, text] } }))],
  parameters: [10, within(1, named(parameter))],
  security: [12, list(within(1, named(within(1, texts))))],
  securityDefinitions: [13, within(1, named(within(2, apiKey)))],
};

/** Fields of the document, and of the entries of a map, that hold long maps. */
const LONG: Readonly<Record<LongMember, LongMap>> = {
  paths: { field: 8, entry: 2, write: pathItem },
  definitions: { field: 9, entry: 1, write: schema },
};

/** The encoding as a protobuf message. */
export const openapiV2Protobuf: OpenApiV2Encoding = {
  name: 'protobuf',
  entry: (member, name, value) => encodedEntry(LONG[member], name, value),
  separator: new Uint8Array(),
  *pieces(frame, entries) {
    for (const [member, value] of Object.entries(frame)) {
      if (member !== 'paths' && member !== 'definitions') {
        yield encodedMember(member, value as Json, DOCUMENT);
        continue;
      }
      const size = entries[member].reduce((sum, { length }) => sum + length, 0);
      yield encodedHead(LONG[member].field, size);
      yield* entries[member];
    }
  },
};
