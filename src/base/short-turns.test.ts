import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from './clock.ts';
import { limits } from './limits.ts';
import { ShortTurns, type Turn } from './short-turns.ts';

function world() {
  const clock = new ManualClock();
  const rounds: (() => void)[] = [];
  const turns = new ShortTurns(clock, (run) => rounds.push(run));
  const nextRound = async () => {
    for (const run of rounds.splice(0)) run();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { clock, rounds, turns, nextRound };
}

test('a turn lasts until its time is over, and the next one gets the whole time', async () => {
  const { clock, turns, nextRound } = world();
  const turn = turns.begin({ taskName: 'test' });
  assert.equal(turn.over(), undefined);
  clock.advance(limits.turnMs);
  const wait = turn.over();
  assert.ok(wait !== undefined);
  await nextRound();
  await wait;
  assert.equal(turn.over(), undefined);
});

test('one of the waiting tasks continues in each round of the event loop, in order', async () => {
  const { clock, rounds, turns, nextRound } = world();
  const all = ['a', 'b', 'c'].map((name) => ({ name, turn: turns.begin({ taskName: 'test' }) }));
  clock.advance(limits.turnMs);
  const went: string[] = [];
  for (const { name, turn } of all) void turn.over()?.then(() => went.push(name));
  for (const expected of ['a', 'ab', 'abc']) {
    assert.equal(rounds.length, 1);
    await nextRound();
    assert.equal(went.join(''), expected);
  }
  assert.equal(rounds.length, 0);
});

test('a clock that is set back ends a turn', () => {
  const { clock, turns } = world();
  const turn = turns.begin({ taskName: 'test' });
  clock.advance(-1000);
  assert.ok(turn.over() !== undefined);
});

test('a task that began earlier continues first, until it has had several turns', async () => {
  const { clock, turns, nextRound } = world();
  const went: string[] = [];
  const goOn = (name: string, turn: Turn): void => {
    void turn.over()?.then(() => {
      went.push(name);
      clock.advance(limits.turnMs);
      goOn(name, turn);
    });
  };
  const [a, b] = [turns.begin({ taskName: 'a' }), turns.begin({ taskName: 'b' })];
  clock.advance(limits.turnMs);
  // The order in which they wait does not matter.
  goOn('b', b);
  goOn('a', a);
  const further = limits.consecutiveTurnsMs / limits.turnMs - 1;
  for (let round = 0; round < 2 * further; round++) await nextRound();
  assert.equal(went.join(''), 'a'.repeat(further) + 'b'.repeat(further));
});
