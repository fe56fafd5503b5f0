// Reads at version 0 of what is not cached: all kinds with --watch-cache=false, and events always.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { startTestServer } from '../testing.ts';

class CountingStore extends MemoryStore {
  caughtUp = 0;
  readonly catchUp = async (): Promise<void> => {
    this.caughtUp++;
  };
}

const maps = '/api/v1/namespaces/default/configmaps';
const events = '/api/v1/namespaces/default/events';
const event = {
  metadata: { name: 'a' },
  involvedObject: { kind: 'Pod', namespace: 'default', name: 'a' },
};

/** Which reads at version 0 ask the store for its latest writes. */
async function readsOfTheStore(watchCache: boolean): Promise<string[]> {
  const store = new CountingStore({ clock: new ManualClock() });
  await using server = await startTestServer({ controllers: '', watchCache }, { store: Promise.resolve(store) });
  await server.request('POST', maps, { metadata: { name: 'a' } });
  await server.request('POST', events, event);
  const asking: string[] = [];
  for (const path of [
    `${maps}/a?`,
    `${maps}?`,
    `${maps}?watch=true&timeoutSeconds=-1&`,
    `${events}/a?`,
    `${events}?`,
  ]) {
    const before = store.caughtUp;
    const { status } = await server.request('GET', `${path}resourceVersion=0`);
    assert.equal(status, 200, path);
    if (store.caughtUp > before) asking.push(path);
  }
  return asking;
}

test('with --watch-cache=false a get, list or watch at resourceVersion=0 shows the newest state of the store', async () => {
  const all = [`${maps}/a?`, `${maps}?`, `${maps}?watch=true&timeoutSeconds=-1&`, `${events}/a?`, `${events}?`];
  assert.deepEqual(await readsOfTheStore(false), all);
});

test('with a watch cache a read at resourceVersion=0 shows any state, except of events', async () => {
  assert.deepEqual(await readsOfTheStore(true), [`${events}/a?`, `${events}?`]);
});
