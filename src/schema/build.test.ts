import assert from 'node:assert/strict';
import { it } from 'node:test';
import { embedded, inline, int32, list, map, string, struct, time } from './build.ts';

it('evaluates a declaration once, when it is first used', () => {
  let evaluated = 0;
  const type = struct('test/v1.Lazy', () => {
    evaluated++;
    return { a: string(1) };
  });
  assert.equal(evaluated, 0);
  assert.equal(type.fields, type.fields);
  assert.equal(type.jsonFields.get('a'), type.fields[0]);
  assert.equal(evaluated, 1);
});

it('stands the members of inline structs in their place', () => {
  const Meta = struct('test/v1.Meta', () => ({ kind: string(1), apiVersion: string(2) }));
  const type = struct('test/v1.Outer', () => ({ Meta: inline(0, Meta), spec: string(1) }));
  assert.deepEqual([...type.jsonFields.keys()], ['kind', 'apiVersion', 'spec']);
  assert.deepEqual(
    type.fields.map((field) => field.name),
    ['Meta', 'spec'],
  );
});

it('derives the defaults that OpenAPI publishes', () => {
  const Inner = struct('test/v1.Inner', () => ({}));
  const type = struct('test/v1.Defaults', () => ({
    required: string(1).required(),
    optional: string(2),
    pointer: int32(3).pointer().always(),
    said: int32(4).default(7),
    struct: embedded(5, Inner),
    when: time(6).required(),
  }));
  assert.deepEqual(
    type.fields.map((field) => field.default),
    ['', undefined, undefined, 7, {}, undefined],
  );
});

it('says another map type of a struct at one field only', () => {
  const Atomic = struct('test/v1.Atomic', () => ({ a: string(1) }), { mapType: 'atomic' });
  const type = struct('test/v1.Owner', () => ({ one: embedded(1, Atomic).granular(), other: embedded(2, Atomic) }));
  const [one, other] = type.fields.map((field) => field.node);
  assert.ok(one?.kind === 'struct' && other?.kind === 'struct');
  assert.deepEqual([one.mapType, one.variantOf, one.fields], ['granular', Atomic, Atomic.fields]);
  assert.deepEqual([other.mapType, other.variantOf], ['atomic', undefined]);
});

it('refuses facts that a type cannot have', () => {
  assert.throws(() => string(1).keyed('name'), /has no items/);
  assert.throws(() => map(1, 'string').set(), /has no items/);
  assert.throws(() => list(1, 'string').granular(), /can't be granular/);
});
