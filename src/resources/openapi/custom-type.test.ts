import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import { atOnce, inOneStep } from '../../base/steps.ts';
import type { OpenApiVersion } from '../../schema/openapi.ts';
import type { CatalogEntry } from '../catalog.ts';
import { group } from '../resource.ts';
import { customName, makingSchema } from './custom-type.ts';

function entry(openapiSchema: JsonObject | undefined): CatalogEntry {
  const declared = group('apps', 'v1')({ resource: 'deployments', kind: 'Deployment' });
  const definition = { ...declared, group: 'example.com', kind: 'Widget', listKind: 'Widgets', custom: true };
  const [version] = declared.versions;
  assert.ok(version);
  const reading = openapiSchema && (() => inOneStep(openapiSchema));
  return { definition, version: { ...version, openapiSchema: reading } };
}

function published(openapiSchema: JsonObject | undefined, version: OpenApiVersion): JsonObject {
  const type = { kind: 'object', entry: entry(openapiSchema) } as const;
  return atOnce(makingSchema(type, { version, ref: (name) => `#/${name}` }));
}

/** A property of spec as it is published. */
function property(schema: JsonObject, version: OpenApiVersion): JsonObject {
  const { properties } = published({ type: 'object', properties: { spec: schema } }, version);
  return (properties as Record<string, JsonObject>)['spec'] as JsonObject;
}

const KIND = [{ group: 'example.com', kind: 'Widget', version: 'v1' }];
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

test('the published schema of a custom resource adds apiVersion, kind and metadata to what is declared', () => {
  const declared = { type: 'object', required: ['spec'], properties: { spec: { type: 'object' } } };
  const before = JSON.stringify(declared);
  const { properties, ...others } = published(declared, 3) as { properties: Record<string, JsonObject> };
  assert.deepEqual(others, { type: 'object', required: ['spec'], 'x-kubernetes-group-version-kind': KIND });
  assert.deepEqual(Object.keys(properties), ['spec', 'apiVersion', 'kind', 'metadata']);
  assert.deepEqual(properties['metadata']?.['allOf'], [{ $ref: `#/${META}` }]);
  assert.match(String(properties['apiVersion']?.['description']), /^APIVersion defines .* may reject unrecognized/);
  assert.match(String(properties['metadata']?.['description']), /^Standard object's metadata\. More info: /);
  assert.equal(JSON.stringify(declared), before);
});

test('a custom resource without a schema is published without properties, so that clients accept any', () => {
  const open = { type: 'object', 'x-kubernetes-group-version-kind': KIND };
  assert.deepEqual(published(undefined, 3), open);
  assert.deepEqual(published({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, 2), open);
});

test('the published schema of a custom resource list refers to the items', () => {
  const list = { kind: 'list', entry: entry(undefined) } as const;
  const schema = atOnce(makingSchema(list, { version: 2, ref: (name) => `#/${name}` }));
  assert.equal(customName(list), 'com.example.v1.Widgets');
  assert.deepEqual(schema['required'], ['items']);
  assert.equal(schema['description'], 'Widgets is a list of Widget');
  assert.deepEqual((schema['properties'] as JsonObject)['items'], {
    description:
      'List of deployments. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md',
    type: 'array',
    items: { $ref: '#/com.example.v1.Widget' },
  });
});

test('an embedded resource is published with apiVersion, kind and metadata', () => {
  const kind = { type: 'string', description: 'our own words' };
  const embedded = property({ type: 'object', 'x-kubernetes-embedded-resource': true, properties: { kind } }, 3);
  assert.deepEqual(Object.keys(embedded['properties'] as JsonObject), ['kind', 'apiVersion', 'metadata']);
  assert.match(JSON.stringify(embedded['properties']), /"kind is a string value representing the type of this object/);
  assert.deepEqual(embedded['required'], ['kind', 'apiVersion']);
});

test('examples and externalDocs are not published', () => {
  const more = { example: 'x', externalDocs: { url: 'https://example.com' } };
  const declared = { type: 'object', title: 't', ...more, properties: { a: { type: 'string', ...more } } };
  const expected = { type: 'object', title: 't', properties: { a: { type: 'string' } } };
  for (const version of [2, 3] as const) assert.deepEqual(property(declared, version), expected);
});

describe('OpenAPI version 2 of a custom resource', () => {
  const cases: [string, JsonObject, JsonObject][] = [
    ['defaults', { type: 'string', default: 'a' }, { type: 'string' }],
    ['junctors', { type: 'string', anyOf: [{ pattern: 'a' }], not: { enum: ['b'] } }, { type: 'string' }],
    [
      'null',
      { type: 'object', nullable: true, properties: { a: { type: 'string' } }, description: 'd' },
      { description: 'd' },
    ],
    [
      'unknown fields',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'string' } } },
      { 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      'items of lists with unknown fields',
      { type: 'array', 'x-kubernetes-preserve-unknown-fields': true },
      { 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      'nullable fields from the required ones',
      {
        type: 'object',
        required: ['a', 'b'],
        properties: { a: { type: 'string', nullable: true }, b: { type: 'string' } },
      },
      { type: 'object', required: ['b'], properties: { a: {}, b: { type: 'string' } } },
    ],
  ];
  for (const [what, declared, expected] of cases) {
    test(`OpenAPI version 2 of a custom resource leaves out ${what}`, () =>
      assert.deepEqual(property(declared, 2), expected));
  }

  test('OpenAPI version 2 of a custom resource leaves out what version 3 keeps', () => {
    const declared = { type: 'object', nullable: true, properties: { a: { type: 'string' } } };
    assert.deepEqual(property(declared, 3), declared);
  });
});
