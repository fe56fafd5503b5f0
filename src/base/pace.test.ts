import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from './limits.ts';
import { Pace } from './pace.ts';

/** Does pieces that take so long, and tells how many ran in each turn. */
async function turnsOf(count: number, pieceMs: number): Promise<number[]> {
  let nowMs = 0;
  const turns = [0];
  const pace = new Pace(
    () => nowMs,
    (run) =>
      setImmediate(() => {
        turns.push(0);
        run();
      }),
  );
  const piece = async () => {
    turns[turns.length - 1]!++;
    // The longer part comes after what it waits for.
    await Promise.resolve();
    nowMs += pieceMs;
  };
  await Promise.all(Array.from({ length: count }, () => pace.run(piece)));
  return turns;
}

test('long pieces of work are done one per turn of the event loop', async () => {
  assert.deepEqual(await turnsOf(4, 2 * limits.turnMs), [1, 1, 1, 1]);
});

test('as many short pieces of work are done per turn as it has room for', async () => {
  assert.deepEqual(await turnsOf(15, 0), [1, 2, 4, 8]);
  const turns = await turnsOf(100, limits.turnMs / 4);
  assert.ok(Math.max(...turns) <= 8, `${turns}`);
});

test('a piece of work that fails rejects, and does not stop those after it', async () => {
  const pace = new Pace(() => 0, setImmediate);
  await assert.rejects(
    pace.run(() => Promise.reject(new Error('lost'))),
    /lost/,
  );
  assert.equal(await pace.run(async () => 'done'), 'done');
});
