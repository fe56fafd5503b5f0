import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Latest } from './latest.ts';

test('the scheduler forgets the entry that was set longest ago', () => {
  const latest = new Latest<number>(2);
  for (const key of ['a', 'b', 'a', 'c']) latest.set(key, 1);
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => latest.get(key)),
    [1, undefined, 1],
  );
});
