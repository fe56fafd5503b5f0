import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { a, abc, b, c, strategicMergeOf } from '../../test/strategic-merge.ts';
import type { JsonObject } from '../api/object.ts';
import { bool, embedded, int32, json, list, map, string, struct } from '../schema/build.ts';

const Variable = struct('test.Variable', () => ({ name: string(1).always(), value: string(2) }));
const Part = struct('test.Part', () => ({
  name: string(1).always(),
  image: string(2),
  args: list(3, 'string').atomic(),
  variables: list(4, Variable).mergedBy('name'),
}));
const Volume = struct('test.Volume', () => ({ name: string(1).always(), disk: json(2), secret: json(3) }));
const Strategy = struct('test.Strategy', () => ({ type: string(1), rolling: map(2, 'intOrString') }));
const Machine = struct('test.Machine', () => ({
  size: int32(1),
  paused: bool(2),
  labels: map(3, 'string'),
  finalizers: list(4, 'string').patchStrategy('merge'),
  parts: list(5, Part).mergedBy('name'),
  volumes: list(6, Volume).mergedBy('name', 'merge,retainKeys'),
  strategy: embedded(7, Strategy).patchStrategy('retainKeys'),
  raw: json(8),
  unkeyed: list(9, Variable).patchStrategy('merge'),
}));

const { merged, refused, table } = strategicMergeOf(Machine);

describe('the directive $patch', () => {
  table([
    [
      'delete removes an item, whether it exists or not',
      abc,
      {
        parts: [
          { $patch: 'delete', name: 'b' },
          { $patch: 'delete', name: 'x' },
        ],
      },
      { parts: [a, c] },
    ],
    [
      'delete removes every item with the key',
      { parts: [b, a, b] },
      { parts: [{ $patch: 'delete', name: 'b' }] },
      { parts: [a] },
    ],
    [
      'delete may have a change beside it',
      abc,
      {
        parts: [
          { $patch: 'delete', name: 'a' },
          { name: 'c', image: '2' },
        ],
      },
      { parts: [b, { name: 'c', image: '2' }] },
    ],
    [
      'delete of an item allows a new one in its place',
      { parts: [a, b] },
      {
        parts: [
          { $patch: 'delete', name: 'a' },
          { name: 'a', image: '9' },
        ],
      },
      { parts: [{ name: 'a', image: '9' }, b] },
    ],
    [
      'delete empties an object',
      { labels: { x: '1' }, strategy: { type: 'x' } },
      { labels: { $patch: 'delete', y: '1' } },
      { labels: {}, strategy: { type: 'x' } },
    ],
    ['delete of an absent field changes nothing', {}, { labels: { $patch: 'delete' } }, {}],
    ['replace replaces a list', abc, { parts: [{ $patch: 'replace' }, { name: 'd' }] }, { parts: [{ name: 'd' }] }],
    [
      'replace of a list drops every other directive',
      abc,
      { parts: [{ name: 'd' }, { $patch: 'replace' }, { $patch: 'delete', name: 'a' }] },
      { parts: [{ name: 'd' }] },
    ],
    [
      'replace in an item applies to the list, not the item',
      abc,
      { parts: [{ $patch: 'replace', name: 'a', image: '2' }] },
      { parts: [] },
    ],
    [
      'replace replaces an object',
      { labels: { x: '1' } },
      { labels: { $patch: 'replace', y: '2' } },
      { labels: { y: '2' } },
    ],
    [
      'is dropped for absent fields, whatever it is',
      {},
      { labels: { $patch: 'replace', y: '2' }, raw: { $patch: 'merge', l: [] } },
      {},
    ],
    [
      'is applied within new values, which keep other directives',
      {},
      { raw: { x: { $patch: 'swap' }, l: [{ $patch: 'delete' }, 1], $retainKeys: ['x'] } },
      { raw: { l: [1], $retainKeys: ['x'] } },
    ],
    ['replace applies at the top', { size: 1 }, { $patch: 'replace', paused: true }, { paused: true }],
    ['delete applies at the top', { size: 1 }, { $patch: 'delete' }, {}],
  ]);
});

