import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SPEC } from '../../test/widget.ts';
import type { Json } from '../api/object.ts';
import { fieldSetOf, wholeSet } from './typed-walk.ts';

const table: { what: string; value: Json; claimed: Json | undefined; whole: Json }[] = [
  {
    what: 'scalars',
    value: { replicas: 1, paused: false },
    claimed: { 'f:paused': {}, 'f:replicas': {} },
    whole: { '.': {}, 'f:paused': {}, 'f:replicas': {} },
  },
  {
    what: 'keyed items',
    value: { items: [{ name: 'b' }, { name: 'a', size: 1 }] },
    claimed: {
      'f:items': {
        'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:size': {} },
        'k:{"name":"b"}': { '.': {}, 'f:name': {} },
      },
    },
    whole: {
      '.': {},
      'f:items': {
        '.': {},
        'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:size': {} },
        'k:{"name":"b"}': { '.': {}, 'f:name': {} },
      },
    },
  },
  {
    what: 'keys that are left to their default',
    value: { ports: [{ port: 53 }] },
    claimed: { 'f:ports': { 'k:{"port":53,"protocol":"TCP"}': { '.': {}, 'f:port': {} } } },
    whole: { '.': {}, 'f:ports': { '.': {}, 'k:{"port":53,"protocol":"TCP"}': { '.': {}, 'f:port': {} } } },
  },
  {
    what: 'items with the same key once',
    value: { items: [{ name: 'a', size: 1 }, { name: 'a' }] },
    claimed: { 'f:items': { 'k:{"name":"a"}': {} } },
    whole: { '.': {}, 'f:items': { '.': {}, 'k:{"name":"a"}': {} } },
  },
  {
    what: 'the members of sets, and atomic lists and maps as a whole',
    value: { tags: ['y', 'x'], steps: ['1'], plain: ['1'], block: { a: '1' }, whole: { a: '1' } },
    claimed: { 'f:block': {}, 'f:plain': {}, 'f:steps': {}, 'f:tags': { 'v:"x"': {}, 'v:"y"': {} }, 'f:whole': {} },
    whole: {
      '.': {},
      'f:block': {},
      'f:plain': {},
      'f:steps': {},
      'f:tags': { '.': {}, 'v:"x"': {}, 'v:"y"': {} },
      'f:whole': {},
    },
  },
  {
    what: 'members of maps and of values without a schema',
    value: { free: { b: '1', a: '2' }, deep: { a: { b: [1] } } },
    claimed: { 'f:deep': { 'f:a': { '.': {}, 'f:b': {} } }, 'f:free': { 'f:a': {}, 'f:b': {} } },
    whole: {
      '.': {},
      'f:deep': { '.': {}, 'f:a': { '.': {}, 'f:b': {} } },
      'f:free': { '.': {}, 'f:a': {}, 'f:b': {} },
    },
  },
  {
    what: 'what is empty or null',
    value: { items: [], tags: [], steps: [], free: {}, whole: null, replicas: null },
    claimed: { 'f:free': {}, 'f:replicas': {}, 'f:steps': {}, 'f:whole': {} },
    whole: { '.': {}, 'f:free': {}, 'f:items': {}, 'f:replicas': {}, 'f:steps': {}, 'f:tags': {}, 'f:whole': {} },
  },
  {
    what: 'names that every JavaScript object has',
    value: { free: { constructor: '1', toString: '2' } },
    claimed: { 'f:free': { 'f:constructor': {}, 'f:toString': {} } },
    whole: { '.': {}, 'f:free': { '.': {}, 'f:constructor': {}, 'f:toString': {} } },
  },
];

describe('the field set of a value', () => {
  for (const { what, value, claimed, whole } of table) {
    test(`the field set of an apply and of a creation contains ${what}`, () => {
      // Compared as text: the order is Kubernetes'.
      assert.equal(JSON.stringify(fieldSetOf(SPEC, value)), JSON.stringify(claimed));
      assert.equal(JSON.stringify(wholeSet(SPEC, value)), JSON.stringify(whole));
    });
  }

  test('the field set of an empty value is empty', () => assert.equal(fieldSetOf(SPEC, {}), undefined));
});
