// Store contract: watches.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FIRST_REVISION, type StoreEvent } from '../../src/store/store.ts';
import { bytes, type OpenStore, opened, recorded, text, written } from './store-context.ts';

export function watchContract(name: string, open: OpenStore): void {
  describe(`${name}: watches`, () => {
    it(`watches of ${name} deliver history, then new events, in order and once`, async (t) => {
      const { store, keptElsewhere } = await opened(open, t);
      await written(store.put('/a/1', bytes('x'), 'absent'));
      const start = store.currentRevision();
      await written(store.put('/a/1', bytes('y'), 'any'));
      await written(store.put('/b/1', bytes('z'), 'any'));
      const watch = await recorded(store, '/a/', start);
      await written(store.delete('/a/1', 'any'));
      await written(store.put('/a', bytes('z'), 'any'));
      await written(store.put('/a/2', bytes('z'), 'any'));
      assert.deepEqual(watch.seen, [`${start + 1} /a/1=y`, `${start + 3} /a/1-`, `${start + 5} /a/2=z`]);
      assert.deepEqual(
        watch.events.map(({ previous }) => text(previous)),
        keptElsewhere ? [undefined, undefined, undefined] : ['x', 'y', undefined],
      );
    });

    it(`watches of ${name} deliver an event before the write is acknowledged, when reads show it`, async (t) => {
      const { store } = await opened(open, t);
      const order: string[] = [];
      await store.watch({
        prefix: '/',
        after: FIRST_REVISION,
        onEvent: ({ key, revision }) => order.push(`event ${key} at ${store.currentRevision() - revision}`),
        onEnd: () => {},
      });
      const put = async (key: string): Promise<void> => {
        await store.put(key, bytes('v'), 'any');
        order.push(`acknowledged ${key}`);
      };
      await Promise.all([put('/a'), put('/b')]);
      assert.deepEqual(
        order.filter((line) => line.includes('/a')),
        ['event /a at 0', 'acknowledged /a'],
      );
      assert.deepEqual(
        order.filter((line) => line.includes('/b')),
        ['event /b at 0', 'acknowledged /b'],
      );
    });

    it(`watches of ${name} deliver every event of their prefix, however prefixes nest`, async (t) => {
      const { store } = await opened(open, t);
      const prefixes = ['', '/', '/a', '/a/', '/a/b', '/a/bc/', '/b/', '/a', '/aa/', '/\u{1f600}'];
      const watches = await Promise.all(prefixes.map((prefix) => recorded(store, prefix, FIRST_REVISION)));
      const keys = ['/a/b', '/a/bc/d', '/a', '/aa/x', '/b/', '/b', 'x', '/a/c', '/\u{1f600}/x', '/a/b0', '/\uffee'];
      for (const key of keys) await written(store.put(key, bytes('v'), 'absent'));
      for (const [at, { events }] of watches.entries()) {
        const expected = keys.filter((key) => key.startsWith(prefixes[at]!));
        assert.deepEqual(
          events.map(({ key }) => key),
          expected,
          `prefix ${prefixes[at]}`,
        );
      }
    });

    it(`watches of ${name} deliver no events up to a future start revision`, async (t) => {
      const { store } = await opened(open, t);
      const watch = await recorded(store, '/', FIRST_REVISION + 2);
      for (const key of ['/a', '/b', '/c', '/d']) await written(store.put(key, bytes('v'), 'absent'));
      assert.deepEqual(watch.seen, [`${FIRST_REVISION + 3} /c=v`, `${FIRST_REVISION + 4} /d=v`]);
    });

    it(`watches of ${name} are silent once they are closed, and others go on`, async (t) => {
      const { store } = await opened(open, t);
      const closed = await recorded(store, '/', FIRST_REVISION);
      const other = await recorded(store, '/', FIRST_REVISION);
      await written(store.put('/a', bytes('v'), 'absent'));
      closed.close();
      closed.close();
      await written(store.put('/b', bytes('v'), 'absent'));
      await store.close();
      assert.deepEqual([closed.seen.length, closed.ends], [1, []]);
      assert.deepEqual([other.seen.length, other.ends], [2, [undefined]]);
    });

    it(`watches of ${name} may be started, closed and written from while an event is delivered`, async (t) => {
      const { store } = await opened(open, t);
      const late: number[] = [];
      const outer: number[] = [];
      const started: Promise<unknown>[] = [];
      const inner = await store.watch({
        prefix: '/a/',
        after: FIRST_REVISION,
        onEvent({ revision }) {
          inner.close();
          const onEvent = (event: StoreEvent): unknown => late.push(event.revision);
          started.push(store.watch({ prefix: '/', after: revision - 1, onEvent, onEnd: () => {} }));
          started.push(store.put('/a/2', bytes('v'), 'absent'));
        },
        onEnd: () => {},
      });
      await store.watch({
        prefix: '/',
        after: FIRST_REVISION,
        onEvent: (e) => outer.push(e.revision),
        onEnd: () => {},
      });
      await written(store.put('/a/1', bytes('v'), 'absent'));
      await Promise.all(started);
      assert.deepEqual(late, [FIRST_REVISION + 1, FIRST_REVISION + 2]);
      assert.deepEqual(outer, [FIRST_REVISION + 1, FIRST_REVISION + 2]);
    });
  });
}
