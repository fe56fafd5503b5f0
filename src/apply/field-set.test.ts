import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  difference,
  differenceBelow,
  type FieldSet,
  hasPath,
  intersection,
  isMember,
  pathSet,
  pathTexts,
  union,
} from './field-set.ts';

/** A set as FieldsV1 writes it. */
function fields(text: string): FieldSet {
  return text === '' ? undefined : (JSON.parse(text.replace(/(?:f:[a-z]|\.)(?=:)/g, '"$&"')) as FieldSet);
}

const table: {
  what: string;
  one: string;
  other: string;
  union: string;
  difference: string;
  intersection: string;
}[] = [
  {
    what: 'sets without a common path',
    one: '{f:a:{}}',
    other: '{f:b:{}}',
    union: '{f:a:{},f:b:{}}',
    difference: '{f:a:{}}',
    intersection: '',
  },
  {
    what: 'equal sets',
    one: '{f:a:{}}',
    other: '{f:a:{}}',
    union: '{f:a:{}}',
    difference: '',
    intersection: '{f:a:{}}',
  },
  {
    what: 'nothing',
    one: '{f:a:{f:b:{}}}',
    other: '',
    union: '{f:a:{f:b:{}}}',
    difference: '{f:a:{f:b:{}}}',
    intersection: '',
  },
  {
    what: 'a place and what is below it',
    one: '{f:a:{}}',
    other: '{f:a:{f:b:{}}}',
    union: '{f:a:{.:{},f:b:{}}}',
    difference: '{f:a:{}}',
    intersection: '',
  },
  {
    what: 'what is below a place, and the place',
    one: '{f:a:{.:{},f:b:{},f:c:{}}}',
    other: '{f:a:{}}',
    union: '{f:a:{.:{},f:b:{},f:c:{}}}',
    difference: '{f:a:{f:b:{},f:c:{}}}',
    intersection: '{f:a:{}}',
  },
  {
    what: 'the last path below a place that is in the set',
    one: '{f:a:{.:{},f:b:{}}}',
    other: '{f:a:{f:b:{}}}',
    union: '{f:a:{.:{},f:b:{}}}',
    difference: '{f:a:{}}',
    intersection: '{f:a:{f:b:{}}}',
  },
  {
    what: 'the last path below a place that is not',
    one: '{f:a:{f:b:{}},f:c:{}}',
    other: '{f:a:{f:b:{}}}',
    union: '{f:a:{f:b:{}},f:c:{}}',
    difference: '{f:c:{}}',
    intersection: '{f:a:{f:b:{}}}',
  },
];

describe('field sets', () => {
  for (const row of table) {
    test(`union, difference and intersection of ${row.what}`, () => {
      const one = fields(row.one);
      const other = fields(row.other);
      assert.equal(JSON.stringify(union(one, other)), JSON.stringify(fields(row.union)));
      assert.equal(JSON.stringify(union(other, one)), JSON.stringify(fields(row.union)));
      assert.equal(JSON.stringify(difference(one, other)), JSON.stringify(fields(row.difference)));
      assert.equal(JSON.stringify(intersection(one, other)), JSON.stringify(fields(row.intersection)));
    });
  }

  test('union, difference and intersection return the same set if nothing changes', () => {
    const one = fields('{f:a:{.:{},f:b:{}},f:c:{}}');
    assert.equal(union(one, fields('{f:a:{f:b:{}}}')), one);
    assert.equal(difference(one, fields('{f:d:{}}')), one);
    assert.equal(intersection(one, fields('{f:a:{.:{},f:b:{}},f:c:{},f:d:{}}')), one);
  });

  test('a difference can remove the fields below those removed', () => {
    const one = fields('{f:a:{f:b:{},f:c:{f:d:{}}},f:e:{}}');
    assert.deepEqual(differenceBelow(one, fields('{f:a:{f:c:{}}}')), fields('{f:a:{f:b:{}},f:e:{}}'));
    assert.deepEqual(differenceBelow(one, fields('{f:a:{}}')), fields('{f:e:{}}'));
  });

  test('the paths of a field set are listed by level, the shortest first', () => {
    const set = fields('{f:a:{f:b:{.:{},f:c:{}},f:z:{}},f:y:{}}');
    assert.deepEqual(pathTexts(set), ['.y', '.a.b', '.a.z', '.a.b.c']);
  });

  test('a field set has a path only if it has the end of the path', () => {
    const set = pathSet(['f:a', 'f:b']);
    assert.equal(hasPath(set, ['f:a', 'f:b']), true);
    assert.equal(hasPath(set, ['f:a']), false);
    assert.equal(isMember(set['f:a']), false);
  });
});
