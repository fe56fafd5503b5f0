import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { Times } from './times.ts';

test('timestamps are in whole seconds, and updated when one has passed', () => {
  const clock = new ManualClock(Date.parse('2024-02-29T23:59:58.900Z'));
  const times = new Times(clock);
  assert.equal(times.now(), '2024-02-29T23:59:58Z');
  clock.advance(99);
  assert.equal(times.now(), '2024-02-29T23:59:58Z');
  clock.advance(1);
  assert.equal(times.now(), '2024-02-29T23:59:59Z');
  clock.advance(1000);
  assert.equal(times.now(), '2024-03-01T00:00:00Z');
});
