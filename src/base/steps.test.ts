import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce, carriedOut, inTurns } from './steps.ts';

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

test('steps without a turn are carried out at once', () => {
  const done: number[] = [];
  assert.equal(atOnce(counting(done, 3)), 3);
  assert.equal(carriedOut(counting(done, 2), undefined), 2);
  assert.deepEqual(done, [1, 2, 3, 1, 2]);
});

test('steps with a turn wait for the next turn when it is over', async () => {
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
