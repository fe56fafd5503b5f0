import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from './query.ts';

test('a query is read as in Go: what has a semicolon or a broken escape says nothing', () => {
  const query = parseQuery('a=1;b&c=%zz&%2=x&d=%41+b&d=2&e&=f&g=%ff');
  for (const name of ['a', 'a=1;b', 'c', '%2']) assert.equal(query.has(name), false, name);
  assert.deepEqual(query.all('d'), ['A b', '2']);
  assert.equal(query.text('e'), '');
  assert.equal(query.text(''), 'f');
  assert.equal(query.text('g'), '\ufffd');
});
