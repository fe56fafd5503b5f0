import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce, carriedOut, inTurns, LeftForLater } from './steps.ts';

function* counting(done: number[], upTo: number) {
  for (let number = 1; number <= upTo; number++) {
    done.push(number);
    yield;
  }
  return upTo;
}

/** A turn that is over after each step; the waits for the next one end when they are told to. */
function turnsOfOneStep() {
  const waiting: (() => void)[] = [];
  return { waiting, turn: { over: () => new Promise<void>((resolve) => waiting.push(resolve)) } };
}

test('steps without a turn are taken at once', () => {
  const done: number[] = [];
  assert.equal(atOnce(counting(done, 3)), 3);
  assert.equal(carriedOut(counting(done, 2), undefined), 2);
  assert.deepEqual(done, [1, 2, 3, 1, 2]);
});

test('steps with a turn wait for the next one when it is over', async () => {
  const { waiting, turn } = turnsOfOneStep();
  const done: number[] = [];
  const whole = inTurns(counting(done, 2), turn);
  assert.deepEqual(done, [1]);
  waiting.shift()?.();
  await Promise.resolve();
  assert.deepEqual(done, [1, 2]);
  waiting.shift()?.();
  assert.equal(await whole, 2);
});

test('what is left for later is done in order, and once', () => {
  const later = new LeftForLater();
  const done: number[] = [];
  const work = (upTo: number) =>
    function* () {
      yield* counting(done, upTo);
    };
  later.add(work(2));
  later.add(work(1));
  assert.deepEqual(done, []);
  atOnce(later.steps());
  atOnce(later.steps());
  assert.deepEqual(done, [1, 2, 1]);
});
