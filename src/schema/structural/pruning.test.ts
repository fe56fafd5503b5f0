import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../../api/object.ts';
import { limits } from '../../base/limits.ts';
import { atOnce } from '../../base/steps.ts';
import { fillingDefaults } from './defaulting.ts';
import { prune, pruningNulls } from './pruning.ts';
import { SchemaPart } from './schema-part.ts';

const TEXT = { type: 'string' };
const OPEN = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const CASES: readonly { what: string; schema: JsonObject; value: Json; kept: Json; gone: string[] }[] = [
  {
    what: 'members that are not declared, at every depth',
    schema: { type: 'object', properties: { a: TEXT, in: { type: 'object', properties: { b: TEXT } } } },
    value: { a: 'x', z: 1, in: { b: 'y', z: {} } },
    kept: { a: 'x', in: { b: 'y' } },
    gone: ['in.z', 'z'],
  },
  {
    what: 'in items and in values of maps',
    schema: {
      type: 'object',
      properties: {
        items: { type: 'array', items: { type: 'object', properties: { d: TEXT } } },
        named: { type: 'object', additionalProperties: { type: 'object', properties: { e: TEXT } } },
      },
    },
    value: { items: [{ d: 'x' }, { z: 1 }], named: { one: { z: 1 } } },
    kept: { items: [{ d: 'x' }, {}], named: { one: {} } },
    gone: ['items[1].z', 'named.one.z'],
  },
  {
    what: 'all members of an object of which nothing is declared',
    schema: { type: 'object', properties: { bare: { type: 'object' } } },
    value: { bare: { z: { y: 1 } } },
    kept: { bare: {} },
    gone: ['bare.z'],
  },
  {
    what: 'known members within what keeps all others',
    schema: { ...OPEN, properties: { known: { type: 'object', properties: { a: TEXT } } } },
    value: { known: { a: 'x', z: 1 }, other: { z: [null] } },
    kept: { known: { a: 'x' }, other: { z: [null] } },
    gone: ['known.z'],
  },
  {
    what: 'all but kind, apiVersion and metadata of an embedded object',
    schema: {
      type: 'object',
      properties: { template: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { a: TEXT } } },
    },
    value: { template: { kind: 'K', apiVersion: 'v1', metadata: { name: 'x' }, a: 'y', z: 1 } },
    kept: { template: { kind: 'K', apiVersion: 'v1', metadata: { name: 'x' }, a: 'y' } },
    gone: ['template.z'],
  },
];

for (const { what, schema, value, kept, gone } of CASES) {
  test(`pruning removes ${what}`, () => {
    const pruned = structuredClone(value);
    assert.deepEqual(prune(pruned, new SchemaPart(schema), false), gone);
    assert.deepEqual(pruned, kept);
  });
}

test('a member named __proto__ is kept or pruned like any other', () => {
  const value = JSON.parse('{"__proto__": {"a": 1}, "b": "x"}');
  assert.deepEqual(prune(value, new SchemaPart({ type: 'object', properties: { b: TEXT } }), false), ['__proto__']);
  assert.deepEqual(Object.keys(value), ['b']);
});

const DEFAULTED = {
  type: 'object',
  properties: {
    mode: { type: 'string', default: 'auto' },
    maybe: { type: 'string', nullable: true, default: 'x' },
    plain: TEXT,
    limits: { type: 'object', default: {}, properties: { cpu: { type: 'string', default: '1' } } },
    probe: { type: 'object', properties: { path: { type: 'string', default: '/healthz' } } },
    ports: { type: 'array', items: { type: 'object', properties: { protocol: { type: 'string', default: 'TCP' } } } },
    named: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { weight: { type: 'integer', default: 1 } } },
    },
  },
};

const FILLED: readonly [string, JsonObject, JsonObject][] = [
  ['missing members', {}, { mode: 'auto', maybe: 'x', limits: { cpu: '1' } }],
  [
    'null members that are not nullable',
    { mode: null, plain: null, limits: null },
    { mode: 'auto', maybe: 'x', limits: { cpu: '1' } },
  ],
  ['no null members that are nullable', { maybe: null }, { mode: 'auto', maybe: null, limits: { cpu: '1' } }],
  [
    'existing objects, items and values of maps',
    { probe: {}, ports: [{}, { protocol: 'UDP' }], named: { one: {} } },
    {
      mode: 'auto',
      maybe: 'x',
      limits: { cpu: '1' },
      probe: { path: '/healthz' },
      ports: [{ protocol: 'TCP' }, { protocol: 'UDP' }],
      named: { one: { weight: 1 } },
    },
  ],
];

for (const [what, value, expected] of FILLED) {
  test(`defaults of a structural schema fill in ${what}`, () => {
    const part = new SchemaPart(DEFAULTED);
    const filled = structuredClone(value);
    atOnce(pruningNulls(filled, part));
    atOnce(fillingDefaults(filled, part));
    assert.deepEqual(filled, expected);
  });
}

test('defaults of a structural schema are copied, not shared', () => {
  const part = new SchemaPart(DEFAULTED);
  const [one, other]: JsonObject[] = [{}, {}];
  atOnce(fillingDefaults(one as JsonObject, part));
  atOnce(fillingDefaults(other as JsonObject, part));
  assert.notEqual(one?.['limits'], other?.['limits']);
});

test('defaults of a structural schema cannot make an object too large to be stored', () => {
  const part = new SchemaPart({
    type: 'object',
    properties: {
      list: {
        type: 'array',
        items: { type: 'object', properties: { text: { type: 'string', default: 'x'.repeat(1_000) } } },
      },
    },
  });
  const most = Math.floor(limits.defaultedCharacters / 1_006);
  const listOf = (count: number) => ({ list: Array.from({ length: count }, () => ({})) });
  assert.ok(atOnce(fillingDefaults(listOf(most), part)));
  assert.throws(() => atOnce(fillingDefaults(listOf(most + 1), part)), { code: 413 });
});

test('members that are undefined are absent, and not unknown', () => {
  const part = new SchemaPart({ type: 'object', properties: { a: { type: 'object', properties: {} } } });
  const value = { a: { b: undefined, c: 1 } } as unknown as JsonObject;
  assert.deepEqual(prune(value, part, false), ['a.c']);
  assert.equal(JSON.stringify(value), '{"a":{}}');
});
