import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessorFault } from './accessor-fault.ts';

const PATH = ['spec', 'replicas'];

test('a scale path to a value of the wrong type is reported in the words of Go', () => {
  const map = 'expected map[string]interface{}';
  assert.equal(
    accessorFault({ spec: 'x' }, PATH, 'int64'),
    `.spec.replicas accessor error: x is of the type string, ${map}`,
  );
  assert.equal(
    accessorFault({ spec: { replicas: 1.5 } }, PATH, 'int64'),
    '.spec.replicas accessor error: 1.5 is of the type float64, expected int64',
  );
  assert.match(accessorFault({ spec: { replicas: null } }, PATH, 'int64') ?? '', /<nil> is of the type <nil>/);
});

test('a scale path to a value of the right type, or to an absent one, is no fault', () => {
  for (const object of [{}, { spec: null }, { spec: {} }, { spec: { replicas: 2 } }]) {
    assert.equal(accessorFault(object, PATH, 'int64'), undefined, JSON.stringify(object));
  }
});
