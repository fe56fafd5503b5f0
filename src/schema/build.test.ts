import assert from 'node:assert/strict';
import { it } from 'node:test';
import { embedded, inline, int32, list, map, string, struct, time } from './build.ts';
import { typeInRelease } from './declared-struct.ts';

it('a struct evaluates its declaration once, when it is first used', () => {
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

it('the fields of an inline struct become fields of the struct around it', () => {
  const Meta = struct('test/v1.Meta', () => ({ kind: string(1), apiVersion: string(2) }));
  const type = struct('test/v1.Outer', () => ({ Meta: inline(0, Meta), spec: string(1) }));
  assert.deepEqual([...type.jsonFields.keys()], ['kind', 'apiVersion', 'spec']);
  assert.deepEqual(
    type.fields.map((field) => field.name),
    ['Meta', 'spec'],
  );
});

it('the published defaults of fields follow from their kinds', () => {
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

it('a field may give a struct another map type, for itself only', () => {
  const Atomic = struct('test/v1.Atomic', () => ({ a: string(1) }), { mapType: 'atomic' });
  const type = struct('test/v1.Owner', () => ({ one: embedded(1, Atomic).granular(), other: embedded(2, Atomic) }));
  const [one, other] = type.fields.map((field) => field.node);
  assert.ok(one?.kind === 'struct' && other?.kind === 'struct');
  assert.deepEqual([one.mapType, one.variantOf, one.fields], ['granular', Atomic, Atomic.fields]);
  assert.deepEqual([other.mapType, other.variantOf], ['atomic', undefined]);
});

it('a declaration that its type cannot have is rejected', () => {
  assert.throws(() => string(1).keyed('name'), /has no items/);
  assert.throws(() => map(1, 'string').set(), /has no items/);
  assert.throws(() => list(1, 'string').granular(), /can't be granular/);
});

it('a type in another release of Kubernetes has the fields and rules of that release', () => {
  const Inner = struct('test/v1.Versioned', () => ({ old: string(1).until(35), young: string(2).since(36) }));
  const type = struct('test/v1.Outer', () => ({
    inner: embedded(1, Inner),
    many: list(2, Inner),
    text: string(3).upTo(30, int32(3)).from(36, string(3).required()),
    names: list(4, 'string').atomic(30),
  }));
  const names = (minor: number) => {
    const field = typeInRelease(type, minor).jsonFields.get('inner');
    return field?.node.kind === 'struct' ? [...field.node.jsonFields.keys()] : [];
  };
  assert.deepEqual([names(34), names(35), names(36)], [['old'], ['old'], ['young']]);
  const text = (minor: number) => typeInRelease(type, minor).jsonFields.get('text');
  assert.deepEqual(
    [29, 34, 37].map((minor) => [text(minor)?.node.kind, text(minor)?.required]),
    [
      ['int32', false],
      ['string', false],
      ['string', true],
    ],
  );
  const listType = (minor: number) => {
    const node = typeInRelease(type, minor).jsonFields.get('names')?.node;
    return node?.kind === 'list' ? node.listType : undefined;
  };
  assert.deepEqual([listType(29), listType(30)], [undefined, 'atomic']);
  assert.equal(typeInRelease(type, 34), type, 'the release served by default is the type itself');
  assert.equal(typeInRelease(typeInRelease(type, 37), 34), type);
  assert.equal(typeInRelease(type, 37), typeInRelease(type, 37));
});
