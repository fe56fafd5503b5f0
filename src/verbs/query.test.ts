import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../base/limits.ts';
import { parseQuery } from './query.ts';

test('a query parameter with a semicolon or an invalid escape is ignored, as in Go', () => {
  const query = parseQuery('a=1;b&c=%zz&%2=x&d=%41+b&d=2&e&=f&g=%ff');
  for (const name of ['a', 'a=1;b', 'c', '%2']) assert.equal(query.has(name), false, name);
  assert.deepEqual(query.all('d'), ['A b', '2']);
  assert.equal(query.text('e'), '');
  assert.equal(query.text(''), 'f');
  assert.equal(query.text('g'), '\ufffd');
});

test('a query with more parameters than Go accepts has none', () => {
  const most = 'a=1&'.repeat(limits.urlQueryParameters - 1);
  assert.equal(parseQuery(`${most}b=2`).text('b'), '2');
  assert.equal(parseQuery(`${most}b=2&c=3`).empty, true);
});

test('an integer in a query of any length is rejected if it exceeds 64 bits', () => {
  const zeros = '0'.repeat(100_000);
  assert.equal(parseQuery(`limit=${zeros}7`).integer('limit'), 7);
  assert.equal(parseQuery(`limit=-${zeros}7`).integer('limit'), -7);
  assert.equal(parseQuery('limit=-9223372036854775808').integer('limit'), -(2 ** 63));
  for (const text of [`1${zeros}`, '9223372036854775808', '-9223372036854775809']) {
    assert.throws(() => parseQuery(`limit=${text}`).integer('limit'), /value out of range/);
  }
});
