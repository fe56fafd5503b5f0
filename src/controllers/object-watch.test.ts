import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { createWatchCache } from '../watchcache/watch-cache.ts';
import { type ObjectFollower, ObjectWatch } from './object-watch.ts';

const VALUE = Buffer.from('{}');

async function cacheOf(historyEvents?: number) {
  const clock = new ManualClock();
  const store = new MemoryStore({ clock });
  const cache = await createWatchCache({
    store,
    clock,
    prefix: '/things/',
    namespaced: false,
    attributes: (key) => ({ name: key.slice('/things/'.length), namespace: '', labels: undefined, fields: undefined }),
    ...(historyEvents === undefined ? {} : { limits: { watchHistoryEvents: historyEvents } }),
  });
  const put = (name: string) => store.put(`/things/${name}`, VALUE, 'any');
  const remove = (name: string) => store.delete(`/things/${name}`, 'any');
  return { cache, put, remove };
}

function recorder() {
  const told: string[] = [];
  const follower: ObjectFollower = {
    changed: ({ name }, previous) => told.push(`${previous === undefined ? 'new' : 'changed'} ${name}`),
    removed: ({ name }) => told.push(`removed ${name}`),
    restarted: () => told.push('restarted'),
    synced: () => told.push('synced'),
  };
  return { told, follower };
}

test('a controller receives existing objects first, then events', async () => {
  const { cache, put, remove } = await cacheOf();
  await put('a');
  const { told, follower } = recorder();
  const watch = new ObjectWatch(cache, follower);
  await put('b');
  await put('a');
  await remove('b');
  watch.close();
  await put('c');
  assert.deepEqual(told, ['new a', 'synced', 'new b', 'changed a', 'removed b']);
});

test('a controller receives many objects in steps, and loses no event meanwhile', async () => {
  const { cache, put } = await cacheOf();
  const count = limits.followedObjects + 10;
  for (let index = 0; index < count; index++) await put(String(index));
  const { told, follower } = recorder();
  const watch = new ObjectWatch(cache, follower);
  assert.equal(told.length, limits.followedObjects);
  await put('0');
  await new Promise(setImmediate);
  watch.close();
  assert.deepEqual(told.slice(count), ['synced', 'changed 0']);
});

test('a controller whose watch has expired is notified and lists again', async () => {
  const { cache, put } = await cacheOf(5);
  for (let index = 0; index < limits.followedObjects; index++) await put(String(index));
  const { told, follower } = recorder();
  const watch = new ObjectWatch(cache, follower);
  for (let round = 0; round < 10; round++) await put('late');
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  watch.close();
  assert.ok(told.includes('restarted'), told.slice(-5).join());
  assert.deepEqual(
    told.slice(told.indexOf('restarted')).filter((each) => each === 'new late'),
    ['new late'],
  );
  assert.equal(told.at(-1), 'synced');
});
