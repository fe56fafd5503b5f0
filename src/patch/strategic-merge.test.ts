import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { a, abc, b, c, strategicMergeOf } from '../../test/strategic-merge.ts';
import type { JsonObject } from '../api/object.ts';
import { bool, inline, int32, json, list, map, pointer, string, struct } from '../schema/build.ts';
import { applyStrategicMergePatch } from './strategic-merge.ts';

const Variable = struct('test.Variable', () => ({ name: string(1).always(), value: string(2), from: json(3) }));
const Port = struct('test.Port', () => ({ number: int32(1).always(), name: string(2) }));
const Part = struct('test.Part', () => ({
  name: string(1).always(),
  image: string(2),
  args: list(3, 'string').atomic(),
  variables: list(4, Variable).mergedBy('name'),
  ports: list(5, Port).mergedBy('number'),
  limits: map(6, 'quantity'),
}));
const Strategy = struct('test.Strategy', () => ({ type: string(1), rolling: map(2, 'intOrString') }));
const Common = struct('test.Common', () => ({ finalizers: list(1, 'string').patchStrategy('merge') }));
const Machine = struct('test.Machine', () => ({
  common: inline(0, Common),
  size: int32(1),
  paused: bool(2),
  labels: map(3, 'string'),
  parts: list(4, Part).mergedBy('name'),
  rules: list(6, Variable).atomic(),
  whole: pointer(8, Strategy).patchStrategy('replace'),
  byName: map(9, Part),
  raw: json(10),
}));

const { merged, refused, table } = strategicMergeOf(Machine);

describe('members of a strategic merge patch', () => {
  table([
    ['are set, changed and removed', { size: 1, paused: true }, { size: 2, paused: null, raw: 1 }, { size: 2, raw: 1 }],
    [
      'of maps are set and removed',
      { labels: { x: '1', y: '2' } },
      { labels: { x: null, z: '3' } },
      { labels: { y: '2', z: '3' } },
    ],
    ['with null remove a whole list', abc, { parts: null }, {}],
    [
      'of a new object are without nulls, also in items of lists',
      {},
      { parts: [{ name: 'a', image: null }], labels: { x: null } },
      { parts: [{ name: 'a' }], labels: {} },
    ],
    ['keep null items of new lists', {}, { parts: [null] }, { parts: [null] }],
    ['of another type are replaced', { parts: [a] }, { parts: { name: 'a' } }, { parts: { name: 'a' } }],
    ['with null in the object are replaced', { labels: null }, { labels: { x: '1', y: null } }, { labels: { x: '1' } }],
    [
      'with the strategy replace are replaced',
      { whole: { type: 'a', rolling: {} } },
      { whole: { type: 'b' } },
      { whole: { type: 'b' } },
    ],
    [
      'of a map with values are merged',
      { byName: { p: a, q: b } },
      { byName: { p: { variables: [{ name: 'X', value: '9' }] } } },
      {
        byName: {
          p: {
            ...a,
            variables: [
              { name: 'X', value: '9' },
              { name: 'Y', value: '2' },
            ],
          },
          q: b,
        },
      },
    ],
    [
      'without a type are replaced',
      { raw: { x: { l: 1 }, k: 1 } },
      { raw: { x: 2, y: { m: [1] } } },
      { raw: { x: 2, y: { m: [1] }, k: 1 } },
    ],
    [
      'that are unknown are added and replaced',
      { zone: 1 },
      { zone: { q: 2 }, lost: [1] },
      { zone: { q: 2 }, lost: [1] },
    ],
    [
      'named like unknown directives are ordinary ones',
      { labels: {} },
      { labels: { $other: 'x' } },
      { labels: { $other: 'x' } },
    ],
    [
      'named like JavaScript members are ordinary ones',
      {},
      { raw: { constructor: 1 } },
      { raw: { constructor: 1 } as unknown as JsonObject },
    ],
  ]);

  it('members of a strategic merge patch named __proto__ are ordinary ones', () => {
    const document = JSON.parse('{"labels":{"__proto__":"1","x":"2"}}') as JsonObject;
    const patch = JSON.parse('{"labels":{"__proto__":"3"},"raw":{"__proto__":{"y":null,"__proto__":4}}}') as JsonObject;
    assert.equal(
      JSON.stringify(applyStrategicMergePatch(document, patch, Machine)),
      '{"labels":{"__proto__":"3","x":"2"},"raw":{"__proto__":{"__proto__":4}}}',
    );
  });

  it('members of a strategic merge patch that do not change are shared with the original object', () => {
    const result = applyStrategicMergePatch({ ...abc, labels: {} }, { parts: [{ name: 'b', image: 'b:2' }] }, Machine);
    assert.equal((result['parts'] as unknown[])[0], a);
    assert.equal(applyStrategicMergePatch(abc, {}, Machine), abc);
  });
});

