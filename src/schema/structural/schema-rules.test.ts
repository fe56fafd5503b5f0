import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldError } from '../../api/errors.ts';
import type { JsonObject } from '../../api/object.ts';
import { deniesUnknownFields, isIncomprehensible, schemaErrors } from './schema-rules.ts';
import { structuralErrors } from './structural-rules.ts';

/** A schema whose spec has one member. */
function around(member: JsonObject): JsonObject {
  return { type: 'object', properties: { spec: { type: 'object', properties: { f: member } } } };
}

const F = 's.properties[spec].properties[f]';
const said = (errors: readonly FieldError[]) => errors.map(({ field, detail }) => `${field}: ${detail}`);

const NOT_STRUCTURAL: readonly [string, JsonObject, string[]][] = [
  ['a missing type', {}, [`${F}.type: must not be empty for specified object fields`]],
  ['a list without items', { type: 'array' }, [`${F}.items: must be specified`]],
  [
    'items without a type',
    { type: 'array', items: {} },
    [`${F}.items.type: must not be empty for specified array items`],
  ],
  [
    'a type within anyOf',
    { type: 'string', anyOf: [{ type: 'string' }] },
    [`${F}.anyOf[0].type: must be empty to be structural`],
  ],
  [
    'a default within anyOf',
    { type: 'string', not: { default: 'a' } },
    [`${F}.not.default: must be undefined to be structural`],
  ],
  [
    'preserved unknown fields of an int-or-string',
    { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true },
    [`${F}.x-kubernetes-preserve-unknown-fields: must be false if x-kubernetes-int-or-string is true`],
  ],
  [
    'an embedded resource that is a list',
    { type: 'array', items: { type: 'string' }, 'x-kubernetes-embedded-resource': true },
    [
      `${F}.properties: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
      `${F}.type: must be object if x-kubernetes-embedded-resource is true`,
    ],
  ],
];

for (const [what, member, expected] of NOT_STRUCTURAL) {
  test(`a schema is not structural with ${what}`, () => {
    assert.deepEqual(said(structuralErrors(around(member), 's')), expected);
  });
}

test('anyOf that repeats int-or-string is structural', () => {
  const both = [{ type: 'integer' }, { type: 'string' }];
  assert.deepEqual(structuralErrors(around({ 'x-kubernetes-int-or-string': true, anyOf: both }), 's'), []);
  const member = { 'x-kubernetes-int-or-string': true, allOf: [{ anyOf: both }, { maxLength: 4 }] };
  assert.deepEqual(structuralErrors(around(member), 's'), []);
  assert.deepEqual(structuralErrors(around({ type: 'object', anyOf: both }), 's'), [], 'nor without saying so');
});

test('an anyOf at the root may only name declared properties', () => {
  const schema = { ...around({ type: 'string' }), anyOf: [{ properties: { status: { minProperties: 1 } } }] };
  assert.deepEqual(said(structuralErrors(schema, 's')), [
    's.properties[status]: because it is defined in s.anyOf[0].properties[status]',
  ]);
});

test('the schema of metadata may only restrict name and generateName', () => {
  const names = { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } };
  assert.deepEqual(structuralErrors({ type: 'object', properties: { metadata: names } }, 's'), []);
  const ignored = { ...names, externalDocs: { url: 'https://example.com' }, example: {}, definitions: {}, enum: [] };
  assert.deepEqual(structuralErrors({ type: 'object', properties: { metadata: ignored } }, 's'), []);
  const labels = { type: 'object', properties: { labels: { type: 'object' } } };
  assert.equal(structuralErrors({ type: 'object', properties: { metadata: labels } }, 's').length, 1);
});

test('x-kubernetes-preserve-unknown-fields: false is found at any depth', () => {
  const denies = { type: 'object', 'x-kubernetes-preserve-unknown-fields': false };
  const schemas: JsonObject[] = [
    denies,
    { type: 'array', items: denies },
    { type: 'object', anyOf: [{ not: denies }] },
  ];
  for (const schema of schemas) assert.equal(deniesUnknownFields(around(schema)), true, JSON.stringify(schema));
  assert.equal(deniesUnknownFields(around({ ...denies, 'x-kubernetes-preserve-unknown-fields': true })), false);
});

test('a schema with the type null can be validated, and one with unknown keywords cannot', () => {
  assert.equal(isIncomprehensible({ type: 'object', anyOf: [{ type: 'null' }] }), false);
  assert.equal(isIncomprehensible({ type: 'object', anyOf: [{ $ref: '#/a' }] }), true);
});

const REFUSED: readonly [string, JsonObject, string[]][] = [
  ['an empty $ref', { type: 'string', $ref: '' }, [`${F}.$ref: $ref is not supported`]],
  ['a $ref', { type: 'string', $ref: '#/a' }, [`${F}.$ref: $ref is not supported`]],
  [
    'the type null',
    { type: 'null' },
    [
      `${F}.type: supported values: "array", "boolean", "integer", "number", "object", "string"`,
      `${F}.type: type cannot be set to null, use nullable as an alternative`,
    ],
  ],
  [
    'uniqueItems',
    { type: 'array', uniqueItems: true },
    [`${F}.uniqueItems: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`],
  ],
  [
    'properties together with additionalProperties',
    { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
    [`${F}.additionalProperties: additionalProperties and properties are mutual exclusive`],
  ],
  [
    'an unknown list type',
    { type: 'array', 'x-kubernetes-list-type': 'bag' },
    [`${F}.x-kubernetes-list-type: supported values: "atomic", "set", "map"`],
  ],
  [
    'list map keys that are neither required nor defaulted',
    {
      type: 'array',
      items: { type: 'object', properties: { k: { type: 'string' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
    [
      `${F}.items.properties[k].default: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
    ],
  ],
  [
    'validation rules that cannot be parsed',
    {
      type: 'string',
      'x-kubernetes-validations': [
        { rule: ' ' },
        { rule: 'true', message: 'two\nlines' },
        { rule: 'true', fieldPath: '.missing' },
      ],
    },
    [
      `${F}.x-kubernetes-validations[0].rule: rule is not specified`,
      `${F}.x-kubernetes-validations[1].message: must not contain line breaks`,
      `${F}.x-kubernetes-validations[2].fieldPath: must be a valid path`,
    ],
  ],
  [
    'a keyword without a place in structural schemas, but not for a path of a rule beside it',
    {
      type: 'object',
      allOf: [{ properties: { a: { id: 'i' } } }],
      'x-kubernetes-validations': [{ rule: 'true', fieldPath: '.missing' }],
    },
    [`${F}.allOf[0].properties[a].id: id is not supported`],
  ],
];

