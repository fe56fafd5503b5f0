import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock, type Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { Log, LogFields } from '../base/log.ts';
import { ShortTurns } from '../base/short-turns.ts';
import { MemoryStore } from '../store/memory-store.ts';
import {
  CompactedError,
  type Entry,
  type ListOptions,
  type ListResult,
  type StoreEvent,
  StoreLagError,
  StoreTimeoutError,
  type StoreWatch,
  type WatchOptions,
} from '../store/store.ts';
import { type CheckedCache, ConsistencyChecks } from './consistency-checks.ts';
import { createWatchCache } from './watch-cache.ts';

const PREFIX = '/registry/pods/';

/** A store of several writers that may lose events, not answer, and have values that cannot be read. */
class FaultyStore extends MemoryStore {
  losesEvents = false;
  unreadable = new Map<string, Error>();
  failure: Error | undefined;
  lag: Error | undefined;
  readonly lists: ListOptions[] = [];

  readonly catchUp = async (): Promise<void> => {
    if (this.lag !== undefined) throw this.lag;
  };

  override async list(prefix: string, options: ListOptions = {}): Promise<ListResult> {
    this.lists.push(options);
    if (this.failure !== undefined) throw this.failure;
    const { entries, ...rest } = await super.list(prefix, options);
    return {
      entries: options.keysOnly ? entries.map(withoutValue) : entries.map((entry) => this.#read(entry)),
      ...rest,
    };
  }

  override async get(key: string): Promise<Entry | undefined> {
    const entry = await super.get(key);
    return entry && this.#read(entry);
  }

  override watch(options: WatchOptions): Promise<StoreWatch> {
    const onEvent = (event: StoreEvent) => {
      const unreadable = event.value && this.unreadable.get(event.key);
      if (!this.losesEvents) options.onEvent({ ...event, unreadable });
    };
    return super.watch({ ...options, onEvent });
  }

  #read(entry: Entry): Entry {
    return { ...entry, unreadable: this.unreadable.get(entry.key) };
  }
}

/** Knows whether anybody waits for the next period. */
class PeriodClock extends ManualClock {
  isAwaited = false;

  override after(delayMs: number, wake: () => void): Timer {
    this.isAwaited = true;
    const timer = super.after(delayMs, () => {
      this.isAwaited = false;
      wake();
    });
    return {
      cancel: () => {
        this.isAwaited = false;
        timer.cancel();
      },
    };
  }
}

const withoutValue = (entry: Entry): Entry => ({ ...entry, value: Buffer.alloc(0) });

const nextRound = () => new Promise<void>((resume) => setImmediate(resume));

async function setUp() {
  const clock = new PeriodClock();
  const store = new FaultyStore({ clock: new ManualClock() });
  const cache = await createWatchCache({
    ...{ store, clock: new ManualClock(), prefix: PREFIX, namespaced: true },
    attributes: (key) => ({ name: key.split('/').at(-1)!, namespace: 'a', labels: undefined, fields: undefined }),
  });
  const statuses: string[] = [];
  const logged: [string, LogFields | undefined][] = [];
  const note = (message: string, fields?: LogFields) => void logged.push([message, fields]);
  const log: Log = { error: note, warn: note, info() {}, debug() {} };
  const checked: CheckedCache = {
    ...{ resource: 'pods', prefix: PREFIX, store, cache, checked: (status) => void statuses.push(status) },
  };
  const open: CheckedCache[] = [checked];
  const turns = new ShortTurns(clock, setImmediate);
  const checks = new ConsistencyChecks({ clock, log, turns, caches: () => open.values() });
  store.lists.length = 0;
  const put = (name: string, value = '1') => store.put(`${PREFIX}a/${name}`, Buffer.from(value), 'any');
  const remove = (name: string) => store.delete(`${PREFIX}a/${name}`, 'any');
  /** Lets a period pass. @returns the statuses that were counted */
  const period = async () => {
    if (clock.isAwaited) {
      clock.advance(limits.consistencyCheckMs);
      while (!clock.isAwaited) await nextRound();
    }
    return statuses.splice(0);
  };
  const ended: string[] = [];
  const watch = () =>
    cache.watch({
      selection: { namespace: undefined, name: undefined, matches: undefined },
      from: cache.revision,
      sink: {
        initial: () => true,
        initialEnd: () => true,
        event: () => true,
        end: (reason) => void ended.push(reason),
      },
    });
  const values = () =>
    [...cache.snapshot().objects({ namespace: undefined, name: undefined, matches: undefined })].map(
      ({ name, bytes }) => `${name}=${bytes}`,
    );
  return { clock, store, cache, checks, open, put, remove, period, logged, watch, ended, values };
}

test('a cache that has received every event is found equal to the store, once in each period', async () => {
  const { store, checks, put, remove, period, logged, watch, ended } = await setUp();
  assert.deepEqual(await period(), ['success'], 'without objects');
  for (let number = 0; number < limits.pageObjects + 2; number++) await put(`pod-${number}`);
  await put('pod-\u{1f600}');
  await put('pod-\uffee');
  await remove('pod-7');
  watch();
  store.lists.length = 0;
  assert.deepEqual(await period(), ['success']);
  const revision = store.currentRevision();
  assert.deepEqual(
    store.lists.map((list) => [list.revision, list.limit, list.keysOnly]),
    Array.from({ length: 2 }, () => [revision, limits.pageObjects, true]),
  );
  assert.deepEqual(await period(), ['success']);
  assert.deepEqual([logged, ended], [[], []]);
  checks.stop();
  assert.deepEqual(await period(), [], 'the server has stopped');
});

