import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { equalJson } from './json-equal.ts';

const inheriting = JSON.parse('{"__proto__":{}}');

const equal: [unknown, unknown][] = [
  [null, null],
  [2n ** 60n, 2n ** 60n],
  [
    { a: 1, b: [1, { c: null }] },
    { b: [1, { c: null }], a: 1 },
  ],
  [{ a: undefined }, {}],
  [{ a: 1 }, { a: 1, b: undefined }],
  [
    { a: undefined, b: 1 },
    { b: 1, c: undefined },
  ],
  [inheriting, JSON.parse('{"__proto__":{}}')],
];

const different: [unknown, unknown][] = [
  [null, {}],
  [0, -0],
  [1, '1'],
  [5, 5n],
  [[1], { 0: 1 }],
  [[1], [1, 2]],
  [{ a: null }, {}],
  [{ a: 1 }, { b: 1 }],
  [
    { a: undefined, b: 1 },
    { b: 1, c: 2 },
  ],
  [{ constructor: 1 }, {}],
  [{ toString: {} }, {}],
  [inheriting, {}],
];

describe('equality of JSON', () => {
  for (const [one, other] of equal) {
    test(`${name(one)} equals ${name(other)}`, () => {
      assert.equal(equalJson(one, other), true);
      assert.equal(equalJson(other, one), true);
    });
  }
  for (const [one, other] of different) {
    test(`${name(one)} differs from ${name(other)}`, () => {
      assert.equal(equalJson(one, other), false);
      assert.equal(equalJson(other, one), false);
    });
  }
});

function name(value: unknown): string {
  return Object.is(value, -0) ? '-0' : typeof value === 'bigint' ? `${value}n` : JSON.stringify(value);
}

test('JSON values of any depth are compared', () => {
  const deep = (end: string) => JSON.parse(`${'{"a":['.repeat(20_000)}${end}${']}'.repeat(20_000)}`);
  assert.equal(equalJson(deep('1'), deep('1')), true);
  assert.equal(equalJson(deep('1'), deep('2')), false);
});
