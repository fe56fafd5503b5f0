import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrorBody } from '../../api/errors.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { validateListTypes } from './list-types.ts';
import { SchemaPart } from './schema-part.ts';
import { validateValue } from './validation.ts';

function faults(schema: JsonObject, value: Json, previous?: Json): string[] {
  return validateValue(value, new SchemaPart(schema), { previous }).map(
    (error) => `${error.field}: ${fieldErrorBody(error)}`,
  );
}

/** An object whose member `f` has the schema. */
function ofMember(schema: JsonObject): JsonObject {
  return { type: 'object', properties: { f: schema } };
}

const REFUSED: readonly [string, JsonObject, Json, string[]][] = [
  ['a wrong type', { type: 'string' }, 1, ['f: Invalid value: "integer": f in body must be of type string: "integer"']],
  [
    'an int-or-string that is neither',
    { 'x-kubernetes-int-or-string': true },
    true,
    ['f: Invalid value: "boolean": f in body must be of type integer,string: "boolean"'],
  ],
  [
    'a fraction for an integer',
    { type: 'integer' },
    1.5,
    ['f: Invalid value: "number": f in body must be of type integer: "number"'],
  ],
  [
    'an integer of more than 64 bits',
    { type: 'integer' },
    2n ** 63n,
    ['f: Invalid value: "number": f in body must be of type integer: "number"'],
  ],
  ['a null', { type: 'string' }, null, ['f: Invalid value: "null": f in body must be of type string: "null"']],
  [
    'a number below minimum',
    { type: 'integer', minimum: 1 },
    0,
    ['f: Invalid value: 0: f in body should be greater than or equal to 1'],
  ],
  [
    'a number at exclusiveMaximum',
    { type: 'number', maximum: 1.5, exclusiveMaximum: true },
    1.5,
    ['f: Invalid value: 1.5: f in body should be less than 1.5'],
  ],
  [
    'a number above a large maximum',
    { type: 'number', maximum: 1e6 },
    1e6 + 0.5,
    ['f: Invalid value: 1.0000005e+06: f in body should be less than or equal to 1e+06'],
  ],
  [
    'a number that breaks multipleOf',
    { type: 'number', multipleOf: 0.1 },
    0.25,
    ['f: Invalid value: 0.25: f in body should be a multiple of 0.1'],
  ],
  [
    'a string that breaks maxLength, reported first',
    { type: 'string', maxLength: 1, pattern: '^a' },
    'éé',
    ['f: Too long: may not be more than 1 byte'],
  ],
  [
    'a string that breaks the pattern',
    { type: 'string', pattern: '^[[:lower:]]+$' },
    'A',
    [`f: Invalid value: "A": f in body should match '^[[:lower:]]+$'`],
  ],
  [
    'a value outside of the enum',
    { type: 'integer', enum: [1, 2] },
    3,
    ['f: Unsupported value: 3: supported values: "1", "2"'],
  ],
  [
    'a list that breaks maxItems',
    { type: 'array', items: { type: 'string' }, maxItems: 1 },
    ['a', 'b'],
    ['f: Too many: 2: must have at most 1 item'],
  ],
  [
    'an invalid item',
    { type: 'array', items: { type: 'string' } },
    ['a', 1],
    ['f[1]: Invalid value: "integer": f[1] in body must be of type string: "integer"'],
  ],
  ['a missing required member', { type: 'object', required: ['a'] }, {}, ['f.a: Required value']],
  [
    'an invalid value of a map',
    { type: 'object', additionalProperties: { type: 'integer' } },
    { one: 'x' },
    ['f.one: Invalid value: "string": f.one in body must be of type integer: "string"'],
  ],
  [
    'a value that matches none of anyOf',
    { type: 'string', anyOf: [{ pattern: '^a' }, { minLength: 5 }] },
    'bcd',
    [
      '<nil>: Invalid value: "": "f" must validate at least one schema (anyOf)',
      `f: Invalid value: "bcd": f in body should match '^a'`,
    ],
  ],
  [
    'a value that matches several of oneOf',
    { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    { a: 1, b: 1 },
    ['<nil>: Invalid value: "": "f" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
  ],
  [
    'a value that breaks one of allOf',
    { type: 'string', allOf: [{ pattern: '^a' }, { maxLength: 3 }] },
    'abcd',
    [
      'f: Too long: may not be more than 3 bytes',
      '<nil>: Invalid value: "": "f" must validate all the schemas (allOf)',
    ],
  ],
  [
    'a value that matches not',
    { type: 'integer', not: { minimum: 5 } },
    5,
    ['<nil>: Invalid value: "": "f" must not validate the schema (not)'],
  ],
  [
    'the same error in two schemas',
    { type: 'string', allOf: [{ enum: ['a', 'b'] }, { enum: ['a', 'b'] }] },
    'c',
    [
      'f: Unsupported value: "c": supported values: "a", "b"',
      '<nil>: Invalid value: "": "f" must validate all the schemas (allOf). None validated',
    ],
  ],
  ...[249999999.5, -500000001.5, 0.5].map((value): [string, JsonObject, Json, string[]] => [
    `a fraction: ${value}`,
    { type: 'integer' },
    value,
    ['f: Invalid value: "number": f in body must be of type integer: "number"'],
  ]),
  [
    'a string that breaks the format',
    { type: 'string', format: 'ipv4' },
    '256.0.0.1',
    ['f: Invalid value: "256.0.0.1": f in body must be of type ipv4: "256.0.0.1"'],
  ],
];

for (const [what, schema, value, expected] of REFUSED) {
  test(`a value of a custom resource is rejected for ${what}`, () => {
    assert.deepEqual(faults(ofMember(schema), { f: value }), expected);
  });
}

const ACCEPTED: readonly [string, JsonObject, Json][] = [
  ['null where it is nullable', { type: 'string', nullable: true }, null],
  ['an integer as a number', { type: 'number' }, 5],
  ['a number with a negligible fraction as an integer', { type: 'integer' }, 250000001.5],
  ['the largest integer', { type: 'integer' }, 2n ** 63n - 1n],
  ['a number with a format that only strings have', { type: 'integer', format: 'date' }, 5],
  ['a string with an unknown format', { type: 'string', format: 'phone' }, '***'],
  ['a multiple, except for the last digits', { type: 'number', multipleOf: 0.1 }, 0.3],
  ['the maximum length in characters', { type: 'string', maxLength: 1 }, '😀'],
  ['anything', { 'x-kubernetes-preserve-unknown-fields': true }, [1, { a: null }]],
];

for (const [what, schema, value] of ACCEPTED) {
  test(`a value of a custom resource is accepted: ${what}`, () => {
    assert.deepEqual(faults(ofMember(schema), { f: value }), []);
  });
}

test('an error in a part of an object has its full path as field, and the relative one in its message', () => {
  const [error] = validateValue(
    { ready: 'x' },
    new SchemaPart({ type: 'object', properties: { ready: { type: 'integer' } } }),
    {
      field: 'status',
    },
  );
  assert.equal(error?.field, 'status.ready');
  assert.match(error?.detail ?? '', /^ready in body/);
});

test('ratcheting accepts an invalid value that an update leaves unchanged', () => {
  const item = { type: 'object', properties: { k: { type: 'string' }, v: { type: 'string', maxLength: 2 } } };
  const keyed = { type: 'array', items: item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
  const plain = { type: 'array', items: { type: 'string', maxLength: 2 } };
  const schema = { type: 'object', properties: { a: { type: 'string', maxLength: 2 }, keyed, plain } };
  const old = { a: 'long', keyed: [{ k: 'x', v: 'long' }], plain: ['long', 'ok'] };
  assert.deepEqual(faults(schema, { ...old, more: 1 }, old), []);
  assert.equal(faults(schema, { ...old, a: 'other' }, old).length, 1);
  const moved = {
    ...old,
    keyed: [
      { k: 'y', v: 'ok' },
      { k: 'x', v: 'long' },
    ],
  };
  assert.deepEqual(faults(schema, moved, old), [], 'items of keyed lists are found by their keys');
  assert.deepEqual(faults(schema, { ...old, plain: ['long', 'no'] }, old).length, 1, 'plain lists are wholes');
});

test('ratcheting does not apply to an unchanged item that lacks a key of its list', () => {
  const item = {
    type: 'object',
    required: ['name', 'id'],
    properties: { name: { type: 'string' }, id: { type: 'string' } },
  };
  const list = {
    type: 'array',
    items: item,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name', 'id'],
  };
  const schema = { type: 'object', properties: { list } };
  const old = { list: [{ name: 'a' }] };
  const next = { list: [{ name: 'a' }, { name: 'a', id: 'b' }] };
  assert.deepEqual(faults(schema, next, old), ['list[0].id: Required value']);
});

test('ratcheting of an atomic map accepts the members that an update leaves unchanged', () => {
  const text = { type: 'string', maxLength: 2 };
  const map = { type: 'object', properties: { a: text, b: text }, 'x-kubernetes-map-type': 'atomic' };
  const schema = { type: 'object', properties: { map } };
  const old = { map: { a: 'long', b: 'b' } };
  assert.deepEqual(faults(schema, { map: { a: 'long', b: 'c' } }, old), []);
  assert.equal(faults(schema, { map: { a: 'other', b: 'c' } }, old).length, 1);
});

test('ratcheting does not apply to unchanged members within anyOf, oneOf, allOf and not', () => {
  const members = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' } } };
  const pattern = { properties: { b: { pattern: '^x' } } };
  const previous = { a: 1, b: 'y' };
  for (const [key, told] of [
    ['allOf', 'must validate all the schemas (allOf). None validated'],
    ['anyOf', 'must validate at least one schema (anyOf)'],
    ['oneOf', 'must validate one and only one schema (oneOf). Found none valid'],
  ] as const) {
    const schema = { ...members, [key]: [pattern] };
    const found = faults(schema, { a: 2, b: 'y' }, previous);
    assert.ok(
      found.some((each) => each.includes(told)),
      `${key}: ${found.join()}`,
    );
    assert.ok(
      found.some((each) => each.includes("should match '^x'")),
      `${key}: ${found.join()}`,
    );
    assert.deepEqual(faults(schema, previous, previous), []);
  }
  // What the branch refuses makes "not" hold, whether it is new or was there.
  assert.deepEqual(faults({ ...members, not: pattern }, { a: 2, b: 'y' }, previous), []);
});

test('a member that becomes required is reported only when its object changes', () => {
  const part = { type: 'object', required: ['y'], properties: { x: { type: 'string' }, y: { type: 'string' } } };
  const schema = { type: 'object', properties: { part, other: { type: 'string' } } };
  const old = { part: { x: '1' } };
  assert.deepEqual(faults(schema, { part: { x: '1' }, other: 'a' }, old), []);
  assert.deepEqual(faults(schema, { part: { x: '2' } }, old), ['part.y: Required value']);
});

test('duplicates in sets and in lists of type map are rejected', () => {
  const ports = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port', 'protocol'],
    items: { type: 'object', properties: { port: { type: 'integer' }, protocol: { type: 'string' } } },
  };
  const set = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } };
  const part = new SchemaPart({ type: 'object', properties: { ports, set } });
  const port = { port: 80, protocol: 'TCP' };
  const found = validateListTypes({ ports: [port, { ...port, name: 'b' }], set: ['a', 'b', 'a'] }, part);
  assert.deepEqual(
    found.map(({ field, value }) => [field, value]),
    [
      ['ports[1]', port],
      ['set[2]', 'a'],
    ],
  );
});

