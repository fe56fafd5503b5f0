import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../base/limits.ts';
import { atOnce } from '../base/steps.ts';
import { stringifyJson } from './json-writer.ts';
import { longJson } from './long-json-writer.ts';
import type { Json } from './object.ts';

function written(value: Json, sortedDepth = 0): string {
  return atOnce(longJson(value, { sortedDepth })).join('');
}

test('a long JSON value is written like by JSON.stringify', () => {
  const values = [
    null,
    'a "text"\n\ud800',
    -0,
    1e21,
    2n ** 62n,
    [],
    {},
    [[], {}, [1, [2]], undefined as unknown as Json],
    { a: undefined as unknown as Json, b: { c: [true, false, null], '': '' }, 10: 1, 9: 2 },
    { a: undefined as unknown as Json },
    JSON.parse('{"__proto__":{"a":1},"b":[{"__proto__":null}]}'),
  ];
  for (const value of values) assert.equal(written(value), stringifyJson(value));
});

test('the members below a long JSON value are sorted by name on request', () => {
  const value = { z: { b: 1, a: [{ d: 1, c: 2 }] }, a: 1 };
  assert.equal(written(value, 500), '{"z":{"a":[{"c":2,"d":1}],"b":1},"a":1}');
  assert.equal(written(value, 1), '{"z":{"a":[{"d":1,"c":2}],"b":1},"a":1}');
});

test('a long JSON value is written in pieces, within maps and lists', () => {
  const members = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 'v']));
  for (const value of [members, Object.keys(members)]) {
    const steps = [...longJson({ value })];
    assert.ok(steps.length > (20_000 * 16) / limits.jsonPieceCharacters);
    assert.equal(written({ value }), stringifyJson({ value }));
  }
});

test('a long JSON value of any depth is written without recursion', () => {
  let deep: Json = 1;
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  assert.equal(written(deep).length, 200_001);
});