test('a cache that has lost events is reported, read anew, and equal to the store from then on', async () => {
  const { cache, store, put, remove, period, logged, watch, ended, values } = await setUp();
  for (const name of ['b', 'c', 'd', 'e']) await put(name);
  watch();
  store.losesEvents = true;
  await put('a');
  await remove('b');
  await put('c', '2');
  await put('f');
  store.losesEvents = false;
  await put('d', '2');
  assert.deepEqual(values(), ['b=1', 'c=1', 'd=2', 'e=1']);
  const { revision } = cache;
  assert.deepEqual(await period(), ['failure']);
  const keys = ['a', 'b', 'c', 'f'].map((name) => `${PREFIX}a/${name}`);
  assert.deepEqual(logged, [
    [
      'the cache of a resource differs from the store and is read anew',
      { resource: 'pods', revision, differing: 4, keys },
    ],
  ]);
  assert.deepEqual(values(), ['a=1', 'c=2', 'd=2', 'e=1', 'f=1']);
  assert.deepEqual(cache.totals, { objects: 5, bytes: 5 });
  assert.equal(cache.get(`${PREFIX}a/b`), undefined);
  assert.deepEqual(ended, ['expired'], 'watchers have missed events and start again');
  assert.deepEqual(await period(), ['success']);
});

test('writes that happen while a cache is read anew are kept', async () => {
  const { cache, store, put, remove, values } = await setUp();
  await put('a');
  store.losesEvents = true;
  for (const name of ['b', 'c', 'd']) await put(name);
  store.losesEvents = false;
  const reading = cache.readAnew();
  await put('b', '2');
  await put('c', '2');
  await remove('c');
  await reading;
  assert.deepEqual(values(), ['a=1', 'b=2', 'd=1']);
});

test('the log names only some of the keys in which a cache differs from the store', async () => {
  const { store, put, period, logged } = await setUp();
  store.losesEvents = true;
  for (let number = 0; number < 3 * limits.loggedDifferences; number++) await put(`pod-${number}`);
  assert.deepEqual(await period(), ['failure']);
  const { differing, keys } = logged[0]![1] as { differing: number; keys: string[] };
  assert.deepEqual([differing, keys.length], [3 * limits.loggedDifferences, limits.loggedDifferences]);
});

test('entries that cannot be read are no difference between a cache and the store', async () => {
  const { store, put, remove, period, logged } = await setUp();
  for (const name of ['a', 'b', 'c', 'd']) await put(name);
  for (const name of ['a', 'c', 'e']) store.unreadable.set(`${PREFIX}a/${name}`, new Error('no key for it'));
  await put('a', '2');
  await put('e');
  await put('c', '2');
  await remove('c');
  assert.deepEqual(await period(), ['success']);
  assert.deepEqual(logged, []);
});

test('a store that does not answer, or has compacted the revision of the cache, leaves the comparison without a result', async () => {
  const { store, put, period, logged } = await setUp();
  await put('a');
  for (const failure of [new StoreTimeoutError('no answer'), new CompactedError(1)]) {
    store.failure = failure;
    assert.deepEqual(await period(), ['error']);
    const fields = { resource: 'pods', error: String(failure) };
    assert.deepEqual(logged.splice(0), [['the cache of a resource could not be compared with the store', fields]]);
  }
  store.failure = undefined;
  store.lag = new StoreTimeoutError('no answer');
  assert.deepEqual(await period(), ['error']);
  store.lag = new StoreLagError('late');
  assert.deepEqual(await period(), ['success'], 'the state that the cache has is compared');
});

test('a cache that cannot be read anew remains as it is until the next period', async () => {
  const { store, put, period, logged, values } = await setUp();
  store.losesEvents = true;
  await put('a');
  const list = store.list.bind(store);
  store.list = async (prefix, options) => {
    if (options?.keysOnly !== true) throw new StoreTimeoutError('no answer');
    return await list(prefix, options);
  };
  assert.deepEqual(await period(), ['failure']);
  assert.equal(logged.at(-1)?.[0], 'the cache of a resource was not read anew');
  assert.deepEqual(values(), []);
  store.list = list;
  assert.deepEqual(await period(), ['failure']);
  assert.deepEqual(values(), ['a=1']);
});

test('a comparison that is in progress when the server stops is not counted', async () => {
  const { clock, store, checks, put, logged, period } = await setUp();
  await put('a');
  const list = store.list.bind(store);
  const { promise, reject } = Promise.withResolvers<ListResult>();
  store.list = () => promise;
  clock.advance(limits.consistencyCheckMs);
  await nextRound();
  checks.stop();
  reject(new Error('closed'));
  await nextRound();
  store.list = list;
  assert.deepEqual(await period(), []);
  assert.deepEqual(logged, []);
});

test('caches are compared one after the other, and those that were closed are forgotten', async () => {
  const { open, store, period } = await setUp();
  let now = 0;
  let most = 0;
  const list = store.list.bind(store);
  store.list = async (prefix, options) => {
    now += 1;
    most = Math.max(most, now);
    await new Promise(setImmediate);
    now -= 1;
    return await list(prefix, options);
  };
  open.push({ ...open[0]! }, { ...open[0]! });
  assert.deepEqual(await period(), ['success', 'success', 'success']);
  assert.equal(most, 1);
  open.length = 1;
  assert.deepEqual(await period(), ['success']);
});
