import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import { atOnce, inOneStep } from '../../base/steps.ts';
import { ObjectMeta } from '../../resources/builtin/meta/v1.ts';
import { CustomSchema } from './custom-schema.ts';

function schemaOf(source: JsonObject): CustomSchema {
  return new CustomSchema({ name: 'example.com/v1.Widget', source: () => inOneStep(source), objectMeta: ObjectMeta });
}

const embedded = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties: { inner: { type: 'object', 'x-kubernetes-embedded-resource': true, properties } },
});

test('invalid and unknown metadata of a stored custom resource is dropped on read, a map with a wrong value entirely', () => {
  const schema = schemaOf(embedded({}));
  const metadata = () => ({
    name: 'a',
    generation: null,
    finalizers: 'x',
    unknown: {},
    labels: { good: 'yes', empty: null },
    annotations: { good: 'yes', bad: 42 },
  });
  const object = { metadata: metadata(), inner: { apiVersion: 'v1', kind: 42, metadata: metadata() } } as JsonObject;
  assert.equal(atOnce(schema.readingStored(object)), true);
  const valid = { name: 'a', labels: { good: 'yes', empty: '' } };
  assert.deepEqual(object, { metadata: { ...valid, generation: 1 }, inner: { apiVersion: 'v1', metadata: valid } });
  assert.equal(atOnce(schema.readingStored(object)), false);
});

test('a stored custom resource without a generation is read with generation 1, and an embedded one without', () => {
  const schema = schemaOf(embedded({}));
  const inner = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', generation: 0 } };
  for (const generation of [{}, { generation: 0 }, { generation: null }, { generation: 'x' }]) {
    const object: JsonObject = { metadata: { name: 'a', ...generation }, inner: structuredClone(inner) };
    assert.equal(atOnce(schema.readingStored(object)), true);
    assert.deepEqual(object, { metadata: { name: 'a', generation: 1 }, inner });
    assert.equal(atOnce(schema.readingStored(object)), false);
  }
});

test('unknown metadata from defaults of embedded resources is pruned, from clients and in the store', () => {
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
  assert.equal(atOnce(schema.readingStored(stored)), true);
  assert.deepEqual(stored['inner'], inner);
});
