import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import { atOnce } from '../../base/steps.ts';
import { ObjectMeta } from '../../resources/builtin/meta/v1.ts';
import { CustomSchema } from './custom-schema.ts';

function schemaOf(source: JsonObject): CustomSchema {
  return new CustomSchema({ name: 'example.com/v1.Widget', source: () => source, objectMeta: ObjectMeta });
}

const embedded = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties: { inner: { type: 'object', 'x-kubernetes-embedded-resource': true, properties } },
});

test('malformed and unknown metadata of a stored custom object is dropped when it is read', () => {
  const schema = schemaOf(embedded({}));
  const metadata = () => ({
    name: 'a',
    generation: null,
    finalizers: 'x',
    unknown: {},
    labels: { good: 'yes', bad: 1, worse: null },
    annotations: { good: 'yes', bad: { a: 1 } },
  });
  const object = { metadata: metadata(), inner: { apiVersion: 'v1', kind: 'Pod', metadata: metadata() } } as JsonObject;
  assert.equal(schema.readStored(object), true);
  const valid = { name: 'a', labels: { good: 'yes' }, annotations: { good: 'yes' } };
  assert.deepEqual(object, { metadata: valid, inner: { apiVersion: 'v1', kind: 'Pod', metadata: valid } });
  assert.equal(schema.readStored(object), false);
});

test('unknown metadata from defaults of embedded objects is pruned, in what clients send and in what is stored', () => {
  const metadata = {
    type: 'object',
    default: { name: 'n', unknown: 'x' },
    'x-kubernetes-preserve-unknown-fields': true,
    properties: { labels: { type: 'object', additionalProperties: { type: 'string' }, default: { a: 'b' } } },
  };
  const other = { type: 'string', default: 'x' };
  const schema = schemaOf(embedded({ metadata, other }));
  const inner = { metadata: { name: 'n', labels: { a: 'b' } }, other: 'x' };
  const sent = atOnce(schema.decoding({ metadata: { name: 'a' }, inner: {} }, { owned: false }));
  assert.deepEqual((sent.value as JsonObject)['inner'], inner);
  const stored: JsonObject = { metadata: { name: 'a' }, inner: {} };
  assert.equal(schema.readStored(stored), true);
  assert.deepEqual(stored['inner'], inner);
});
