import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../../api/object.ts';
import { DELIMITED, FIXED64, ProtobufReader } from '../../api/protobuf-reader.ts';
import type { LongMember } from './document-v2.ts';
import { openapiV2Protobuf } from './document-v2-protobuf.ts';

/** A message as lists of its fields' contents by number: messages and text as bytes, numbers as they are. */
function read(bytes: Uint8Array): Map<number, (Uint8Array | number)[]> {
  const fields = new Map<number, (Uint8Array | number)[]>();
  const reader = new ProtobufReader(bytes);
  while (!reader.done) {
    const tag = reader.tag();
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), readContent(reader, tag % 8)]);
  }
  return fields;
}

function readContent(reader: ProtobufReader, form: number): Uint8Array | number {
  if (form === DELIMITED) return reader.raw().slice();
  return form === FIXED64 ? reader.double() : reader.int32();
}

/** The content at a way of field numbers, each the first of its number. */
function at(bytes: Uint8Array, ...way: number[]): Uint8Array | number | undefined {
  let content: Uint8Array | number | undefined = bytes;
  for (const field of way) {
    if (!(content instanceof Uint8Array)) return undefined;
    content = read(content).get(field)?.[0];
  }
  return content;
}

const text = (content: Uint8Array | number | undefined) => Buffer.from(content as Uint8Array).toString('utf8');

/** The message of a document. */
function encoded({ paths = {}, definitions = {}, ...frame }: JsonObject): Uint8Array {
  const entriesOf = (member: LongMember, values: Json) =>
    Object.entries(values as JsonObject).map(([name, value]) => openapiV2Protobuf.entry(member, name, value as Json));
  const entries = { paths: entriesOf('paths', paths), definitions: entriesOf('definitions', definitions) };
  return Buffer.concat([...openapiV2Protobuf.pieces({ ...frame, paths, definitions }, entries)]);
}

test('a small document in protobuf has exactly these bytes', () => {
  const bytes = encoded({ swagger: '2.0', info: { title: 'T', version: 'ü' } });
  assert.equal(Buffer.from(bytes).toString('hex'), '0a03322e30' + '1207' + '0a0154' + '1202c3bc' + '4200' + '4a00');
});

test('protobuf of OpenAPI version 2 holds references, parameters, bodies, responses and extensions as YAML', () => {
  const operation = {
    operationId: 'id',
    parameters: [
      { $ref: '#/parameters/limit' },
      { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/A' } },
      { name: 'n', in: 'path', required: true, type: 'string' },
      { name: 'q', in: 'query', type: 'boolean', uniqueItems: true },
    ],
    responses: { 200: { description: 'OK', schema: { type: 'string' } } },
    'x-kubernetes-action': 'get',
  };
  const bytes = encoded({ paths: { '/a': { get: operation } } });
  const path = at(bytes, 8, 2) as Uint8Array;
  assert.equal(text(at(path, 1)), '/a');
  const written = at(path, 2, 2) as Uint8Array;
  assert.equal(text(at(written, 5)), 'id');
  const parameters = read(written).get(8) as Uint8Array[];
  assert.equal(parameters.length, 4);
  const [reference, body, inPath, inQuery] = parameters as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  assert.equal(text(at(reference, 2, 1)), '#/parameters/limit');
  assert.equal(text(at(body, 1, 1, 5, 1)), '#/definitions/A');
  assert.equal(at(body, 1, 1, 4), 1);
  assert.equal(text(at(inPath, 1, 2, 4, 4)), 'n');
  assert.equal(text(at(inQuery, 1, 2, 3, 4)), 'q');
  assert.equal(at(inQuery, 1, 2, 3, 20), 1);
  assert.equal(text(at(written, 9, 1, 1)), '200');
  assert.equal(text(at(written, 9, 1, 2, 1, 2, 1, 22, 1)), 'string');
  assert.equal(text(at(written, 13, 1)), 'x-kubernetes-action');
  assert.equal(text(at(written, 13, 2, 2)), 'get\n');
});

test('protobuf of OpenAPI version 2 holds nested schemas with numbers and values of any form', () => {
  const schema = {
    type: 'object',
    required: ['a', 'b'],
    properties: { a: { type: 'array', items: { $ref: '#/definitions/B' } } },
    additionalProperties: true,
    minimum: 1.5,
    maxLength: 300,
    enum: ['x', 1],
    default: { k: null },
    'x-list': [1],
    unheardOf: 1,
  };
  const bytes = encoded({ definitions: { A: schema } });
  assert.equal(text(at(bytes, 9, 1, 1)), 'A');
  const written = at(bytes, 9, 1, 2) as Uint8Array;
  assert.deepEqual([...read(written).keys()], [22, 19, 25, 21, 9, 11, 20, 5, 31]);
  assert.deepEqual(read(written).get(19)?.map(text), ['a', 'b']);
  assert.equal(text(at(written, 25, 1, 2, 23, 1, 1)), '#/definitions/B');
  assert.equal(at(written, 21, 2), 1);
  assert.equal(at(written, 9), 1.5);
  assert.equal(at(written, 11), 300);
  const values = read(written).get(20) as Uint8Array[];
  assert.deepEqual(
    values.map((value) => text(at(value, 2))),
    ['x\n', '1\n'],
  );
  assert.equal(text(at(written, 5, 2)), 'k: null\n');
  assert.equal(text(at(written, 31, 2, 2)), '- 1\n');
});