describe('lists with a merge key in a strategic merge patch', () => {
  table([
    [
      'change an item in its place',
      abc,
      { parts: [{ name: 'b', image: 'b:2' }] },
      { parts: [a, { name: 'b', image: 'b:2' }, c] },
    ],
    [
      'merge lists of items',
      { parts: [a] },
      { parts: [{ name: 'a', variables: [{ name: 'Y', value: '3' }] }] },
      {
        parts: [
          {
            ...a,
            variables: [
              { name: 'X', value: '1' },
              { name: 'Y', value: '3' },
            ],
          },
        ],
      },
    ],
    ['put new items before unchanged ones', { parts: [b, c] }, { parts: [a] }, { parts: [a, b, c] }],
    [
      'keep the order of the patch',
      abc,
      { parts: [{ name: 'c' }, { name: 'd' }, { name: 'a' }] },
      { parts: [b, c, { name: 'd' }, a] },
    ],
    [
      'put a new item after a live one that precedes it in the patch',
      abc,
      { parts: [{ name: 'b' }, { name: 'd' }] },
      { parts: [a, b, { name: 'd' }, c] },
    ],
    ['are added where there was none', {}, { parts: [b] }, { parts: [b] }],
    ['stay empty', { parts: [] }, { parts: [] }, { parts: [] }],
    ['remove nothing from an empty list', abc, { parts: [] }, abc],
    [
      'merge items that the patch has twice',
      { parts: [c] },
      {
        parts: [
          { name: 'd', image: '1' },
          { name: 'd', args: ['x'] },
        ],
      },
      { parts: [{ name: 'd', image: '1', args: ['x'] }, c] },
    ],
    [
      'merge into the first of several live items with the same key',
      { parts: [b, { name: 'b' }] },
      { parts: [{ name: 'b', image: '2' }] },
      { parts: [{ name: 'b', image: '2' }, { name: 'b' }] },
    ],
    [
      'may have numbers as keys',
      { parts: [{ ports: [{ number: 80 }, { number: 443 }], name: 'a' }] },
      { parts: [{ name: 'a', ports: [{ number: 443, name: 'tls' }] }] },
      { parts: [{ ports: [{ number: 80 }, { number: 443, name: 'tls' }], name: 'a' }] },
    ],
    [
      'add new items unchanged',
      { parts: [b] },
      {
        parts: [
          { name: 'd', image: null, variables: [{ name: 'X', $patch: 'delete' }], '$setElementOrder/variables': [] },
        ],
      },
      {
        parts: [
          { name: 'd', image: null, variables: [{ name: 'X', $patch: 'delete' }], '$setElementOrder/variables': [] },
          b,
        ],
      },
    ],
    [
      'are replaced without the strategy merge',
      { rules: [{ name: 'X' }] },
      { rules: [{ name: 'Y', value: null }] },
      { rules: [{ name: 'Y', value: null }] },
    ],
    [
      'of scalars are replaced without the strategy merge',
      { parts: [{ name: 'a', args: ['x'] }] },
      { parts: [{ name: 'a', args: [] }] },
      { parts: [{ name: 'a', args: [] }] },
    ],
  ]);
});

describe('lists of scalars in a strategic merge patch', () => {
  table([
    ['are merged as sets', { finalizers: ['a', 'b'] }, { finalizers: ['c', 'a'] }, { finalizers: ['c', 'a', 'b'] }],
    ['hold each scalar once', { finalizers: ['a', 'b', 'a'] }, { finalizers: ['b', 'b'] }, { finalizers: ['a', 'b'] }],
    [
      'lose deleted items',
      { finalizers: ['a', 'b', 'c'] },
      { '$deleteFromPrimitiveList/finalizers': ['b', 'x'] },
      { finalizers: ['a', 'c'] },
    ],
    [
      'lose deleted items whatever their strategy',
      { parts: [{ name: 'a', args: ['x', 'y', 'x'] }] },
      { parts: [{ name: 'a', '$deleteFromPrimitiveList/args': ['x'] }] },
      { parts: [{ name: 'a', args: ['y'] }] },
    ],
    [
      'lose and gain items at once',
      { finalizers: ['a', 'b'] },
      { '$deleteFromPrimitiveList/finalizers': ['a'], finalizers: ['c'] },
      { finalizers: ['c', 'b'] },
    ],
    [
      'ignore deletions from fields that are absent or no lists',
      { size: 1 },
      { '$deleteFromPrimitiveList/size': ['1'], '$deleteFromPrimitiveList/finalizers': ['x'] },
      { size: 1 },
    ],
    [
      'ignore deletions that are not lists',
      { finalizers: ['a'] },
      { '$deleteFromPrimitiveList/finalizers': 'a' },
      { finalizers: ['a'] },
    ],
    ['are removed by null', { finalizers: ['a'] }, { '$deleteFromPrimitiveList/finalizers': null }, {}],
  ]);
});

describe('parsing of a strategic merge patch', () => {
  it('parsing of a strategic merge patch takes null as a patch that changes nothing', () =>
    assert.deepEqual(merged({ size: 1 }, null), { size: 1 }));

  for (const value of [[], 'text', 7, false]) {
    it(`parsing of a strategic merge patch rejects ${JSON.stringify(value)}`, () => {
      const { code, reason } = refused({}, value);
      assert.deepEqual({ code, reason }, { code: 400, reason: 'BadRequest' });
    });
  }
});
