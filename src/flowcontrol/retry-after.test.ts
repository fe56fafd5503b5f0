import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RetryAfter } from './retry-after.ts';

/** The advice after each second, in which so many requests were refused. */
function advice(drops: readonly number[]): number[] {
  const retryAfter = new RetryAfter();
  return drops.map((count, second) => {
    for (let drop = 0; drop < count; drop++) retryAfter.dropped(1_700_000_000_000 + second * 1000);
    return retryAfter.seconds;
  });
}

test('Retry-After begins at one second and stays there while few requests are rejected', () => {
  assert.deepEqual(advice([1, 1, 2, 0, 1]), [1, 1, 1, 1, 1]);
});

test('Retry-After doubles up to 32 seconds, when the last advice has had its time', () => {
  const seconds = advice(new Array<number>(70).fill(200));
  assert.deepEqual(seconds.slice(0, 9), [1, 2, 2, 4, 4, 4, 4, 8, 8]);
  assert.equal(seconds.at(-1), 32);
});

test('Retry-After decreases by one each second once few requests are rejected', () => {
  assert.deepEqual(advice([9, 9, 9, 9, 1, 0, 0, 0, 0, 0, 1, 1, 1]), [1, 2, 2, 4, 4, 4, 4, 4, 4, 4, 3, 2, 2]);
});