describe('the directive $retainKeys', () => {
  table([
    [
      'removes fields that it does not name',
      { strategy: { type: 'Rolling', rolling: { x: 1 } } },
      { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
      { strategy: { type: 'Recreate' } },
    ],
    [
      'keeps and merges fields that it names',
      { strategy: { type: 'Rolling', rolling: { x: 1 } } },
      { strategy: { $retainKeys: ['type', 'rolling'], rolling: { y: 2 } } },
      { strategy: { type: 'Rolling', rolling: { x: 1, y: 2 } } },
    ],
    [
      'applies to items',
      { volumes: [{ name: 'v', disk: {} }] },
      { volumes: [{ $retainKeys: ['name', 'secret'], name: 'v', secret: {} }] },
      { volumes: [{ name: 'v', secret: {} }] },
    ],
    [
      'ignores nulls and list directives',
      { strategy: { type: 'x' } },
      { strategy: { $retainKeys: [], rolling: null, '$deleteFromPrimitiveList/x': ['a'] } },
      { strategy: {} },
    ],
  ]);

  for (const strategy of [{ $retainKeys: 'type' }, { $retainKeys: ['type'], rolling: {} }, { $retainKeys: null }]) {
    it(`the directive $retainKeys is rejected in ${JSON.stringify(strategy)}`, () => {
      const { code, reason, message } = refused({ strategy: { type: 'x' } }, { strategy });
      assert.deepEqual(
        { code, reason, message },
        { code: 400, reason: 'BadRequest', message: 'invalid patch format of retainKeys' },
      );
    });
  }
});

describe('the directive $setElementOrder', () => {
  const names = (...all: string[]) => all.map((name) => ({ name }));
  table([
    ['sorts a list without changing it', abc, { '$setElementOrder/parts': names('c', 'a') }, { parts: [b, c, a] }],
    ['sorts all items', abc, { '$setElementOrder/parts': names('c', 'b', 'a') }, { parts: [c, b, a] }],
    [
      'places new items',
      abc,
      { '$setElementOrder/parts': names('a', 'b', 'd', 'c'), parts: [{ name: 'd' }] },
      { parts: [a, b, { name: 'd' }, c] },
    ],
    [
      'leaves live items of other clients beside their neighbors',
      { parts: [...abc.parts, { name: 'd' }] },
      { '$setElementOrder/parts': names('x', 'b'), parts: names('x') },
      { parts: [{ name: 'x' }, a, b, c, { name: 'd' }] },
    ],
    [
      'ignores deleted items',
      abc,
      { '$setElementOrder/parts': names('c', 'b'), parts: [{ $patch: 'delete', name: 'a' }] },
      { parts: [c, b] },
    ],
    [
      'counts a new item as live in the place of one that is deleted',
      { parts: [a, b] },
      { '$setElementOrder/parts': names('x'), parts: [{ name: 'x' }, { $patch: 'delete', name: 'a' }] },
      { parts: [b, { name: 'x' }] },
    ],
    [
      'counts as many new items as live as are deleted',
      { parts: [a, b, c] },
      { '$setElementOrder/parts': names('y', 'x'), parts: [...names('y', 'x'), { $patch: 'delete', name: 'a' }] },
      { parts: [b, c, ...names('y', 'x')] },
    ],
    [
      'moves an item that is deleted and added again behind the others',
      { parts: [a, b] },
      { '$setElementOrder/parts': names('a'), parts: [{ $patch: 'delete', name: 'a' }, a] },
      { parts: [b, a] },
    ],
    [
      'sorts a new list',
      {},
      { '$setElementOrder/parts': names('b', 'a'), parts: [{ name: 'b' }, { $patch: 'delete', name: 'x' }] },
      { parts: [{ name: 'b' }] },
    ],
    ['changes nothing without the list', { size: 1 }, { '$setElementOrder/parts': names('a') }, { size: 1 }],
    [
      'sorts scalars',
      { finalizers: ['a', 'b'] },
      { '$setElementOrder/finalizers': ['c', 'b', 'a'], finalizers: ['c'] },
      { finalizers: ['c', 'b', 'a'] },
    ],
    [
      'sorts a list beside a deletion',
      { finalizers: ['a', 'b', 'x'] },
      { '$setElementOrder/finalizers': ['b', 'a'], '$deleteFromPrimitiveList/finalizers': ['x'] },
      { finalizers: ['b', 'a'] },
    ],
    [
      'keeps live items in their order and appends new ones if it is empty',
      { parts: [a, b] },
      { '$setElementOrder/parts': [], parts: [{ name: 'd' }, { name: 'b' }, { name: 'a' }] },
      { parts: [a, b, { name: 'd' }] },
    ],
    [
      'changes nothing if it is empty',
      { parts: [b] },
      { '$setElementOrder/parts': [], parts: [{ name: 'b', image: '2' }] },
      { parts: [{ name: 'b', image: '2' }] },
    ],
  ]);
});

describe('a strategic merge patch that cannot be applied', () => {
  const rows: [what: string, document: JsonObject, patch: JsonObject, message: RegExp][] = [
    ['for an item without its key', abc, { parts: [{ image: 'x' }] }, /does not contain declared merge key: name$/],
    [
      'for a nested item without its key',
      abc,
      { parts: [{ name: 'a', variables: [{ value: 'x' }] }] },
      /does not contain declared merge key: name$/,
    ],
    ['for a live item without its key', { parts: [{}] }, { parts: [b] }, /does not contain declared merge key: name$/],
    [
      'for a deletion without the key',
      abc,
      { parts: [{ $patch: 'delete' }] },
      /does not contain declared merge key: name$/,
    ],
    [
      'for a replacement without the key',
      abc,
      { parts: [{ $patch: 'replace' }, {}] },
      /does not contain declared merge key: name$/,
    ],
    [
      'for an unknown directive in a list',
      abc,
      { parts: [{ $patch: 'append', name: 'a' }] },
      /unknown patch type: append/,
    ],
    [
      'for a directive in a list that is not a string',
      abc,
      { parts: [{ $patch: 7, name: 'a' }] },
      /unknown patch type: 7 in map: map\[\$patch:7 name:a\]/,
    ],
    [
      'for the directive merge in a list',
      abc,
      { parts: [{ $patch: 'merge', name: 'a' }] },
      /^merging lists cannot yet be specified in the patch$/,
    ],
    [
      'for an unknown directive in an object',
      { labels: {} },
      { labels: { $patch: 'swap' } },
      /unknown patch type: swap/,
    ],
    [
      'for the directive merge in an object',
      { labels: {} },
      { labels: { $patch: 'merge' } },
      /unknown patch type: merge/,
    ],
    ['for the directive merge at the top', {}, { $patch: 'merge' }, /unknown patch type: merge/],
    [
      'for a string among objects',
      abc,
      { parts: ['a'] },
      /list element types are not identical: \[\[map\[.*\] \[a\]\]/s,
    ],
    [
      'for null among objects',
      abc,
      { parts: [null] },
      /list element types are not identical: \[\[map\[.*\] \[<nil>\]\]/s,
    ],
    [
      'for a fraction among integers',
      { parts: [{ name: 'a', args: [1] }] },
      { parts: [{ name: 'a', '$deleteFromPrimitiveList/args': [1.5] }] },
      /not identical: \[\[1\] \[1\.5\]\]/,
    ],
    ['for scalars in a list with a merge key', { parts: ['a'] }, { parts: ['b'] }, /expected a map/],
    [
      'for objects in a list without a merge key',
      { unkeyed: [{}] },
      { unkeyed: [{}] },
      /cannot merge lists without merge key/,
    ],
    [
      'for an order of strings for objects',
      abc,
      { '$setElementOrder/parts': ['a', 'b'] },
      /^value for key 0 is not a map$/,
    ],
    [
      'for a string after objects that are not in the list',
      abc,
      { '$setElementOrder/parts': [{ name: 'a' }, 'b'] },
      /^value for key 1 is not a map$/,
    ],
    [
      'for a string after all objects of the list',
      { parts: [a] },
      { '$setElementOrder/parts': [{ name: 'a' }, 'b'] },
      /expected a map.* received a string/,
    ],
    [
      'for an order of strings for objects of the patch',
      abc,
      { '$setElementOrder/parts': ['a'], parts: [a] },
      /expected a map.* received a string/,
    ],
    ['for an order of two empty lists', {}, { '$setElementOrder/parts': [], parts: [] }, /^no elements in any/],
    [
      'for an order without the key',
      abc,
      { '$setElementOrder/parts': [{ image: 'a' }] },
      /does not contain declared merge key: name$/,
    ],
    [
      'for an order that is not a list',
      abc,
      { '$setElementOrder/parts': 'a' },
      /expected a \[\]interface {}, but received a string/,
    ],
    ['for an order of a field that is not a list', { size: 1 }, { '$setElementOrder/size': [1] }, /received a int64/],
    [
      'for an order of a list that is removed',
      abc,
      { '$setElementOrder/parts': [{ name: 'a' }], parts: null },
      /received a %!s\(<nil>\)/,
    ],
    ['for an order of an unknown field', {}, { '$setElementOrder/none': [] }, /unable to find api field/],
    [
      'for an order that contradicts the patch',
      abc,
      { '$setElementOrder/parts': [{ name: 'a' }, { name: 'b' }], parts: [b, a] },
      /The order in patch list:\n\[map.*\]\n doesn't match \$setElementOrder list:\n\[map\[name:a\] map\[name:b\]\]\n/s,
    ],
    [
      'for an order that lacks an item of the patch',
      abc,
      { '$setElementOrder/parts': [{ name: 'a' }], parts: [{ name: 'b' }] },
      /doesn't match \$setElementOrder list:\n\[map\[name:a\]\]\n/,
    ],
  ];
  for (const [what, document, patch, message] of rows) {
    it(`a strategic merge patch that cannot be applied is rejected ${what}`, () => {
      const { status } = refused(document, patch);
      assert.match(status.message ?? '', message);
      assert.deepEqual([status.code, status.reason, status.details], [500, undefined, undefined]);
    });
  }

  it('a strategic merge patch that cannot be applied is rejected for a list of lists', () => {
    const { code, reason, details, cause } = refused({ finalizers: [['a']] }, { finalizers: ['b'] });
    assert.deepEqual({ code, reason, details }, { code: 422, reason: 'Invalid', details: {} });
    assert.match((cause as Error).message, /lists of lists/);
  });

  it('a strategic merge patch that cannot be applied moves items with the same key next to one another', () => {
    const item = (name: string, value: string) => ({ name, value });
    const document = { parts: [{ name: 'p', variables: [item('a', '1'), item('b', '2'), item('a', '3')] }] };
    const patch = { parts: [{ name: 'p', variables: [item('a', '4')] }] };
    const [part] = merged(document, patch)['parts'] as JsonObject[];
    assert.deepEqual(part?.['variables'], [item('a', '4'), item('a', '3'), item('b', '2')]);
  });

  it('a strategic merge patch that cannot be applied is rejected for list directives without a list', () => {
    assert.equal(refused({}, { $setElementOrder: [] }).message, 'invalid patch format of setElementOrder list');
    const { code, reason, message } = refused({}, { '$deleteFromPrimitiveLists/finalizers': ['x'] });
    assert.deepEqual(
      { code, reason, message },
      { code: 400, reason: 'BadRequest', message: 'invalid patch format of primitive list' },
    );
  });
});
