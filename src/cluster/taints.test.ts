import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tolerates, untolerated } from './taints.ts';

const taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' };

test('a toleration matches a taint by key, value and effect', () => {
  assert.equal(tolerates([{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }], taint), true);
  assert.equal(tolerates([{ key: 'gpu', value: 'no' }], taint), false);
  assert.equal(tolerates([{ key: 'gpu', operator: 'Exists', effect: 'NoExecute' }], taint), false);
  assert.equal(tolerates(undefined, taint), false);
});

test('a toleration without a key and with the operator Exists matches every taint', () => {
  assert.equal(tolerates([{ operator: 'Exists' }], taint), true);
});

test('a taint with the effect PreferNoSchedule keeps no pod away', () => {
  assert.equal(untolerated([{ ...taint, effect: 'PreferNoSchedule' }], []), undefined);
  assert.deepEqual(untolerated([taint], []), taint);
});
