import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SPEC } from '../../test/widget.ts';
import type { Json } from '../api/object.ts';
import { mergeValues } from './merge.ts';

const table: { what: string; live: Json; applied: Json; merged: Json }[] = [
  {
    what: 'a merge replaces the members that are applied and keeps the others',
    live: { replicas: 1, paused: true },
    applied: { replicas: 2 },
    merged: { replicas: 2, paused: true },
  },
  {
    what: 'a merge of granular maps keeps members that are not applied',
    live: { free: { a: '1', b: '1' } },
    applied: { free: { b: '2', c: '2' } },
    merged: { free: { a: '1', b: '2', c: '2' } },
  },
  {
    what: 'a merge replaces atomic lists and maps as a whole',
    live: { block: { a: '1' }, whole: { a: '1' }, steps: ['a'], plain: ['a'] },
    applied: { block: { b: '1' }, whole: { b: '1' }, steps: ['b'], plain: [] },
    merged: { block: { b: '1' }, whole: { b: '1' }, steps: ['b'], plain: [] },
  },
  {
    what: 'a merge matches the items of a list by their keys',
    live: { items: [{ name: 'a', size: 1 }, { name: 'b' }] },
    applied: { items: [{ name: 'a', tags: ['x'] }] },
    merged: { items: [{ name: 'a', size: 1, tags: ['x'] }, { name: 'b' }] },
  },
  {
    what: 'a merge matches items whose key is left to its default',
    live: {
      ports: [
        { port: 1, protocol: 'UDP' },
        { port: 1, protocol: 'TCP' },
      ],
    },
    applied: { ports: [{ port: 1, name: 'x' }] },
    merged: {
      ports: [
        { port: 1, protocol: 'UDP' },
        { port: 1, protocol: 'TCP', name: 'x' },
      ],
    },
  },
  {
    what: 'a merge of null keeps the members of a map',
    live: { free: { a: '1' } },
    applied: { free: null },
    merged: { free: { a: '1' } },
  },
  {
    what: 'a merge of null replaces a scalar',
    live: { replicas: 1 },
    applied: { replicas: null },
    merged: { replicas: null },
  },
  {
    what: 'a merge of a string replaces a map',
    live: { deep: { a: { b: 1 } } },
    applied: { deep: { a: 'x' } },
    merged: { deep: { a: 'x' } },
  },
  {
    what: 'a merge of an empty list keeps the items of a set',
    live: { tags: ['a'] },
    applied: { tags: [] },
    merged: { tags: ['a'] },
  },
  {
    what: 'a merge keeps live items with the same key while the key is not applied',
    live: { items: [{ name: 'a', size: 1 }, { name: 'b' }, { name: 'a', size: 2 }] },
    applied: { items: [{ name: 'c' }] },
    merged: { items: [{ name: 'a', size: 1 }, { name: 'b' }, { name: 'a', size: 2 }, { name: 'c' }] },
  },
  {
    what: 'a merge replaces live items with the same key by the applied item',
    live: { items: [{ name: 'a', size: 1 }, { name: 'b' }, { name: 'a', size: 2 }] },
    applied: { items: [{ name: 'a' }] },
    merged: { items: [{ name: 'a' }, { name: 'b' }] },
  },
];

const orders: { live: string; applied: string; merged: string }[] = [
  { live: 'abc', applied: 'xby', merged: 'axbcy' },
  { live: 'axbcy', applied: 'ybx', merged: 'acybx' },
  { live: 'acybx', applied: 'cza', merged: 'cybxza' },
  { live: 'ab', applied: 'nm', merged: 'abnm' },
  { live: 'cab', applied: 'xbyaz', merged: 'cxbyaz' },
  { live: 'abc', applied: 'cba', merged: 'cba' },
  { live: 'abc', applied: 'a', merged: 'abc' },
];

describe('the merge of an applied configuration into the live object', () => {
  for (const { what, live, applied, merged } of table) {
    test(what, () => {
      const before = structuredClone({ live, applied });
      assert.deepEqual(mergeValues(SPEC, live, applied), merged);
      assert.deepEqual({ live, applied }, before, 'arguments stay as they are');
    });
  }

  for (const { live, applied, merged } of orders) {
    test(`a merge of the items ${applied} into ${live} has the order ${merged}`, () => {
      assert.deepEqual(mergeValues(SPEC, { tags: [...live] }, { tags: [...applied] }), { tags: [...merged] });
    });
  }
});
