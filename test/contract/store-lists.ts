// Store contract: lists.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FutureRevisionError, type ListOptions } from '../../src/store/store.ts';
import { bytes, listed, type OpenStore, opened, pairs, written } from './store-context.ts';

export function listContract(name: string, open: OpenStore): void {
  describe(`${name}: lists`, () => {
    it(`lists of ${name} return a prefix in the order of the bytes of the keys`, async (t) => {
      const { store } = await opened(open, t);
      const keys = ['/b', '/a/\u{1f600}', '/a/\uffee', '/a/z', '/a/a', '/a', '/a0', '/a/a/b', '/a/é', '/a/'];
      for (const key of keys) await written(store.put(key, bytes('v'), 'absent'));
      const { entries, revision, more } = await store.list('/a/');
      assert.deepEqual(
        entries.map(({ key }) => key),
        ['/a/', '/a/a', '/a/a/b', '/a/z', '/a/é', '/a/\uffee', '/a/\u{1f600}'],
      );
      assert.equal(revision, store.currentRevision());
      assert.equal(more, false);
      const all = (await store.list('')).entries.map(({ key }) => key);
      assert.deepEqual(
        all,
        keys.toSorted((one, other) => Buffer.compare(bytes(one), bytes(other))),
      );
    });

    it(`lists of ${name} keep their order when keys are added and removed between them`, async (t) => {
      const { store } = await opened(open, t);
      const keys = Array.from({ length: 300 }, (_, index) => `/k/${(index * 7919) % 1000}`);
      for (const [index, key] of keys.entries()) {
        await written(store.put(key, bytes('v'), 'absent'));
        if (index % 3 === 0) await written(store.delete(keys[index / 3]!, 'any'));
        if (index % 50 === 0) await store.list('/k/');
      }
      const left = keys.slice(100).toSorted();
      assert.deepEqual(
        (await store.list('/k/')).entries.map(({ key }) => key),
        left,
      );
    });

    it(`lists of ${name} return pages`, async (t) => {
      const { store } = await opened(open, t);
      for (const key of ['/a', '/b/1', '/b/2', '/b/3', '/c']) await written(store.put(key, bytes('v'), 'absent'));
      const page = async (after: string | undefined, limit: number) => {
        const { entries, more } = await store.list('/b/', { after, limit });
        return [entries.map(({ key }) => key), more];
      };
      assert.deepEqual(await page(undefined, 2), [['/b/1', '/b/2'], true]);
      assert.deepEqual(await page('/b/2', 2), [['/b/3'], false]);
      assert.deepEqual(await page(undefined, 3), [['/b/1', '/b/2', '/b/3'], false]);
      assert.deepEqual(await page('/b/15', 5), [['/b/2', '/b/3'], false]);
      assert.deepEqual(await page('/a', 1), [['/b/1'], true]);
      assert.deepEqual(await page('/c', 1), [[], false]);
    });

    it(`lists of ${name} return the exact state at an older revision`, async (t) => {
      const { store } = await opened(open, t);
      const states: [revision: number, state: string[]][] = [[store.currentRevision(), []]];
      const keys = ['/k/b', '/k/\u{1f600}', '/k/a', '/k/\uffee', '/k/c'];
      for (let step = 0; step < 60; step++) {
        const key = keys[(step * step + 3 * step) % keys.length]!;
        if (step % 4 === 3 && (await store.get(key)) !== undefined) await written(store.delete(key, 'any'));
        else await written(store.put(key, bytes(`${step}`), 'any'));
        await written(store.put('/other', bytes(`${step}`), 'any'));
        states.push([store.currentRevision(), await listed(store, '/k/')]);
      }
      for (const [revision, state] of states) {
        assert.deepEqual(await listed(store, '/k/', { revision }), state);
        const { entries, more } = await store.list('/k/', { revision, after: '/k/a', limit: 2 });
        const rest = state.filter((pair) => !pair.startsWith('/k/a'));
        assert.deepEqual(pairs(entries), rest.slice(0, 2));
        assert.equal(more, rest.length > 2);
      }
    });

    it(`lists of ${name} that need no values have the same keys and revisions, and none is unreadable`, async (t) => {
      const { store } = await opened(open, t);
      const facts = async (options: ListOptions) => {
        const { entries, revision, more } = await store.list('/k/', options);
        return { entries: entries.map((entry) => [entry.key, entry.revision, entry.unreadable]), revision, more };
      };
      for (const key of ['/k/a', '/k/b', '/k/\u{1f600}', '/other']) await written(store.put(key, bytes('1'), 'absent'));
      const revision = store.currentRevision();
      await written(store.put('/k/a', bytes('2'), 'any'));
      await written(store.delete('/k/b', 'any'));
      for (const options of [{}, { revision }, { revision, limit: 2 }, { after: '/k/a', limit: 1 }]) {
        assert.deepEqual(await facts({ ...options, keysOnly: true }), await facts(options));
      }
    });

    it(`lists of ${name} reject a future revision`, async (t) => {
      const { store } = await opened(open, t);
      await written(store.put('/a', bytes('1'), 'absent'));
      const revision = store.currentRevision() + 1;
      await assert.rejects(store.list('/', { revision }), (error) => {
        assert.ok(error instanceof FutureRevisionError);
        assert.equal(error.currentRevision, revision - 1);
        return true;
      });
    });
  });
}
