// Conditions as kinds write them, and what they are taken for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conditionsOf, toneOfCondition } from './conditions.ts';

test('conditions are read from the status, and other values are ignored', () => {
  const ready = {
    type: 'Ready',
    status: 'False',
    reason: 'Stopped',
    message: 'container stopped',
    since: '2026-01-05T08:00:00Z',
  };
  const { since, ...stored } = ready;
  const sent = { ...stored, lastTransitionTime: since };
  const status = { conditions: [sent, { type: 'Scheduled', status: 'True' }, null, 'Ready', { type: 3 }] };
  assert.deepEqual(conditionsOf({ status }), [
    ready,
    { type: 'Scheduled', status: 'True', reason: '', message: '', since: '' },
  ]);
  for (const object of [{}, { status: null }, { status: 'fine' }, { status: { conditions: { Ready: 'True' } } }]) {
    assert.deepEqual(conditionsOf(object), []);
  }
});

test('a true condition is good or bad depending on its type', () => {
  const tone = (type: string, status: string) => toneOfCondition({ type, status, reason: '', message: '', since: '' });
  assert.equal(tone('Ready', 'True'), 'good');
  assert.equal(tone('Ready', 'False'), 'bad');
  assert.equal(tone('Ready', 'Unknown'), 'warn');
  assert.equal(tone('MemoryPressure', 'False'), '');
  assert.equal(tone('MemoryPressure', 'True'), 'bad');
  assert.equal(tone('NamespaceContentRemaining', 'True'), 'bad');
});
