// The OpenAPI v2 document as a protobuf message (gnostic's openapi.v2.Document), which kubectl and Helm request first.
// It has fields for what this server's documents contain; values of any form are YAML text.

import { stringifyJson } from '../../api/json-writer.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { DELIMITED, FIXED64, VARINT } from '../../api/protobuf-reader.ts';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { lookup } from '../../base/lookup.ts';
import type { Turn } from '../../base/short-turns.ts';

/** Writes a value as a field. */
type Write = (writer: ProtobufWriter, field: number, value: Json) => void;

/** Fields of a message by JSON name. */
type Fields = Readonly<Record<string, readonly [field: number, write: Write]>>;

interface Shape {
  readonly fields: Fields;
  /** The field of members whose names begin with `x-`. */
  readonly extensions?: number;
}

const text: Write = (writer, field, value) => {
  writer.text(value as string);
  writeTag(writer, field, DELIMITED);
};
const bool: Write = (writer, field, value) => {
  writer.uint(value === true ? 1 : 0);
  writeTag(writer, field, VARINT);
};
const integer: Write = (writer, field, value) => {
  writer.int(value as number | bigint);
  writeTag(writer, field, VARINT);
};
const double: Write = (writer, field, value) => {
  writer.double(Number(value));
  writeTag(writer, field, FIXED64);
};

/** A value of any form as YAML, of which JSON is a subset. */
const any: Write = (writer, field, value) => writeMessage(writer, field, () => text(writer, 2, stringifyJson(value)));

function writeTag(writer: ProtobufWriter, field: number, content: number): void {
  writer.uint(field * 8 + content);
}

/** The writer works backwards: the last field of a message is written first, its length last. */
function writeMessage(writer: ProtobufWriter, field: number, write: () => void): void {
  const before = writer.size;
  write();
  writer.uint(writer.size - before);
  writeTag(writer, field, DELIMITED);
}

function list(write: Write): Write {
  return (writer, field, value) => {
    const items = value as Json[];
    for (let index = items.length - 1; index >= 0; index--) write(writer, field, items[index] as Json);
  };
}

/** A map: messages of a name and a value. */
function named(write: Write): Write {
  return (writer, field, value) => {
    for (const [name, member] of Object.entries(value as JsonObject).reverse())
      writeNamed(writer, field, { name, member: member as Json, write });
  };
}

function writeNamed(
  writer: ProtobufWriter,
  field: number,
  { name, member, write }: { name: string; member: Json; write: Write },
): void {
  writeMessage(writer, field, () => {
    write(writer, 2, member);
    text(writer, 1, name);
  });
}

/** A message with a single field. */
function within(inner: number, write: Write): Write {
  return (writer, field, value) => writeMessage(writer, field, () => write(writer, inner, value));
}

/** A message; `shape` is called on first use, so that messages can be recursive. */
function message(shape: () => Shape): Write {
  let known: Shape | undefined;
  return (writer, field, value) => {
    known ??= shape();
    const { fields, extensions } = known;
    writeMessage(writer, field, () => writeMembers(writer, value as JsonObject, { fields, extensions }));
  };
}

function writeMembers(
  writer: ProtobufWriter,
  value: JsonObject,
  { fields, extensions }: { fields: Fields; extensions: number | undefined },
): void {
  for (const [name, member] of Object.entries(value).reverse()) {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (known !== undefined) known[1](writer, known[0], member as Json);
    else if (extensions !== undefined && name.startsWith('x-'))
      writeNamed(writer, extensions, { name, member: member as Json, write: any });
  }
}

/** One of two forms of a value. */
function either(isFirst: (value: Json) => boolean, first: Write, second: Write): Write {
  return (writer, field, value) => (isFirst(value) ? first : second)(writer, field, value);
}

const texts = list(text);
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

/** The long maps, whose entries are encoded one by one. */
const LONG: Readonly<Record<string, { readonly field: number; readonly entry: number; readonly write: Write }>> =
  lookup({
    paths: { field: 8, entry: 2, write: pathItem },
    definitions: { field: 9, entry: 1, write: schema },
  });

/**
 * The bytes of a document from OpenApiV2Writer. Each entry is encoded separately and put in its place at the end,
 * because making room in a growing buffer would take a long turn.
 *
 * @param turn other requests run between entries
 */
export async function openapiV2Protobuf(document: JsonObject, turn: Turn): Promise<Uint8Array> {
  const writer = new ProtobufWriter();
  const pieces: Uint8Array[] = [];
  let size = 0;
  const take = (): void => {
    pieces.push(writer.bytes());
    size += writer.size;
    writer.clear();
  };
  for (const [member, value] of Object.entries(document).reverse()) {
    const long = Object.hasOwn(LONG, member) ? LONG[member] : undefined;
    if (long === undefined) {
      writeMembers(writer, { [member]: value as Json }, { fields: DOCUMENT, extensions: undefined });
      take();
      continue;
    }
    const before = size;
    for (const [name, each] of Object.entries(value as JsonObject).reverse()) {
      writeNamed(writer, long.entry, { name, member: each as Json, write: long.write });
      take();
      const wait = turn.over();
      if (wait !== undefined) await wait;
    }
    writer.uint(size - before);
    writeTag(writer, long.field, DELIMITED);
    take();
  }
  return joined(pieces.reverse(), { size, turn });
}

async function joined(
  pieces: readonly Uint8Array[],
  { size, turn }: { size: number; turn: Turn },
): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
    const wait = turn.over();
    if (wait !== undefined) await wait;
  }
  return bytes;
}
