import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deprecatedNodeLabel, nodeTermWarnings } from './node-term-warnings.ts';

test('the label of a control plane is deprecated from 1.31 on', () => {
  const label = 'node-role.kubernetes.io/master';
  const why = 'use "node-role.kubernetes.io/control-plane" instead';
  assert.equal(deprecatedNodeLabel(label, { minor: 30 }), undefined);
  assert.equal(deprecatedNodeLabel(label, { minor: 31 }), why);
  const told = (minor: number) =>
    nodeTermWarnings({ matchExpressions: [{ key: label, operator: 'Exists' }] }, { values: false, minor }, 'a');
  assert.deepEqual(told(30), []);
  assert.deepEqual(told(31), [`a.matchExpressions[0].key: ${label} is ${why}`]);
});
