import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import { storeContract } from '../../../test/contract/store.ts';
import { ManualClock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import { MemoryStore } from '../memory-store.ts';
import type { StoreEvent } from '../store.ts';
import { StoreHub } from './store-hub.ts';
import { ThreadStore } from './thread-store.ts';

storeContract('the store of another thread', async (context) => {
  const owned = new MemoryStore(context);
  context.after(() => owned.close());
  const hub = await StoreHub.over(owned, context.clock);
  return { store: new ThreadStore(hub.seat()), keptElsewhere: true };
});

async function threeUsers(t: TestContext) {
  const clock = new ManualClock();
  const owned = new MemoryStore({ clock });
  const hub = await StoreHub.over(owned, clock);
  const [one, other] = [new ThreadStore(hub.seat()), new ThreadStore(hub.seat())];
  t.after(async () => {
    await Promise.all([one.close(), other.close()]);
    await owned.close();
  });
  return { owned, one, other };
}

async function watched(store: ThreadStore, prefix: string) {
  const events: StoreEvent[] = [];
  const ends: (Error | undefined)[] = [];
  await store.watch({
    prefix,
    after: store.currentRevision(),
    onEvent: (event) => events.push(event),
    onEnd: (error) => ends.push(error),
  });
  return { events, ends };
}

test('a thread that has caught up has the events of every acknowledged write of other threads', async (t) => {
  const { owned, one, other } = await threeUsers(t);
  const { events } = await watched(other, '/pods/');
  for (const writer of [owned, one]) {
    const result = await writer.put('/pods/a', Buffer.from('x'), 'any');
    assert.ok(result.written);
    await other.catchUp();
    assert.equal(events.at(-1)?.revision, result.revision);
    assert.ok(other.currentRevision() >= result.revision);
  }
});

test('the event of a write holds the same buffer that its own thread wrote', async (t) => {
  const { one } = await threeUsers(t);
  const { events } = await watched(one, '');
  const value = Buffer.from('x');
  await one.put('/pods/a', value, 'absent');
  assert.equal(events[0]?.value, value);
});

test('threads share the memory of a value', async (t) => {
  const { owned, one, other } = await threeUsers(t);
  await one.put('/pods/a', Buffer.from('text'), 'absent');
  const buffers = await Promise.all([owned, other].map(async (store) => (await store.get('/pods/a'))!.value));
  buffers[0]!.write('next');
  assert.deepEqual(buffers.map(String), ['next', 'next']);
});

test('the watches of a thread that does not keep up end', async (t) => {
  const { owned, one } = await threeUsers(t);
  const { ends } = await watched(one, '');
  const value = Buffer.alloc(1024 * 1024);
  for (let sent = 0; sent <= limits.threadFeedBytes; sent += value.length) await owned.put('/pods/a', value, 'any');
  while (ends.length === 0) await nextRound();
  assert.match(String(ends[0]), /does not keep up/);
});

test('the watches of a thread end with the store', async (t) => {
  const { owned, one } = await threeUsers(t);
  const { ends } = await watched(one, '');
  await owned.close();
  while (ends.length === 0) await nextRound();
  assert.deepEqual(ends, [undefined]);
});
