import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { CompactedError, type WatchOptions } from '../store/store.ts';
import { createWatchCache } from './watch-cache.ts';

const PREFIX = '/registry/configmaps/';
const ALL = { namespace: undefined, name: undefined, matches: undefined, cost: 0 };

/** A store with old objects and recent writes, and a cache of it that opens one object per turn. */
async function setUp() {
  const store = new MemoryStore({ clock: new ManualClock() });
  const watches: WatchOptions[] = [];
  const { watch } = store;
  store.watch = (options) => {
    watches.push(options);
    return watch.call(store, options);
  };
  const put = (name: string) => store.put(`${PREFIX}a/${name}`, Buffer.from('{}'), 'any');
  for (const name of ['old-1', 'old-2', 'old-3']) await put(name);
  await store.compact(store.currentRevision());
  for (const name of ['recent-1', 'recent-2', 'recent-3']) await put(name);
  const read: string[] = [];
  /** What goes on with the next turn. */
  const waiting: (() => void)[] = [];
  const opening = createWatchCache({
    ...{ store, clock: new ManualClock(), prefix: PREFIX, namespaced: true },
    attributes: (key) => {
      const name = key.split('/').at(-1)!;
      read.push(name);
      return { name, namespace: 'a', labels: undefined, fields: undefined };
    },
    turns: {
      begin: () => ({ over: () => new Promise((resolve) => waiting.push(resolve)) }),
      enter: () => {},
      later: (_, run) => run(),
    },
  });
  const turn = async () => {
    await new Promise(setImmediate);
    waiting.shift()?.();
    await new Promise(setImmediate);
  };
  return { store, put, read, opening, turn, watches };
}

test('a watch cache loads the objects of the store and later writes in turns', async () => {
  const { read, opening, turn } = await setUp();
  const inTurns: string[][] = [];
  for (let count = 0; count < 7; count++) {
    await turn();
    inTurns.push(read.splice(0));
  }
  const cache = await opening;
  assert.deepEqual(inTurns.flat(), ['old-1', 'old-2', 'old-3', 'recent-1', 'recent-2', 'recent-3']);
  assert.ok(inTurns.every((names) => names.length <= 2));
  assert.equal(cache.snapshot().count(ALL), 6);
  cache.close();
});

test('writes while a watch cache opens are seen in order, and those afterwards at once', async () => {
  const { store, put, read, opening, turn } = await setUp();
  let isOpen = false;
  void opening.then(() => {
    isOpen = true;
  });
  for (let count = 0; !isOpen; count++) {
    if (count < 6) await put('recent-2');
    await turn();
  }
  const cache = await opening;
  const atRevision = (revision: number) => [...cache.snapshotAt(revision)!.objects(ALL)].map(({ name }) => name);
  assert.deepEqual(read.slice(0, 5), ['old-1', 'old-2', 'old-3', 'recent-1', 'recent-2']);
  assert.equal(read.filter((name) => name === 'recent-2').length, 7);
  assert.equal(cache.revision, store.currentRevision());
  assert.equal(cache.get(`${PREFIX}a/recent-2`)?.revision, store.currentRevision());
  assert.deepEqual(atRevision(store.compactedRevision() + 1), ['old-1', 'old-2', 'old-3', 'recent-1']);
  await put('later');
  assert.equal(read.at(-1), 'later');
  cache.close();
});

test('a store that closes while a watch cache opens closes the cache', async () => {
  const { store, opening, turn } = await setUp();
  for (let count = 0; count < 5; count++) await turn();
  await store.close();
  await turn();
  const ended: string[] = [];
  const sink = {
    initial: () => true,
    initialEnd: () => true,
    event: () => true,
    end: (why: string) => ended.push(why),
  };
  (await opening).watch({ selection: ALL, from: 'state', sink });
  assert.deepEqual(ended, ['closed']);
});

test('a watch of the store that loses events while a watch cache opens is resumed, and the old one ignored', async () => {
  const { store, put, read, opening, turn, watches } = await setUp();
  while (watches.length === 0) await turn();
  // The last of the missed events is being applied when the feed ends.
  while (read.at(-1) !== 'recent-3') await turn();
  watches[0]!.onEnd(new CompactedError(store.compactedRevision()));
  for (let count = 0; count < 12; count++) await turn();
  assert.equal(watches.length, 2);
  await put('later');
  await turn();
  assert.equal(read.at(-1), 'later');
  const cache = await opening;
  assert.equal(cache.revision, store.currentRevision());
  cache.close();
});
