import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embedded, int32, list, string, struct } from './build.ts';
import { declaredRules } from './declared-rules.ts';

const Item = struct('test.Item', () => ({ type: string(1) }));
const Inner = struct('test.Inner', () => ({
  count: int32(1).pointer().default(1).declarative('minimum=0'),
  level: int32(2).declarative('minimum=3'),
  items: list(3, Item).declarative('item(type: "A")=+k8s:zeroOrOneOfMember', 'item(type: "B")=+k8s:zeroOrOneOfMember'),
}));
const Outer: ReturnType<typeof struct> = struct('test.Outer', () => ({
  inner: embedded(1, Inner),
  self: embedded(2, Outer),
  free: string(3),
}));

const found = (next: object, previous?: object) =>
  declaredRules(Outer)(next as never, previous as never).map(
    ({ type, field, origin = '' }) => `${type} ${field} ${origin}`,
  );

test('the declared rules of a type include those of its fields, in the order of the declaration', () => {
  assert.deepEqual(found({ inner: { level: 1, count: -1 } }), [
    'FieldValueInvalid inner.count minimum',
    'FieldValueInvalid inner.level minimum',
  ]);
  assert.deepEqual(found({ inner: { count: 0, level: 3 } }), []);
  assert.deepEqual(found({ inner: { level: 3 } }), ['FieldValueRequired inner.count ']);
  assert.deepEqual(found({ free: 'x' }), []);
});

test('declared rules skip what an update leaves unchanged', () => {
  const bad = { count: -1, level: 1, items: [{ type: 'A' }, { type: 'B' }] };
  assert.equal(found({ inner: bad }).length, 3);
  assert.deepEqual(found({ inner: bad }, { inner: { ...bad } }), []);
  assert.deepEqual(found({ inner: bad }, { inner: { ...bad, level: 3 } }), ['FieldValueInvalid inner.level minimum']);
  const other = [{ type: 'A' }, { type: 'B' }, { type: 'C' }];
  assert.deepEqual(found({ inner: { ...bad, items: other } }, { inner: bad }), [], 'the same members are there');
});

test('declared rules accept at most one member of a union', () => {
  const items = [{ type: 'B' }, { type: 'A' }];
  const [error] = declaredRules(Outer)({ inner: { count: 1, level: 3, items } }, undefined);
  assert.equal(error?.value, '{Items[{"type": "A"}], Items[{"type": "B"}]}');
  assert.equal(error?.detail, 'must specify at most one of: `Items[{"type": "A"}]`, `Items[{"type": "B"}]`');
});
