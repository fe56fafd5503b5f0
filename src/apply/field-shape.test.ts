import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WIDGET } from '../../test/widget.ts';
import type { Json, JsonObject } from '../api/object.ts';
import type { FieldSet } from './field-set.ts';
import { ShapeMemory } from './field-shape.ts';
import { fieldSetOf } from './typed-walk.ts';

/** What a memory that knows the first value's fields says of the second one's, and whether it remembered. */
function second(first: JsonObject, other: JsonObject) {
  const memory = new ShapeMemory<FieldSet>(WIDGET);
  let made = 0;
  const of = (value: JsonObject) =>
    memory.of(value, () => {
      made++;
      return fieldSetOf(WIDGET, value);
    });
  of(first);
  const fields = of(other);
  return { fields, isRemembered: made === 1 };
}

interface Row {
  readonly what: string;
  readonly one: Json;
  readonly other: Json;
  readonly same: boolean;
}

const table: Row[] = [
  { what: 'other values of the same members', one: { replicas: 1 }, other: { replicas: 2 }, same: true },
  { what: 'one more member', one: { replicas: 1 }, other: { replicas: 1, paused: true }, same: false },
  { what: 'one member less', one: { replicas: 1, paused: true }, other: { replicas: 1 }, same: false },
  { what: 'another member', one: { replicas: 1 }, other: { paused: true }, same: false },
  { what: 'null in place of a value', one: { free: { a: '1' } }, other: { free: null }, same: false },
  { what: 'an empty map in place of a full one', one: { free: { a: '1' } }, other: { free: {} }, same: false },
  { what: 'other members of an atomic map', one: { block: { a: '1' } }, other: { block: { b: '2' } }, same: true },
  { what: 'other items of an atomic list', one: { steps: ['a'] }, other: { steps: ['b', 'c'] }, same: true },
  { what: 'another item of a set', one: { tags: ['a'] }, other: { tags: ['b'] }, same: false },
  { what: 'one item less', one: { tags: ['a', 'b'] }, other: { tags: ['a'] }, same: false },
  { what: 'an item of another key', one: { items: [{ name: 'a' }] }, other: { items: [{ name: 'b' }] }, same: false },
  {
    what: 'an item with other values',
    one: { items: [{ name: 'a', size: 1 }] },
    other: { items: [{ name: 'a', size: 2 }] },
    same: true,
  },
  {
    what: 'an item that leaves a key to its default',
    one: { ports: [{ port: 1, protocol: 'TCP' }] },
    other: { ports: [{ port: 1 }] },
    same: false,
  },
  { what: 'a value of another type', one: { replicas: 1 }, other: { replicas: '1' }, same: false },
  { what: 'a map where there was a list', one: { deep: [1] }, other: { deep: { a: 1 } }, same: false },
  { what: 'other names in a map without a schema', one: { deep: { a: 1 } }, other: { deep: { b: 1 } }, same: false },
];

describe('the memory of field sets by the shape of values', () => {
  for (const { what, one, other, same } of table) {
    test(`a value with ${what} has ${same ? 'the same' : 'another'} shape`, () => {
      const { fields, isRemembered } = second({ spec: one }, { spec: other });
      assert.equal(isRemembered, same);
      assert.deepEqual(fields, fieldSetOf(WIDGET, { spec: other }));
    });
  }

  test('the object that values are compared with is compared by its values', () => {
    const memory = new ShapeMemory<number>(WIDGET, {
      before: { spec: { paused: true, free: { a: '1' }, items: null } },
    });
    const made: JsonObject[] = [];
    const of = (spec: JsonObject) => memory.of({ spec }, () => made.push(spec));
    of({ paused: true, free: { a: '1', b: '1' }, items: [{ name: 'x' }] });
    of({ paused: true, free: { a: '1', b: '2' }, items: [{ name: 'x' }] });
    assert.equal(made.length, 1);
    of({ paused: false, free: { a: '1', b: '1' }, items: [{ name: 'x' }] });
    of({ paused: true, free: { a: '2', b: '1' }, items: [{ name: 'x' }] });
    of({ paused: true, free: { a: '1', b: '1' }, items: [{ name: 'y' }] });
    assert.equal(made.length, 4);
  });

  test('the memory keeps the eight shapes that were used last', () => {
    const memory = new ShapeMemory<number>(WIDGET);
    const made: number[] = [];
    const of = (names: number) => {
      const free = Object.fromEntries(Array.from({ length: names }, (_, index) => [`n${index}`, 'x']));
      memory.of({ spec: { free } }, () => made.push(names));
    };
    for (let names = 0; names < 8; names++) of(names);
    of(0);
    of(8);
    of(0);
    of(1);
    assert.deepEqual(made, [0, 1, 2, 3, 4, 5, 6, 7, 8, 1]);
  });

  test('the fields of a value with too many members are not remembered', () => {
    const free = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`n${index}`, 'x']));
    assert.equal(second({ spec: { free } }, { spec: { free } }).isRemembered, false);
  });
});