test('items without keys in a list of type map equal one another, and no item with a key', () => {
  const items = { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer' } } };
  const keyed = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items };
  const part = new SchemaPart({ type: 'object', properties: { keyed } });
  const list = [{ name: 'a' }, {}, { name: '{}' }, { size: 1 }, { name: 'b' }, { name: 'a', size: 2 }];
  const found = validateListTypes({ keyed: list }, part);
  assert.deepEqual(
    found.map(({ field, value }) => [field, value]),
    [
      ['keyed[3]', {}],
      ['keyed[5]', { name: 'a' }],
    ],
  );
});

const KEYED: JsonObject = {
  type: 'array',
  maxItems: 1,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
  items: {
    type: 'object',
    required: ['k'],
    properties: { k: { type: 'string' }, v: { type: 'string', maxLength: 1 } },
  },
};

test('ratcheting compares items of a list of type map by key, and duplicates with the first', () => {
  const list = [{ k: 'a' }, { k: 'b' }];
  assert.deepEqual(faults(ofMember(KEYED), { f: list.toReversed() }, { f: list }), []);
  const twice = [
    { k: 'a', v: 'long' },
    { k: 'a', v: 'other' },
  ];
  assert.deepEqual(faults(ofMember(KEYED), { f: twice }, { f: twice }), [
    'f[1].v: Too long: may not be more than 1 byte',
    'f: Too many: 2: must have at most 1 item',
  ]);
});

test('ratcheting takes values without a schema as changed', () => {
  const open = { type: 'object', maxProperties: 1, 'x-kubernetes-preserve-unknown-fields': true };
  const value = { f: { known: 1, unknown: 2 } };
  const schema = ofMember({ ...open, properties: { known: { type: 'integer' } } });
  assert.deepEqual(faults(schema, value, value), ['f: Too many: 2: must have at most 1 item']);
});
