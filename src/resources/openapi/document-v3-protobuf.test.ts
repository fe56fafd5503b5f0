import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DELIMITED, FIXED64, ProtobufReader } from '../../api/protobuf-reader.ts';
import { openapiV3Protobuf } from './document-v3-protobuf.ts';

type Content = Uint8Array | number | undefined;

/** The contents of a message by field number. */
function read(bytes: Uint8Array): Map<number, Content[]> {
  const fields = new Map<number, Content[]>();
  const reader = new ProtobufReader(bytes);
  while (!reader.done) {
    const tag = reader.tag();
    const form = tag % 8;
    const content = form === DELIMITED ? reader.raw().slice() : form === FIXED64 ? reader.double() : reader.int32();
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), content]);
  }
  return fields;
}

/** The content at a path of field numbers, the first of each number. */
function at(bytes: Content, ...path: number[]): Content {
  return path.reduce((content, field) => read(content as Uint8Array).get(field)?.[0], bytes);
}

const text = (content: Content) => Buffer.from(content as Uint8Array).toString('utf8');

const turn = { over: () => Promise.resolve() };

test('protobuf of OpenAPI version 3 holds references, parameters, bodies, responses and extensions as YAML', async () => {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/A' } } };
  const operation = {
    operationId: 'id',
    parameters: [{ name: 'q', in: 'query', schema: { type: 'boolean', uniqueItems: true } }],
    requestBody: { content, required: true },
    responses: { 200: { description: 'OK', content } },
    'x-kubernetes-action': 'get',
  };
  const bytes = await openapiV3Protobuf({ openapi: '3.0.0', paths: { '/a': { get: operation } } }, turn);
  assert.equal(text(at(bytes, 1)), '3.0.0');
  assert.equal(text(at(bytes, 4, 1, 1)), '/a');
  const written = at(bytes, 4, 1, 2, 4);
  assert.equal(text(at(written, 5)), 'id');
  assert.equal(text(at(written, 6, 1, 1)), 'q');
  assert.equal(at(written, 6, 1, 10, 1, 20), 1);
  assert.equal(text(at(written, 7, 1, 2, 1, 1)), 'application/json');
  assert.equal(text(at(written, 7, 1, 2, 1, 2, 1, 2, 1)), '#/components/schemas/A');
  assert.equal(at(written, 7, 1, 3), 1);
  assert.equal(text(at(written, 8, 2, 1)), '200');
  assert.equal(text(at(written, 8, 2, 2, 1, 1)), 'OK');
  assert.equal(text(at(written, 13, 1)), 'x-kubernetes-action');
  assert.equal(text(at(written, 13, 2, 2)), 'get\n');
});

test('protobuf of OpenAPI version 3 holds nested schemas, defaults of every form and security schemes', async () => {
  const properties = {
    text: { default: 'x', type: 'string' },
    number: { default: 1.5, type: 'number' },
    flag: { default: true, type: 'boolean' },
    whole: { default: {}, allOf: [{ $ref: '#/components/schemas/B' }] },
    items: { type: 'array', items: { oneOf: [{ type: 'integer', format: 'int32' }] } },
    map: { type: 'object', additionalProperties: { type: 'string' } },
  };
  const components = {
    schemas: { A: { type: 'object', properties, enum: ['x'], 'x-kubernetes-map-type': 'atomic' } },
    securitySchemes: { BearerToken: { type: 'apiKey', in: 'header' } },
  };
  const bytes = await openapiV3Protobuf({ components }, turn);
  assert.equal(text(at(bytes, 5, 1, 1, 1)), 'A');
  const schema = at(bytes, 5, 1, 1, 2, 1);
  assert.equal(text(at(schema, 25)), 'object');
  assert.equal(text(at(schema, 24, 2)), 'x\n');
  assert.equal(text(at(schema, 36, 1)), 'x-kubernetes-map-type');
  const named = read(at(schema, 31) as Uint8Array).get(1) ?? [];
  const of = (name: string) =>
    at(
      named.find((each) => text(at(each, 1)) === name),
      2,
      1,
    );
  assert.equal(text(at(of('text'), 33, 3)), 'x');
  assert.equal(at(of('number'), 33, 1), 1.5);
  assert.equal(at(of('flag'), 33, 2), 1);
  assert.equal((at(of('whole'), 33) as Uint8Array).length, 0);
  assert.equal(text(at(of('whole'), 26, 2, 1)), '#/components/schemas/B');
  assert.equal(text(at(of('items'), 30, 1, 1, 27, 1, 35)), 'int32');
  assert.equal(text(at(of('map'), 32, 1, 1, 25)), 'string');
  assert.equal(text(at(bytes, 5, 7, 1, 1)), 'BearerToken');
  assert.equal(text(at(bytes, 5, 7, 1, 2, 1, 1)), 'apiKey');
});
