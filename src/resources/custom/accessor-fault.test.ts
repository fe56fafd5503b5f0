import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessorFault } from './accessor-fault.ts';

const PATH = ['spec', 'replicas'];

test('a value on the way or at the end that is not of its type is told of as by Go', () => {
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

test('a value of its type, or an absent one, has no fault', () => {
  for (const object of [{}, { spec: null }, { spec: {} }, { spec: { replicas: 2 } }]) {
    assert.equal(accessorFault(object, PATH, 'int64'), undefined, JSON.stringify(object));
  }
});
