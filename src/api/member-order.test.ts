import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSortedMembers } from './member-order.ts';

test('members are sorted by name at every depth, and items keep their order', () => {
  const value = { b: [{ z: 1, a: 2 }, 'x'], a: { d: null, c: true } };
  assert.equal(JSON.stringify(withSortedMembers(value)), '{"a":{"c":true,"d":null},"b":[{"a":2,"z":1},"x"]}');
  const odd = JSON.parse('{"b":1,"__proto__":{"y":1,"x":2}}');
  assert.equal(JSON.stringify(withSortedMembers(odd)), '{"__proto__":{"x":2,"y":1},"b":1}');
});
