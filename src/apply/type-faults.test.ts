import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WIDGET } from '../../test/widget.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { DaemonSet } from '../resources/builtin/apps/v1.ts';
import { appliedFaults, typeFaults } from './type-faults.ts';
import { valueTypeOf } from './value-type.ts';

const table: { spec: Json; fault: string }[] = [
  { spec: { replica: 1 }, fault: '.spec.replica: field not declared in schema' },
  { spec: { replicas: 'three' }, fault: '.spec.replicas: expected numeric (int or float), got string' },
  { spec: { paused: 'no' }, fault: '.spec.paused: expected boolean, got &{no}' },
  { spec: { steps: [1] }, fault: '.spec.steps[0]: expected string, got &value.valueUnstructured{Value:1}' },
  { spec: { amount: {} }, fault: '.spec.amount: expected any scalar, got &{map[]}' },
  { spec: 'none', fault: '.spec: expected map, got &{none}' },
  { spec: { items: {} }, fault: '.spec.items: expected list, got &{map[]}' },
  {
    spec: { items: [{ name: 'a', colour: 'red' }] },
    fault: '.spec.items[name="a"].colour: field not declared in schema',
  },
  {
    spec: { items: [{ name: 'a' }, { name: 'b' }, { name: 'a' }] },
    fault: '.spec.items: duplicate entries for key [name="a"]',
  },
  {
    spec: { ports: [{ port: 80 }, { port: 80, protocol: 'TCP' }] },
    fault: '.spec.ports: duplicate entries for key [port=80,protocol="TCP"]',
  },
  { spec: { tags: ['x', 'x'] }, fault: '.spec.tags: duplicate entries for key [="x"]' },
  {
    spec: { items: [null] },
    fault: '.spec.items: element 0: associative list with keys may not have a null element',
  },
  {
    spec: { replica: 1, paused: 1 },
    fault: 'errors:\n  .spec.replica: field not declared in schema\n  .spec.paused: expected boolean, got &{1}',
  },
];

describe('type errors of applied configurations', () => {
  for (const { spec, fault } of table) {
    test(`an apply with the spec ${JSON.stringify(spec)} is rejected`, () => {
      assert.equal(typeFaults(WIDGET, { spec }, { allowDuplicates: false }), fault);
      assert.equal(appliedFaults(WIDGET, { spec }), fault);
      assert.equal(appliedFaults(WIDGET, { spec }), fault);
    });
  }

  test('an apply may contain nulls, empty values and values without a schema', () => {
    const spec = { replicas: null, items: [], free: {}, deep: { a: [1, { b: null }] }, amount: 1 };
    assert.equal(typeFaults(WIDGET, { spec, status: { x: 1 } }, { allowDuplicates: false }), undefined);
  });

  test('an apply may contain anything for an integer or string, whose schema has no type', () => {
    const rollingUpdate = { maxSurge: [], maxUnavailable: { a: 1 } };
    assert.equal(appliedFaults(valueTypeOf(DaemonSet), { spec: { updateStrategy: { rollingUpdate } } }), undefined);
  });

  test('a live object may contain two items with the same key', () => {
    const spec = { items: [{ name: 'a' }, { name: 'a' }] };
    assert.equal(typeFaults(WIDGET, { spec }, { allowDuplicates: true }), undefined);
  });

  test('a configuration with the shape of a valid one is valid, and any other one is validated', () => {
    const steps = ['a'];
    assert.equal(appliedFaults(WIDGET, { spec: { replicas: 1, steps, whole: { a: 'x' } } }), undefined);
    assert.equal(appliedFaults(WIDGET, { spec: { replicas: 2, steps, whole: { a: 'x' } } }), undefined);
    const wrong: JsonObject[] = [
      { replicas: '1', steps, whole: { a: 'x' } },
      { replicas: 1, steps: [1], whole: { a: 'x' } },
      { replicas: 1, steps, whole: { a: 1 } },
      { replicas: 1, steps, whole: { a: 'x', c: 'y' } },
      { replicas: 1, steps, whole: ['x'] },
    ];
    for (const spec of wrong) assert.notEqual(appliedFaults(WIDGET, { spec }), undefined, JSON.stringify(spec));
  });
});