for (const [what, member, expected] of REFUSED) {
  test(`a schema is rejected for ${what}`, () => {
    assert.deepEqual(said(schemaErrors(around(member), 's').errors), expected);
  });
}

test('an empty list of schemas for items is none, and a keyed list has one schema for its items', () => {
  const keyed = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
  const faults = (member: JsonObject) =>
    said([...schemaErrors(around(member), 's').errors, ...structuralErrors(around(member), 's')]);
  const single = `${F}.items: must only have a single schema if x-kubernetes-list-type is map`;
  assert.deepEqual(faults({ ...keyed, items: [] }), [single, `${F}.items: must be specified`]);
  assert.deepEqual(faults({ type: 'array', items: [] }), [`${F}.items: must be specified`]);
  const list = `${F}.items: items must be a schema object and not an array`;
  assert.deepEqual(said(schemaErrors(around({ ...keyed, items: [{ type: 'object' }] }), 's').errors), [list, single]);
});

test('an error about list map keys belongs to the list, not to its items', () => {
  const items = { type: 'object', properties: { k: { type: 'string' } } };
  const list = { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
  const { errors, faulty } = schemaErrors({ type: 'object', properties: { list, other: { type: 'object' } } }, 's');
  assert.equal(errors[0]?.field, 's.properties[list].items.properties[k].default');
  assert.deepEqual([...faulty].sort(), ['s', 's.properties[list]']);
});
