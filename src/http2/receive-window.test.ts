import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededRandom } from '../base/seeded-random.ts';
import { ReceiveWindow } from './receive-window.ts';

test('a receive window accepts exactly its bytes', () => {
  const window = new ReceiveWindow(10);
  assert.equal(window.take(10), true);
  assert.equal(window.take(0), true);
  assert.equal(window.take(1), false);
});

test('a receive window is increased when half of it has been read, by all that has been read', () => {
  const window = new ReceiveWindow(10);
  window.take(10);
  assert.deepEqual([window.done(4), window.done(1), window.done(4), window.done(1)], [0, 5, 0, 5]);
});

test('a receive window never exceeds its size, and never stays closed', () => {
  const random = new SeededRandom(5);
  const window = new ReceiveWindow(1000);
  let left = 1000;
  let held = 0;
  for (let round = 0; round < 10_000; round++) {
    const comes = random.below(left + 1);
    assert.equal(window.take(comes), true);
    left -= comes;
    held += comes;
    const done = random.chance(20) ? held : random.below(held + 1);
    held -= done;
    left += window.done(done);
    assert.ok(left + held <= 1000);
    if (held === 0) assert.ok(left > 500, 'who has read all may go on');
  }
});
