import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SPEC } from '../../test/widget.ts';
import type { Json } from '../api/object.ts';
import { compareValues, without } from './compare.ts';

interface Row {
  what: string;
  one: Json;
  other: Json;
  added?: Json;
  removed?: Json;
  modified?: Json;
}

const A = 'k:{"name":"a"}';

const table: Row[] = [
  { what: 'no change between equal values', one: { replicas: 1, tags: ['a'] }, other: { tags: ['a'], replicas: 1 } },
  { what: 'a scalar that changed', one: { replicas: 1 }, other: { replicas: 2 }, modified: { 'f:replicas': {} } },
  { what: 'a scalar that was added', one: {}, other: { replicas: 2 }, added: { 'f:replicas': {} } },
  { what: 'a scalar that was removed', one: { replicas: 1 }, other: {}, removed: { 'f:replicas': {} } },
  {
    what: 'a map that was added',
    one: {},
    other: { free: { a: '1' } },
    added: { 'f:free': { '.': {}, 'f:a': {} } },
  },
  {
    what: 'the removed last member of a map',
    one: { free: { a: '1' } },
    other: { free: {} },
    removed: { 'f:free': { 'f:a': {} } },
  },
  { what: 'an empty map in place of null', one: { free: null }, other: { free: {} }, modified: { 'f:free': {} } },
  {
    what: 'changed and added members of an item of a keyed list',
    one: { items: [{ name: 'b' }, { name: 'a', size: 1 }] },
    other: { items: [{ name: 'a', size: 2, tags: ['x'] }, { name: 'b' }] },
    modified: { 'f:items': { [A]: { 'f:size': {} } } },
    added: { 'f:items': { [A]: { 'f:tags': { '.': {}, 'v:"x"': {} } } } },
  },
  { what: 'no change for another order of the items of a set', one: { tags: ['a', 'b'] }, other: { tags: ['b', 'a'] } },
  {
    what: 'another order of an atomic list as a change of the list',
    one: { steps: ['a', 'b'] },
    other: { steps: ['b', 'a'] },
    modified: { 'f:steps': {} },
  },
  {
    what: 'a change of an atomic map as one of the whole map',
    one: { block: { a: '1' } },
    other: { block: {} },
    modified: { 'f:block': {} },
  },
  {
    what: 'a map that becomes a string',
    one: { deep: { a: { b: 1 } } },
    other: { deep: { a: 'x' } },
    modified: { 'f:deep': { 'f:a': {} } },
    removed: { 'f:deep': { 'f:a': { 'f:b': {} } } },
  },
  {
    what: 'a key of a keyed list that is now there twice',
    one: { items: [{ name: 'a' }] },
    other: { items: [{ name: 'a' }, { name: 'a', size: 1 }] },
    added: { 'f:items': { [A]: {} } },
    removed: { 'f:items': { [A]: { '.': {}, 'f:name': {} } } },
  },
  {
    what: 'a key of a keyed list that is no longer there twice',
    one: { items: [{ name: 'a' }, { name: 'a', size: 1 }] },
    other: { items: [{ name: 'a' }] },
    added: { 'f:items': { [A]: { '.': {}, 'f:name': {} } } },
    removed: { 'f:items': { [A]: {} } },
  },
  {
    what: 'a change in one of two items with the same key',
    one: { items: [{ name: 'a' }, { name: 'a', size: 1 }] },
    other: { items: [{ name: 'a' }, { name: 'a', size: 2 }] },
    modified: { 'f:items': { [A]: {} } },
  },
  {
    what: 'a member named like a property of every JavaScript object',
    one: { free: {} },
    other: { free: { constructor: '1' } },
    added: { 'f:free': { 'f:constructor': {} } },
  },
];

describe('the comparison of two values by their schema', () => {
  for (const { what, one, other, ...expected } of table) {
    test(`a comparison reports ${what}`, () => {
      const { added, removed, modified } = compareValues(SPEC, one, other) ?? {};
      assert.deepEqual(
        { added, removed, modified },
        { added: expected.added, removed: expected.removed, modified: expected.modified },
      );
    });
  }

  test('changes of ignored fields are left out of a comparison', () => {
    const changes = compareValues(SPEC, { replicas: 1, free: { a: '1' } }, { replicas: 2, free: {} });
    assert.equal(without(changes, { 'f:replicas': {}, 'f:free': {} }), undefined);
    assert.deepEqual(without(changes, { 'f:free': {} })?.modified, { 'f:replicas': {} });
  });
});
