import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { MemoryStore } from '../store/memory-store.ts';
import type { Selection } from './types.ts';
import { createWatchCache } from './watch-cache.ts';

const PREFIX = '/registry/configmaps/';
/** So that a few objects take several turns. */
const cost = limits.requirementsInStep / 4;

async function setUp() {
  const clock = new ManualClock();
  const store = new MemoryStore({ clock });
  const waiting: (() => void)[] = [];
  const cache = await createWatchCache({
    ...{ store, clock, prefix: PREFIX, namespaced: true },
    attributes: (key) => ({ name: key.split('/').at(-1)!, namespace: 'a', labels: undefined, fields: undefined }),
    turns: { begin: () => ({ over: () => undefined }), enter: () => {}, later: (_, run) => void waiting.push(run) },
  });
  const put = (name: string) => store.put(`${PREFIX}a/${name}`, Buffer.from('{}'), 'any');
  const seen: string[] = [];
  const sink = {
    initial: ({ name }: { name: string }) => seen.push(`initial ${name}`) > 0,
    initialEnd: () => seen.push('initialEnd') > 0,
    event: (type: string, { name }: { name: string }) => seen.push(`${type} ${name}`) > 0,
    end: () => {},
  };
  let compared = 0;
  const selection: Selection = {
    ...{ namespace: undefined, name: undefined, cost },
    matches: ({ name }) => {
      compared++;
      return name.startsWith('wanted');
    },
  };
  const taken = () => ({ seen: seen.splice(0), compared: compared - (compared = 0) });
  /** Gives each waiting watcher one turn. */
  const turn = () => {
    for (const run of waiting.splice(0)) run();
  };
  return { cache, put, sink, selection, taken, turn, waiting };
}

test('a watch searches for its initial objects in turns', async () => {
  const { cache, put, sink, selection, taken, turn, waiting } = await setUp();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'wanted']) await put(name);
  const watcher = cache.watch({ selection, from: 'state', sink });
  assert.deepEqual(taken(), { seen: [], compared: 4 });
  // The sink cannot hurry it.
  watcher.resume();
  assert.deepEqual(taken(), { seen: [], compared: 0 });
  turn();
  assert.deepEqual(taken(), { seen: ['initial wanted', 'initialEnd'], compared: 3 });
  assert.equal(waiting.length, 0);
});

test('a watch searches the history in turns', async () => {
  const { cache, put, sink, selection, taken, turn, waiting } = await setUp();
  const from = cache.revision;
  for (const name of ['a', 'b', 'c', 'wanted']) await put(name);
  cache.watch({ selection, from, sink });
  assert.deepEqual(taken().seen, []);
  while (waiting.length > 0) turn();
  assert.deepEqual(taken().seen, ['ADDED wanted']);
});

test('a long selector of a watch is evaluated after the event, and misses nothing', async () => {
  const { cache, put, sink, selection, taken, turn, waiting } = await setUp();
  const short = { ...selection, cost: limits.promptRequirements };
  cache.watch({ selection: short, from: cache.revision, sink });
  cache.watch({ selection, from: cache.revision, sink });
  await put('a');
  assert.deepEqual(taken(), { seen: [], compared: 1 });
  await put('wanted');
  assert.deepEqual(taken(), { seen: ['ADDED wanted'], compared: 1 });
  while (waiting.length > 0) turn();
  assert.deepEqual(taken().seen, ['ADDED wanted']);
  await put('wanted');
  assert.deepEqual(taken().seen, ['MODIFIED wanted']);
  while (waiting.length > 0) turn();
  assert.deepEqual(taken().seen, ['MODIFIED wanted']);
});

test('a watch that has ended does nothing in its turn', async () => {
  const { cache, put, sink, selection, taken, turn } = await setUp();
  const watcher = cache.watch({ selection, from: cache.revision, sink });
  await put('wanted');
  watcher.close();
  turn();
  assert.deepEqual(taken().seen, []);
});
