// Store contract: writes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FIRST_REVISION } from '../../src/store/store.ts';
import { bytes, type OpenStore, opened, recorded, refused, text, written } from './store-context.ts';

export function writeContract(name: string, open: OpenStore): void {
  describe(`${name}: writes`, () => {
    it(`writes to ${name} begin at the first revision, and each one increments it`, async (t) => {
      const { store } = await opened(open, t);
      assert.equal(store.currentRevision(), FIRST_REVISION);
      assert.equal(store.compactedRevision(), FIRST_REVISION);
      assert.equal(store.fault?.(), undefined);
      assert.deepEqual(await store.list(''), { entries: [], revision: FIRST_REVISION, more: false });
      assert.equal((await written(store.put('/a', bytes('1'), 'absent'))).revision, FIRST_REVISION + 1);
      assert.equal((await written(store.put('/b', bytes('1'), 'any'))).revision, FIRST_REVISION + 2);
      assert.equal((await written(store.delete('/a', 'any'))).revision, FIRST_REVISION + 3);
      assert.equal(store.currentRevision(), FIRST_REVISION + 3);
    });

    it(`writes to ${name} return the new entry and the previous one`, async (t) => {
      const { store, keptElsewhere } = await opened(open, t);
      const before = (revision: number, text: string) =>
        keptElsewhere ? undefined : { key: '/a', value: bytes(text), revision };
      assert.equal(await store.get('/a'), undefined);
      const first = await written(store.put('/a', bytes('one'), 'absent'));
      assert.equal(first.previous, undefined);
      const second = await written(store.put('/a', bytes('two'), first.revision));
      assert.deepEqual(second.previous, before(first.revision, 'one'));
      assert.deepEqual(await store.get('/a'), { key: '/a', value: bytes('two'), revision: second.revision });
      const third = await written(store.delete('/a', second.revision));
      assert.deepEqual(third.previous, before(second.revision, 'two'));
      assert.equal(await store.get('/a'), undefined);
    });

    it(`writes to ${name} are rejected if the expected revision is wrong, with the current entry`, async (t) => {
      const { store } = await opened(open, t);
      assert.equal(await refused(store.put('/a', bytes('x'), 7)), undefined);
      const { revision } = await written(store.put('/a', bytes('one'), 'absent'));
      const there = { key: '/a', value: bytes('one'), revision };
      assert.deepEqual(await refused(store.put('/a', bytes('x'), 'absent')), there);
      assert.deepEqual(await refused(store.put('/a', bytes('x'), revision - 1)), there);
      assert.deepEqual(await refused(store.delete('/a', revision + 1)), there);
      assert.equal(await refused(store.delete('/b', 'any')), undefined);
      assert.equal(await refused(store.delete('/b', revision)), undefined);
      assert.equal(store.currentRevision(), revision, 'a refused write has no revision');
    });

    it(`writes to ${name} compare revisions, not values, after a key was deleted and created again`, async (t) => {
      const { store } = await opened(open, t);
      const first = await written(store.put('/a', bytes('same'), 'absent'));
      await written(store.delete('/a', 'any'));
      await written(store.put('/a', bytes('same'), 'absent'));
      assert.equal(text(await refused(store.put('/a', bytes('x'), first.revision))), 'same');
    });

    it(`writes to ${name} keep keys and values unchanged, with empty ones and unusual characters`, async (t) => {
      const { store, reopen } = await opened(open, t);
      const keys = ['', '/a\0b', '/a', '/ä', '/\u{1f600}', '/\uffee'];
      for (const key of keys) await written(store.put(key, bytes(`value of ${key}`), 'absent'));
      await written(store.put('/empty', Buffer.alloc(0), 'absent'));
      const again = reopen ? await reopen() : store;
      for (const key of keys) assert.equal(text(await again.get(key)), `value of ${key}`);
      assert.equal((await again.get('/empty'))?.value.length, 0);
    });

    it(`writes to ${name} return the same Buffer that was put in gets, lists, watches and previous entries`, async (t) => {
      const { store, keptElsewhere } = await opened(open, t);
      const value = bytes('one');
      const watch = await recorded(store, '/', FIRST_REVISION);
      await written(store.put('/a', value, 'absent'));
      if (keptElsewhere) return assert.equal(watch.events[0]?.value, value);
      assert.equal((await store.get('/a'))?.value, value);
      assert.equal((await store.list('/')).entries[0]?.value, value);
      assert.equal(watch.events[0]?.value, value);
      assert.equal((await written(store.put('/a', bytes('two'), 'any'))).previous?.value, value);
      assert.equal(watch.events[1]?.previous?.value, value);
    });

    it(`writes to ${name} let one of many concurrent writes win that expect the same revision`, async (t) => {
      const { store } = await opened(open, t);
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, index) => store.put('/a', bytes(`${index}`), 'absent')),
      );
      const winners = results.filter((result) => result.written);
      assert.equal(winners.length, 1);
      const there = await store.get('/a');
      for (const result of results) if (!result.written) assert.deepEqual(result.current, there);
    });

    it(`writes to ${name} lose no update when many writers increment one key`, async (t) => {
      const { store } = await opened(open, t);
      await written(store.put('/count', bytes('0'), 'absent'));
      const watch = await recorded(store, '/count', store.currentRevision());
      const increment = async (): Promise<void> => {
        for (let current = await store.get('/count'); ; ) {
          const result = await store.put('/count', bytes(`${Number(text(current)) + 1}`), current!.revision);
          if (result.written) return;
          current = result.current;
        }
      };
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          for (let round = 0; round < 5; round++) await increment();
        }),
      );
      assert.equal(text(await store.get('/count')), '100');
      assert.deepEqual(
        watch.events.map(({ value }) => Number(value)),
        Array.from({ length: 100 }, (_, at) => at + 1),
      );
    });

    it(`writes to ${name} are executed in the order of their calls`, async (t) => {
      const { store } = await opened(open, t);
      const results = await Promise.all([
        store.put('/a', bytes('1'), 'absent'),
        store.put('/a', bytes('2'), FIRST_REVISION + 1),
        store.delete('/a', FIRST_REVISION + 2),
        store.put('/a', bytes('4'), 'absent'),
        store.put('/a', bytes('5'), 'absent'),
        store.delete('/b', 'any'),
      ]);
      assert.deepEqual(
        results.map(({ written }) => written),
        [true, true, true, true, false, false],
      );
      assert.equal(text(await store.get('/a')), '4');
    });
  });
}
