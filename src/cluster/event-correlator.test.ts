import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventCorrelator } from './event-correlator.ts';

const facts = { object: 'uid', type: 'Normal', reason: 'Pulled' };

test('a repeated event has the key of the first one', () => {
  const events = new EventCorrelator();
  const first = events.correlate({ ...facts, message: 'pulled' }, 0);
  assert.deepEqual(events.correlate({ ...facts, message: 'pulled' }, 1000), first);
  assert.notEqual(events.correlate({ ...facts, message: 'other' }, 2000)?.key, first?.key);
});

test('the tenth event that differs only in its message is combined with the following ones', () => {
  const events = new EventCorrelator();
  const all = Array.from({ length: 12 }, (_, index) => events.correlate({ ...facts, message: `m${index}` }, index));
  assert.equal(all[8]?.message, 'm8');
  assert.equal(all[9]?.message, '(combined from similar events): m9');
  assert.equal(all[11]?.key, all[9]?.key);
});

test('an object gets 25 events at once, and one more every five minutes', () => {
  const events = new EventCorrelator();
  const isWritten = (nowMs: number) => events.correlate({ ...facts, message: 'again' }, nowMs) !== undefined;
  assert.deepEqual(
    Array.from({ length: 26 }, () => isWritten(0)),
    [...Array(25).fill(true), false],
  );
  assert.equal(isWritten(299_000), false);
  assert.equal(isWritten(600_000), true);
});
