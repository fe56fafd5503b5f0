import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { storeContract } from '../../test/contract/store.ts';
import { ManualClock } from '../base/clock.ts';
import { MemoryStore } from './memory-store.ts';
import { FIRST_REVISION, type StoreEvent } from './store.ts';
import { TransformedStore } from './transformed-store.ts';
import { TransformError, type ValueTransformer } from './value-transformer.ts';

/** Turns the bits of a value and puts a mark before it. */
const flip = (mark: string): ValueTransformer => ({
  transformToStorage: (plain) => Buffer.concat([Buffer.from(mark), plain.map((byte) => byte ^ 0xff)]),
  transformFromStorage: (stored) => {
    const found = String.fromCharCode(stored[0] ?? 0);
    if (found === '!') throw new TransformError('no key for it');
    return { plain: Buffer.from(stored.subarray(1).map((byte) => byte ^ 0xff)), stale: found !== mark };
  },
});

/** As flip, after a while. */
const slow: ValueTransformer = {
  async transformToStorage(plain, context) {
    await new Promise(setImmediate);
    return flip('s').transformToStorage(plain, context);
  },
  async transformFromStorage(stored, context) {
    await new Promise(setImmediate);
    return flip('s').transformFromStorage(stored, context);
  },
};

/** As long as the plain value, so that sizes are what the contract says. */
const turned: ValueTransformer = {
  transformToStorage: (plain) => plain.map((byte) => byte ^ 0xff),
  transformFromStorage: (stored) => ({ plain: stored.map((byte) => byte ^ 0xff), stale: false }),
};

storeContract('the memory store with transformed values', async (context) => ({
  store: new TransformedStore(new MemoryStore(context), { of: () => turned }),
}));

describe('a store with encryption at rest', () => {
  const over = (transformer: ValueTransformer | undefined) => {
    const inner = new MemoryStore({ clock: new ManualClock() });
    let current = transformer;
    const store = new TransformedStore(inner, { of: (key) => (key.startsWith('/clear') ? undefined : current) });
    const use = (next: ValueTransformer): void => {
      current = next;
    };
    return { inner, store, use };
  };
  const value = Buffer.from('value');

  it('a store with encryption at rest stores other bytes than it returns, except for keys without a transformer', async () => {
    const { inner, store } = over(flip('a'));
    await store.put('/a', value, 'absent');
    await store.put('/clear', value, 'absent');
    assert.equal(
      (await inner.get('/a'))?.value.toString('latin1'),
      `a${Buffer.from(value.map((byte) => byte ^ 0xff)).toString('latin1')}`,
    );
    assert.equal((await store.get('/a'))?.value, value, 'the very Buffer that was written');
    assert.equal((await inner.get('/clear'))?.value, value);
  });

  it('a store with encryption at rest decrypts nothing for a list without values', async () => {
    const { inner, store } = over(flip('a'));
    await inner.put('/a', Buffer.from('!'), 'absent');
    assert.ok((await store.list('/')).entries[0]?.unreadable instanceof TransformError);
    assert.deepEqual((await store.list('/', { keysOnly: true })).entries, (await inner.list('/')).entries);
  });

  it('a store with encryption at rest returns the same Buffer each time it is read', async () => {
    const { inner, store } = over(flip('a'));
    await inner.put('/a', Buffer.from('a\xff', 'latin1'), 'absent');
    const first = (await store.get('/a'))?.value;
    assert.deepEqual(first, Buffer.from([0]));
    assert.equal((await store.list('')).entries[0]?.value, first);
  });

  it('a store with encryption at rest reports values that a newer key would encrypt as stale', async () => {
    const { store, use } = over(flip('a'));
    await store.put('/a', value, 'absent');
    assert.equal(await store.isStale('/a', value), false);
    use(flip('b'));
    assert.equal(await store.isStale('/a', value), true);
    await store.put('/a', value, 'any');
    assert.equal(await store.isStale('/a', value), false);
  });

  it('a store with encryption at rest marks values that it cannot decrypt, and continues with the others', async () => {
    const { inner, store } = over(flip('a'));
    await inner.put('/a', Buffer.from('!x'), 'absent');
    await store.put('/b', value, 'absent');
    const { entries } = await store.list('');
    assert.deepEqual(
      entries.map(({ key, unreadable }) => [key, unreadable?.message]),
      [
        ['/a', 'no key for it'],
        ['/b', undefined],
      ],
    );
    assert.equal((await store.get('/a'))?.unreadable?.message, 'no key for it');
    assert.ok((await store.delete('/a', 'any')).written);
  });

  it('a store with encryption at rest delivers events in order when decryption takes time, before the write is acknowledged', async () => {
    const { inner, store } = over(slow);
    const events: StoreEvent[] = [];
    const onEvent = (event: StoreEvent): void => {
      events.push(event);
    };
    await store.watch({ prefix: '', after: FIRST_REVISION, onEvent, onEnd: () => {} });
    await inner.put('/foreign', Buffer.from('s\xfe', 'latin1'), 'absent');
    assert.equal(store.currentRevision(), FIRST_REVISION, 'not before its event');
    await store.put('/own', value, 'absent');
    assert.deepEqual(
      events.map(({ key, value: seen }) => [key, [...(seen ?? [])]]),
      [
        ['/foreign', [1]],
        ['/own', [...value]],
      ],
    );
    assert.equal(store.currentRevision(), FIRST_REVISION + 2);
  });
});
