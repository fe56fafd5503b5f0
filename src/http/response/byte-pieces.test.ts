import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BytePieces } from './byte-pieces.ts';

const pieces = new BytePieces(['abc', '', 'd', 'efgh'].map((text) => Buffer.from(text)));
const texts = (start?: number, end?: number) => [...pieces.range(start, end)].map(String);

test('byte pieces are read as they are, or in one buffer', () => {
  assert.equal(pieces.length, 8);
  assert.deepEqual(texts(), ['abc', 'd', 'efgh']);
  assert.equal(pieces.joined().toString(), 'abcdefgh');
});

test('a range of byte pieces begins and ends within pieces', () => {
  assert.deepEqual(texts(1, 2), ['b']);
  assert.deepEqual(texts(2, 6), ['c', 'd', 'ef']);
  assert.deepEqual(texts(3, 4), ['d']);
  assert.deepEqual(texts(5), ['fgh']);
  assert.deepEqual(texts(4, 4), []);
  assert.equal(pieces.joined(6, 8).toString(), 'gh');
});
