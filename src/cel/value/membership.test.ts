import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ArrayList } from './array-list.ts';
import { equal } from './equality.ts';
import { Membership } from './membership.ts';
import { Double, Uint, type Value } from './value.ts';

const VALUES: readonly Value[] = [
  ...[0, 1, -1, 2 ** 53 - 1, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)],
  ...[0, -0, 1, 1.5, 2 ** 53, 2 ** 53 - 1, 2 ** 63, -(2 ** 63), Number.NaN, Infinity].map((value) => new Double(value)),
  ...[0, 1, 2n ** 53n, 2n ** 63n].map((value) => new Uint(value)),
  ...['', 'a', '1', true, false, null],
  ...[new Uint8Array([1]), new ArrayList([]), new ArrayList([1]), new ArrayList([new Double(1)])],
];

test('the membership index of a CEL list has the values that equal an item', () => {
  for (const member of VALUES) {
    const membership = Membership.of(new ArrayList([member]));
    for (const value of VALUES) {
      assert.equal(membership.has(value), equal(value, member), `${String(value)} in ${String(member)}`);
    }
  }
});

test('the membership index of a CEL list takes constant time for each value', () => {
  const many = new ArrayList(Array.from({ length: 100_000 }, (_, index) => `item ${index}`));
  const membership = Membership.of(many);
  assert.ok(many.items.every((item) => membership.has(item)));
  assert.equal(membership.has('item'), false);
});
