// Store contract: history, closing and reopening.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CompactedError, FIRST_REVISION, FutureRevisionError, type Store, StoreError } from '../../src/store/store.ts';
import {
  bytes,
  KEPT_ELSEWHERE,
  listed,
  MINUTE_MS,
  type OpenStore,
  opened,
  recorded,
  text,
  written,
} from './store-context.ts';

export function historyContract(name: string, open: OpenStore): void {
  describe(`${name}: history`, () => {
    async function assertCompacted(attempt: Promise<unknown>, compacted: number): Promise<void> {
      await assert.rejects(attempt, (error) => {
        assert.ok(error instanceof CompactedError, String(error));
        assert.equal(error.compactedRevision, compacted);
        return true;
      });
    }
    const watchFrom = (store: Store, after: number) =>
      store.watch({ prefix: '/', after, onEvent: () => {}, onEnd: () => {} });

    async function assertHistoryFrom(store: Store, compacted: number): Promise<void> {
      assert.equal(store.compactedRevision(), compacted);
      await assertCompacted(store.list('/', { revision: compacted - 1 }), compacted);
      await assertCompacted(watchFrom(store, compacted - 1), compacted);
      const { events, close } = await recorded(store, '', compacted);
      close();
      assert.equal(events.length, store.currentRevision() - compacted);
    }

    it(`the history of ${name} has nothing before the first revision`, async (t) => {
      const { store } = await opened(open, t);
      await assertHistoryFrom(store, FIRST_REVISION);
      await assertCompacted(store.list('/', { revision: 1 }), FIRST_REVISION);
    });

    it(`the history of ${name} loses what is compacted, and keeps the state`, async (t) => {
      const { store } = await opened(open, t);
      for (let index = 0; index < 10; index++) await written(store.put(`/${index % 3}`, bytes(`${index}`), 'any'));
      const state = await listed(store, '/');
      await store.compact(FIRST_REVISION + 4);
      await assertHistoryFrom(store, FIRST_REVISION + 4);
      await store.compact(FIRST_REVISION + 2);
      await assertHistoryFrom(store, FIRST_REVISION + 4);
      await store.compact(FIRST_REVISION + 10);
      await assertHistoryFrom(store, FIRST_REVISION + 10);
      assert.deepEqual(await listed(store, '/'), state);
      assert.deepEqual(await listed(store, '/', { revision: FIRST_REVISION + 10 }), state);
      await assert.rejects(store.compact(FIRST_REVISION + 11), FutureRevisionError);
    });

    it(`the history of ${name} is kept for its time, and not much longer`, async (t) => {
      const { store, clock, keptElsewhere } = await opened(open, t);
      if (keptElsewhere) return t.skip(KEPT_ELSEWHERE);
      await written(store.put('/a', bytes('1'), 'any'));
      clock.advance(3 * MINUTE_MS);
      await written(store.put('/a', bytes('2'), 'any'));
      clock.advance(1.9 * MINUTE_MS);
      await assertHistoryFrom(store, FIRST_REVISION);
      clock.advance(1.2 * MINUTE_MS);
      await assertHistoryFrom(store, FIRST_REVISION + 1);
      clock.advance(60 * MINUTE_MS);
      await assertHistoryFrom(store, FIRST_REVISION + 2);
      assert.equal(text(await store.get('/a')), '2');
    });

    it(`the history of ${name} tells by time which revisions have expired`, async (t) => {
      const { store, clock, keptElsewhere } = await opened(open, t, { historyEvents: 1 });
      if (keptElsewhere) return t.skip(KEPT_ELSEWHERE);
      for (let index = 0; index < 3; index++) await written(store.put('/a', bytes(`${index}`), 'any'));
      const expired = () => store.expiredRevision() - FIRST_REVISION;
      assert.equal(expired(), 0, 'what was let go of for another reason has not expired');
      clock.advance(4.9 * MINUTE_MS);
      assert.ok(expired() < 3, String(expired()));
      clock.advance(2.1 * MINUTE_MS);
      assert.equal(expired(), 3);
    });

    it(`the history of ${name} is limited by the bytes of superseded values`, async (t) => {
      const { store, keptElsewhere } = await opened(open, t, { historyBytes: 350 });
      if (keptElsewhere) return t.skip(KEPT_ELSEWHERE);
      for (let index = 0; index < 10; index++) await written(store.put('/a', Buffer.alloc(100, index), 'any'));
      await assertHistoryFrom(store, store.currentRevision() - 3);
      assert.equal(store.statistics().historyEvents, 3);
    });

    it(`the history of ${name} is limited in number`, async (t) => {
      const { store, keptElsewhere } = await opened(open, t, { historyEvents: 5 });
      if (keptElsewhere) return t.skip(KEPT_ELSEWHERE);
      for (let index = 0; index < 10; index++) await written(store.put(`/${index}`, bytes('v'), 'any'));
      await assertHistoryFrom(store, store.currentRevision() - 5);
    });

    it(`the history of ${name} is compacted without disturbing watches in progress`, async (t) => {
      const { store } = await opened(open, t, { historyEvents: 1 });
      const watch = await recorded(store, '/', FIRST_REVISION);
      await Promise.all(Array.from({ length: 30 }, (_, index) => store.put(`/${index}`, bytes('v'), 'any')));
      await store.compact(store.currentRevision());
      await written(store.put('/last', bytes('v'), 'any'));
      assert.deepEqual(
        watch.events.map(({ revision }) => revision - FIRST_REVISION),
        Array.from({ length: 31 }, (_, at) => at + 1),
      );
    });
  });

  describe(`${name}: closing and reopening`, () => {
    it(`${name} completes pending calls when it is closed, and rejects later ones`, async (t) => {
      const { store } = await opened(open, t);
      const watch = await recorded(store, '/', FIRST_REVISION);
      const puts = Array.from({ length: 20 }, (_, index) => store.put(`/${index}`, bytes('v'), 'absent'));
      const closing = [store.close(), store.close()];
      for (const put of puts) await written(put);
      await Promise.all(closing);
      assert.equal(watch.seen.length, 20);
      assert.deepEqual(watch.ends, [undefined]);
      const calls = [
        () => store.get('/1'),
        () => store.list('/'),
        () => store.put('/1', bytes('v'), 'any'),
        () => store.delete('/1', 'any'),
        () => store.compact(FIRST_REVISION),
        () => watchFrom(store),
      ];
      for (const call of calls) await assert.rejects(call(), StoreError);
      assert.equal(store.fault?.(), 'the store is closed');
      function watchFrom(closed: Store) {
        return closed.watch({ prefix: '/', after: FIRST_REVISION, onEvent: () => {}, onEnd: () => {} });
      }
    });

    it(`${name} reports statistics of its size`, async (t) => {
      const { store, keptElsewhere } = await opened(open, t);
      if (keptElsewhere) return t.skip(KEPT_ELSEWHERE);
      await written(store.put('/a', Buffer.alloc(10), 'any'));
      await written(store.put('/a', Buffer.alloc(30), 'any'));
      await written(store.put('/b', Buffer.alloc(5), 'any'));
      await written(store.delete('/b', 'any'));
      assert.deepEqual(store.statistics(), { entries: 1, bytes: 30, historyEvents: 4, queuedWrites: 0 });
    });

    it(`${name} restores the state, the history and the revision when it is opened again`, async (t) => {
      const { store, clock, reopen, keptElsewhere } = await opened(open, t);
      if (reopen === undefined) return t.skip('does not outlive its process');
      await written(store.put('/a', bytes('1'), 'any'));
      await written(store.put('/b', bytes('1'), 'any'));
      clock.advance(4 * MINUTE_MS);
      await written(store.put('/a', bytes('2'), 'any'));
      await written(store.delete('/b', 'any'));
      const past = await recorded(store, '/', FIRST_REVISION);
      const states = await Promise.all([0, 1, 2, 3, 4].map((at) => store.list('/', { revision: FIRST_REVISION + at })));
      let again = await reopen();
      assert.equal(again.currentRevision(), FIRST_REVISION + 4);
      assert.equal(again.compactedRevision(), FIRST_REVISION);
      assert.deepEqual((await recorded(again, '/', FIRST_REVISION)).events, past.events);
      for (const state of states) assert.deepEqual(await again.list('/', { revision: state.revision }), state);
      if (keptElsewhere) return;
      clock.advance(2 * MINUTE_MS);
      again = await reopen();
      assert.equal(again.compactedRevision(), FIRST_REVISION + 2);
      assert.deepEqual((await recorded(again, '/', FIRST_REVISION + 2)).events, past.events.slice(2));
      assert.equal((await written(again.put('/a', bytes('3'), FIRST_REVISION + 3))).revision, FIRST_REVISION + 5);
    });

    it(`${name} never reuses a revision, and remembers compactions`, async (t) => {
      const { store, reopen } = await opened(open, t);
      if (reopen === undefined) return t.skip('does not outlive its process');
      await written(store.put('/a', bytes('1'), 'any'));
      await written(store.put('/a', bytes('2'), 'any'));
      await written(store.delete('/a', 'any'));
      await store.compact(store.currentRevision());
      const again = await reopen();
      assert.equal(again.compactedRevision(), FIRST_REVISION + 3);
      assert.equal(again.currentRevision(), FIRST_REVISION + 3);
      assert.deepEqual(await listed(again, ''), []);
      assert.equal((await written(again.put('/a', bytes('3'), 'absent'))).revision, FIRST_REVISION + 4);
    });
  });
}
