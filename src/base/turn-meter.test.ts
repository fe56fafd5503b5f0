import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from './limits.ts';
import { TurnMeter } from './turn-meter.ts';

function world() {
  let nowMs = 1_000;
  const rounds: (() => void)[] = [];
  const lengths: number[] = [];
  const held: object[] = [];
  const meter = new TurnMeter({
    now: () => nowMs,
    nextRound: (run) => rounds.push(run),
    observe: (ms) => lengths.push(ms),
    held: (what) => held.push(what),
  });
  const spend = (taskName: string, ms: number) => {
    meter.enter({ taskName });
    nowMs += ms;
  };
  const round = () => {
    for (const run of rounds.splice(0)) run();
  };
  return { lengths, held, rounds, spend, round };
}

test('a turn of the event loop lasts from its first task until the next round', () => {
  const { lengths, rounds, spend, round } = world();
  spend('get pods', 1);
  spend('get pods', 2);
  assert.equal(rounds.length, 1);
  round();
  spend('list pods', 4);
  round();
  assert.deepEqual(lengths, [3, 4]);
  round();
  assert.deepEqual(lengths, [3, 4], 'a round without work is not a turn');
});

test('a turn that was too long is reported with the task that took most of it', () => {
  const { held, spend, round } = world();
  spend('get pods', limits.heldLoopMs);
  round();
  assert.deepEqual(held, []);
  spend('get pods', 1);
  spend('list pods', limits.heldLoopMs);
  spend('get pods', 2);
  round();
  assert.deepEqual(held, [{ ms: limits.heldLoopMs + 3, task: 'list pods', taskMs: limits.heldLoopMs }]);
  spend('get pods', 1);
  round();
  assert.equal(held.length, 1);
});
