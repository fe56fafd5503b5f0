import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../api/object.ts';
import { atOnce } from '../base/steps.ts';
import {
  bool,
  bytes,
  embedded,
  int32,
  int64,
  intOrString,
  json,
  list,
  listOf,
  map,
  pointer,
  quantity,
  string,
  struct,
  time,
} from './build.ts';
import type { StructNode } from './node.ts';
import { collectingSchemas, type OpenApiOptions, publishedName } from './openapi.ts';

const Part = struct('core/v1.Part', () => ({ name: string(1).required(), port: intOrString(2).pointer() }), {
  mapType: 'atomic',
});
const Either = struct('apiextensions/v1.Either', () => ({ Schema: pointer(1, Part) }), { form: 'structOrBool' });
const Whole = struct(
  'apps/v1.Whole',
  () => ({
    type: string(1).oneOf('A', 'B').discriminator(),
    count: int32(2).pointer().default(1),
    total: int64(3).required(),
    ready: bool(4).always(),
    blob: bytes(5).atomic(),
    size: quantity(6).pointer(),
    at: time(7),
    part: embedded(8, Part),
    owned: pointer(9, Part).granular().required(),
    parts: list(10, Part).keyed('name').mergedBy('name', 'merge,retainKeys'),
    modes: list(11, 'string').set().itemsOneOf('X', 'Y'),
    sizes: list(12, 'quantity'),
    byName: map(13, Part).granular(),
    states: map(16, 'string').valuesOneOf('On', 'Off'),
    either: map(17, Either),
    lists: map(14, listOf('string')),
    any: json(15),
    alone: pointer(18, Part).bare(),
  }),
  { kinds: ['apps/v1/Whole', 'v1/Whole'], unions: [{ discriminator: 'type' }] },
);
const ref = (name: string) => `#/${name}`;

function schemasOf(roots: readonly StructNode[], version: OpenApiOptions['version']): Map<string, JsonObject> {
  return atOnce(collectingSchemas(roots, { version, ref }));
}

function schemaOf(type: StructNode, version: OpenApiOptions['version']): JsonObject {
  return schemasOf([type], version).get(publishedName(type.name)) ?? {};
}

describe('OpenAPI version 3 of built-in types', () => {
  it('OpenAPI version 3 of built-in types holds the facts of a struct', () => {
    const part = { allOf: [{ $ref: '#/io.k8s.api.core.v1.Part' }] };
    assert.deepEqual(schemaOf(Whole, 3), {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['A', 'B'] },
        count: { type: 'integer', format: 'int32', default: 1 },
        total: { type: 'integer', format: 'int64', default: 0 },
        ready: { type: 'boolean', default: false },
        blob: { type: 'string', format: 'byte', 'x-kubernetes-list-type': 'atomic' },
        size: { allOf: [{ $ref: '#/io.k8s.apimachinery.pkg.api.resource.Quantity' }] },
        at: { allOf: [{ $ref: '#/io.k8s.apimachinery.pkg.apis.meta.v1.Time' }] },
        part: { ...part, default: {} },
        owned: { ...part, 'x-kubernetes-map-type': 'granular' },
        parts: {
          type: 'array',
          items: { ...part, default: {} },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          'x-kubernetes-patch-merge-key': 'name',
          'x-kubernetes-patch-strategy': 'merge,retainKeys',
        },
        modes: {
          type: 'array',
          items: { type: 'string', default: '', enum: ['X', 'Y'] },
          'x-kubernetes-list-type': 'set',
        },
        sizes: { type: 'array', items: { $ref: '#/io.k8s.apimachinery.pkg.api.resource.Quantity' } },
        states: { type: 'object', additionalProperties: { type: 'string', default: '', enum: ['On', 'Off'] } },
        either: {
          type: 'object',
          additionalProperties: { $ref: '#/io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.Either' },
        },
        byName: {
          type: 'object',
          additionalProperties: { ...part, default: {} },
          'x-kubernetes-map-type': 'granular',
        },
        lists: {
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'string', default: '' } },
        },
        any: { type: 'object' },
        alone: { $ref: '#/io.k8s.api.core.v1.Part' },
      },
      required: ['total', 'owned'],
      'x-kubernetes-group-version-kind': [
        { group: 'apps', kind: 'Whole', version: 'v1' },
        { group: '', kind: 'Whole', version: 'v1' },
      ],
      'x-kubernetes-unions': [{ discriminator: 'type' }],
    });
  });

  it('OpenAPI version 3 of built-in types refers to the type itself where a field has another map type', () => {
    const schemas = schemasOf([Whole], 3);
    assert.deepEqual(
      [...schemas.keys()].sort(),
      [
        'io.k8s.api.apps.v1.Whole',
        'io.k8s.api.core.v1.Part',
        'io.k8s.apimachinery.pkg.api.resource.Quantity',
        'io.k8s.apimachinery.pkg.apis.meta.v1.Time',
        'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
        'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.Either',
      ].sort(),
    );
    assert.equal(schemas.get('io.k8s.api.core.v1.Part')?.['x-kubernetes-map-type'], 'atomic');
    assert.deepEqual(schemas.get('io.k8s.apimachinery.pkg.util.intstr.IntOrString'), {
      oneOf: [{ type: 'integer' }, { type: 'string' }],
      format: 'int-or-string',
    });
  });

  it('OpenAPI version 3 of built-in types is empty for types with their own unmarshaler', () => {
    assert.deepEqual(schemaOf(Either, 3), {});
  });
});

describe('OpenAPI version 2 of built-in types', () => {
  it('OpenAPI version 2 of built-in types has plain references and no defaults', () => {
    const schema = schemaOf(Whole, 2);
    const properties = schema['properties'] as Record<string, unknown>;
    assert.deepEqual(properties['part'], { $ref: '#/io.k8s.api.core.v1.Part' });
    assert.deepEqual(properties['count'], { type: 'integer', format: 'int32' });
    assert.deepEqual(properties['byName'], {
      type: 'object',
      additionalProperties: { $ref: '#/io.k8s.api.core.v1.Part' },
      'x-kubernetes-map-type': 'granular',
    });
    assert.equal(JSON.stringify(schema).includes('"default"'), false);
    const leaf = schemasOf([Part], 2).get('io.k8s.apimachinery.pkg.util.intstr.IntOrString');
    assert.deepEqual(leaf, { type: 'string', format: 'int-or-string' });
  });
});

it('an OpenAPI type name begins with the Go module of the type', () => {
  const names: [string, string][] = [
    ['core/v1.Pod', 'io.k8s.api.core.v1.Pod'],
    ['meta/v1.ObjectMeta', 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'],
    ['apiextensions/v1.JSON', 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON'],
    ['apiregistration/v1.APIService', 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService'],
  ];
  for (const [name, published] of names) assert.equal(publishedName(name), published);
});
