import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogFollowers } from './log-followers.ts';

test('a follower of a log is notified for its pod only, and until it stops', async () => {
  const followers = new LogFollowers();
  const leaving = new AbortController();
  const told: string[] = [];
  const follow = (key: string, signal: AbortSignal) => followers.next(key, signal).then(() => void told.push(key));
  const stays = new AbortController().signal;
  const all = [follow('a', stays), follow('b', leaving.signal)];
  followers.tell('a');
  await all[0];
  assert.deepEqual(told, ['a']);
  leaving.abort();
  await Promise.all(all);
  assert.deepEqual(told, ['a', 'b']);
  await followers.next('c', leaving.signal);
});
