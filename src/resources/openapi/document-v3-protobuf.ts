// An OpenAPI v3 document as a protobuf message (gnostic's openapi.v3.Document). It has fields for what this server's
// documents contain.

import type { Json, JsonObject } from '../../api/object.ts';
import { lookup } from '../../base/lookup.ts';
import type { Turn } from '../../base/short-turns.ts';
import {
  any,
  bool,
  DocumentPieces,
  double,
  either,
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

const reference = message(() => ({ fields: { $ref: [1, text], description: [3, text] } }));

/** A message with a reference, or with the thing itself. */
function orReference(write: Write): Write {
  return either((value) => (value as JsonObject)['$ref'] !== undefined, within(2, reference), within(1, write));
}

/** Defaults are numbers, booleans or strings; of others there is an empty message. */
const defaultValue: Write = (writer, field, value) => {
  const forms = lookup<Write>({
    number: within(1, double),
    boolean: within(2, bool),
    string: within(3, text),
  });
  (forms[typeof value] ?? nothing)(writer, field, value);
};
const nothing = message(() => ({ fields: {} }));

const externalDocs = message(() => ({ fields: { description: [1, text], url: [2, text] } }));

const schema: Write = message(() => ({
  fields: {
    nullable: [1, bool],
    externalDocs: [6, externalDocs],
    example: [7, any],
    title: [9, text],
    multipleOf: [10, double],
    maximum: [11, double],
    exclusiveMaximum: [12, bool],
    minimum: [13, double],
    exclusiveMinimum: [14, bool],
    maxLength: [15, integer],
    minLength: [16, integer],
    pattern: [17, text],
    maxItems: [18, integer],
    minItems: [19, integer],
    uniqueItems: [20, bool],
    maxProperties: [21, integer],
    minProperties: [22, integer],
    required: [23, texts],
    enum: [24, list(any)],
    type: [25, text],
    allOf: [26, list(schemaOrReference)],
    oneOf: [27, list(schemaOrReference)],
    anyOf: [28, list(schemaOrReference)],
    not: [29, schema],
    items: [30, within(1, schemaOrReference)],
    properties: [31, within(1, named(schemaOrReference))],
    additionalProperties: [
      32,
      either((value) => typeof value === 'boolean', within(2, bool), within(1, schemaOrReference)),
    ],
    default: [33, defaultValue],
    description: [34, text],
    format: [35, text],
  },
  extensions: 36,
}));
const schemaOrReference: Write = (writer, field, value) => orReference(schema)(writer, field, value);

const parameter = message(() => ({
  fields: {
    name: [1, text],
    in: [2, text],
    description: [3, text],
    required: [4, bool],
    schema: [10, schemaOrReference],
  },
}));
const parameters = list(orReference(parameter));

const mediaTypes = within(1, named(message(() => ({ fields: { schema: [1, schemaOrReference] } }))));

const requestBody = message(() => ({
  fields: { description: [1, text], content: [2, mediaTypes], required: [3, bool] },
}));

const response = message(() => ({ fields: { description: [1, text], content: [3, mediaTypes] } }));

const operation = message(() => ({
  fields: {
    tags: [1, texts],
    summary: [2, text],
    description: [3, text],
    operationId: [5, text],
    parameters: [6, parameters],
    requestBody: [7, orReference(requestBody)],
    responses: [8, within(2, named(orReference(response)))],
    deprecated: [10, bool],
  },
  extensions: 13,
}));

const pathItem = message(() => ({
  fields: {
    get: [4, operation],
    put: [5, operation],
    post: [6, operation],
    delete: [7, operation],
    options: [8, operation],
    head: [9, operation],
    patch: [10, operation],
    parameters: [13, parameters],
  },
}));

const securityScheme = message(() => ({
  fields: { type: [1, text], description: [2, text], name: [3, text], in: [4, text] },
}));

const DOCUMENT: Fields = {
  openapi: [1, text],
  info: [2, message(() => ({ fields: { title: [1, text], version: [6, text] } }))],
};

const COMPONENTS: Fields = { securitySchemes: [7, within(1, named(orReference(securityScheme)))] };

const PATHS: LongMap = { field: 4, entry: 1, write: pathItem };
const SCHEMAS: LongMap = { field: 1, entry: 1, write: schemaOrReference };

/**
 * The bytes of a document of version 3.
 *
 * @param turn other requests run between entries
 */
export async function openapiV3Protobuf(document: JsonObject, turn: Turn): Promise<Uint8Array> {
  const pieces = new DocumentPieces(turn);
  for (const [member, value] of Object.entries(document).reverse()) {
    if (member === 'paths') await pieces.map(value as JsonObject, PATHS);
    else if (member === 'components') await addComponents(pieces, value as JsonObject);
    else pieces.member(member, value as Json, DOCUMENT);
  }
  return pieces.bytes();
}

async function addComponents(pieces: DocumentPieces, components: JsonObject): Promise<void> {
  const before = pieces.size;
  for (const [member, value] of Object.entries(components).reverse()) {
    if (member === 'schemas') await pieces.map(value as JsonObject, SCHEMAS);
    else pieces.member(member, value as Json, COMPONENTS);
  }
  pieces.enclose(5, before);
}
