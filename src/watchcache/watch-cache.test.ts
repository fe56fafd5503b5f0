import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { CompactedError, FIRST_REVISION, type Store, type StoreEvent, type WatchOptions } from '../store/store.ts';
import { ExpiredError, type Selection, type WatchCache, type WatchSink } from './types.ts';
import { createWatchCache, type WatchCacheOptions } from './watch-cache.ts';

const PREFIX = '/registry/pods/';
const everything: Selection = { namespace: undefined, name: undefined, matches: undefined };
const ofApp = (app: string): Selection => ({ ...everything, matches: (object) => object.labels?.['app'] === app });

function attributes(key: string, bytes: Buffer) {
  const [namespace, name] = key.slice(PREFIX.length).split('/') as [string, string];
  return { name, namespace, labels: { app: bytes.toString() }, fields: undefined };
}

/** Writes down what it is given; `takes` says how often it still answers that it wants more. */
class Recorder implements WatchSink {
  readonly lines: string[] = [];
  takes = Number.POSITIVE_INFINITY;
  onLine: (line: string) => void = () => {};

  initial: WatchSink['initial'] = (object) => this.#take(`initial ${object.name}=${object.bytes}`);
  initialEnd: WatchSink['initialEnd'] = (revision) => this.#take(`initialEnd ${revision - FIRST_REVISION}`);
  event: WatchSink['event'] = (type, object, { revision }) =>
    this.#take(`${type} ${object.name}=${object.bytes} ${revision - FIRST_REVISION}`);
  end: WatchSink['end'] = (reason) => void this.#take(`end ${reason}`);

  /** What came since the last call. */
  taken(): string[] {
    return this.lines.splice(0);
  }

  #take(line: string): boolean {
    this.lines.push(line);
    this.onLine(line);
    this.takes -= 1;
    return this.takes > 0;
  }
}

async function setUp(overrides: Partial<WatchCacheOptions> = {}) {
  const clock = new ManualClock();
  const store = new MemoryStore({ clock });
  const options = { store, clock, prefix: PREFIX, namespaced: true, attributes, ...overrides };
  const cache = await createWatchCache(options);
  const put = (path: string, value: string) => store.put(PREFIX + path, Buffer.from(value), 'any');
  const remove = (path: string) => store.delete(PREFIX + path, 'any');
  const watch = (from: number | 'state', selection = everything) => {
    const sink = new Recorder();
    const watcher = cache.watch({ selection, from: from === 'state' ? from : FIRST_REVISION + from, sink });
    return { sink, watcher };
  };
  return { clock, store, options, cache, put, remove, watch };
}

const names = (cache: WatchCache, selection: Selection, after?: string) =>
  [...cache.snapshot().objects(selection, after)].map((object) => `${object.namespace}/${object.name}`);

test('a snapshot holds the objects in scope in the order of their keys, and never changes', async () => {
  const { cache, put, remove } = await setUp();
  for (const path of ['b/x', 'a/y', 'a/x', 'a-b/x', 'a/\u{10000}', 'a/\uffff']) await put(path, 'one');
  const before = cache.snapshot();
  await remove('a/x');
  assert.equal(before.count(everything), 6);
  assert.equal(before.get(`${PREFIX}a/x`)?.bytes.toString(), 'one');
  assert.equal(cache.get(`${PREFIX}a/x`), undefined);
  assert.deepEqual(names(cache, everything), ['a-b/x', 'a/y', 'a/\uffff', 'a/\u{10000}', 'b/x']);
  assert.deepEqual(names(cache, { ...everything, namespace: 'a' }), ['a/y', 'a/\uffff', 'a/\u{10000}']);
  assert.deepEqual(names(cache, { ...everything, name: 'x' }), ['a-b/x', 'b/x']);
  assert.deepEqual(names(cache, { ...everything, namespace: 'b', name: 'x' }), ['b/x']);
  assert.deepEqual(names(cache, { ...everything, namespace: 'b', name: 'y' }), []);
  assert.deepEqual(names(cache, everything, `${PREFIX}a/y`), ['a/\uffff', 'a/\u{10000}', 'b/x']);
  assert.deepEqual(names(cache, { ...everything, namespace: 'b' }, `${PREFIX}a/y`), ['b/x']);
  assert.deepEqual(names(cache, { ...everything, namespace: 'a' }, `${PREFIX}b/x`), []);
  assert.equal(cache.snapshot().count({ ...everything, namespace: 'a' }), 3);
  assert.equal(cache.snapshot().count({ ...everything, name: 'x' }), 2);
  assert.equal(cache.snapshot().count({ ...ofApp('two'), namespace: 'a' }), 3);
});

test('cluster-scoped objects are found by name, and are in no namespace', async () => {
  const { cache, store } = await setUp({
    namespaced: false,
    attributes: (key) => ({ name: key.slice(PREFIX.length), namespace: '', labels: undefined, fields: undefined }),
  });
  for (const name of ['a', 'b']) await store.put(PREFIX + name, Buffer.from('one'), 'any');
  assert.deepEqual(names(cache, { ...everything, name: 'b' }), ['/b']);
  assert.deepEqual(names(cache, { ...everything, namespace: 'x' }), []);
  assert.equal(cache.snapshot().count({ ...everything, namespace: 'x' }), 0);
  assert.equal(cache.snapshot().count({ ...everything, namespace: 'x', name: 'b' }), 0);
});

test('the attributes of a stored object are computed once, from the stored buffer itself', async () => {
  const asked: Buffer[] = [];
  const { store, cache, put } = await setUp({
    attributes: (key, bytes) => {
      asked.push(bytes);
      return attributes(key, bytes);
    },
  });
  const value = Buffer.from('one');
  await store.put(`${PREFIX}a/x`, value, 'any');
  assert.equal(asked.length, 1);
  assert.equal(asked[0], value);
  assert.equal(cache.get(`${PREFIX}a/x`)?.bytes, value);
  const { labels } = cache.get(`${PREFIX}a/x`)!;
  await put('a/x', 'one');
  assert.equal(cache.get(`${PREFIX}a/x`)?.labels, labels);
  await put('a/x', 'two');
  assert.deepEqual(cache.get(`${PREFIX}a/x`)?.labels, { app: 'two' });
});

test('writes to other resources increase the resourceVersion of the cache', async () => {
  const { cache, store } = await setUp();
  await store.put('/registry/nodes/n', Buffer.from(''), 'any');
  assert.equal(cache.revision, FIRST_REVISION + 1);
  assert.equal(cache.snapshot().revision, FIRST_REVISION + 1);
  assert.equal(cache.snapshot().count(everything), 0);
});

test('a watch gets each event at once, and one with a selector ADDED and DELETED as objects match or not', async () => {
  const { put, remove, watch } = await setUp();
  const all = watch(0);
  const ones = watch(0, ofApp('one'));
  const inA = watch(0, { ...everything, namespace: 'a' });
  const namedY = watch(0, { ...everything, name: 'y' });
  const justAX = watch(0, { ...everything, namespace: 'a', name: 'x' });
  await put('a/x', 'one');
  await put('a/x', 'one');
  await put('b/y', 'two');
  await put('a/x', 'two');
  await put('b/y', 'one');
  await remove('b/y');
  await remove('a/x');
  const ofX = ['ADDED x=one 1', 'MODIFIED x=one 2', 'MODIFIED x=two 4', 'DELETED x=two 7'];
  const ofY = ['ADDED y=two 3', 'MODIFIED y=one 5', 'DELETED y=one 6'];
  assert.deepEqual(all.sink.lines, [...ofX.slice(0, 2), ofY[0], ofX[2], ...ofY.slice(1), ofX[3]]);
  assert.deepEqual(ones.sink.lines, [
    'ADDED x=one 1',
    'MODIFIED x=one 2',
    'DELETED x=one 4',
    'ADDED y=one 5',
    'DELETED y=one 6',
  ]);
  assert.deepEqual(inA.sink.lines, ofX);
  assert.deepEqual(justAX.sink.lines, ofX);
  assert.deepEqual(namedY.sink.lines, ofY);
  for (const { watcher } of [all, inA, namedY]) assert.equal(watcher.revision, FIRST_REVISION + 7);
});

test('a watch whose sink is full pauses until it is resumed, and misses nothing', async () => {
  const { cache, put, watch } = await setUp();
  const { sink, watcher } = watch(0);
  sink.takes = 1;
  for (const value of ['one', 'two', 'three', 'four']) await put('a/x', value);
  assert.deepEqual(sink.taken(), ['ADDED x=one 1']);
  assert.equal(watcher.revision, FIRST_REVISION + 1);
  assert.equal(cache.statistics().lagging, 1);
  sink.takes = 2;
  watcher.resume();
  assert.deepEqual(sink.taken(), ['MODIFIED x=two 2', 'MODIFIED x=three 3']);
  sink.takes = 5;
  watcher.resume();
  await put('a/x', 'five');
  assert.deepEqual(sink.taken(), ['MODIFIED x=four 4', 'MODIFIED x=five 5']);
  assert.deepEqual(cache.statistics(), {
    objects: 1,
    bytes: 4,
    historyEvents: 5,
    receivedEvents: 5,
    watchers: 1,
    lagging: 0,
  });
});

test('a watch from the current state gets the objects first, at the pace of its sink, then later events', async () => {
  const { cache, put, remove } = await setUp();
  for (const path of ['a/x', 'a/y', 'a/z']) await put(path, 'one');
  const sink = new Recorder();
  sink.takes = 2;
  const watcher = cache.watch({ selection: ofApp('one'), from: 'state', sink });
  assert.deepEqual(sink.taken(), ['initial x=one', 'initial y=one']);
  assert.equal(watcher.revision, 0);
  await remove('a/z');
  sink.takes = 2;
  watcher.resume();
  assert.deepEqual(sink.taken(), ['initial z=one', 'initialEnd 3']);
  assert.equal(watcher.revision, FIRST_REVISION + 3);
  sink.takes = 1;
  watcher.resume();
  assert.deepEqual(sink.taken(), ['DELETED z=one 4']);
});

test('a watch from a future resourceVersion is silent until then', async () => {
  const { put, watch } = await setUp();
  const { sink, watcher } = watch(2);
  await put('a/x', 'one');
  await put('a/x', 'two');
  assert.equal(watcher.revision, FIRST_REVISION + 2);
  await put('a/x', 'three');
  assert.deepEqual(sink.lines, ['MODIFIED x=three 3']);
});

test('history is limited in events, and a watch from before it is expired', async () => {
  const { cache, put, watch } = await setUp({ limits: { watchHistoryEvents: 2 } });
  const lagging = watch(0);
  lagging.sink.takes = 1;
  for (const value of ['one', 'two', 'three', 'four']) await put('a/x', value);
  assert.throws(() => watch(1), ExpiredError);
  assert.throws(() => watch(1 - FIRST_REVISION), ExpiredError);
  assert.deepEqual(watch(2).sink.lines, ['MODIFIED x=three 3', 'MODIFIED x=four 4']);
  assert.equal(cache.snapshotAt(FIRST_REVISION + 1), undefined);
  const shown = [2, 3, 4].map((revision) => cache.snapshotAt(FIRST_REVISION + revision)?.get(`${PREFIX}a/x`)?.bytes);
  assert.deepEqual(shown.map(String), ['two', 'three', 'four']);
  assert.throws(() => cache.snapshotAt(FIRST_REVISION + 5), RangeError);
  lagging.watcher.resume();
  assert.deepEqual(lagging.sink.lines, ['ADDED x=one 1', 'end expired']);
  assert.equal(cache.statistics().watchers, 1);
});

test('states at older resourceVersions are found in any order while new writes arrive', async () => {
  const { cache, put, remove } = await setUp();
  const state = (revision: number) => {
    const objects = cache.snapshotAt(FIRST_REVISION + revision)?.objects(everything) ?? [];
    return [...objects].map((object) => `${object.name}=${object.bytes}`).join(' ');
  };
  await put('a/x', 'one');
  await put('a/y', 'two');
  await put('a/x', 'three');
  await remove('a/y');
  for (const _ of ['', 'again']) {
    assert.equal(state(3), 'x=three y=two');
    assert.equal(state(1), 'x=one');
    assert.equal(state(2), 'x=one y=two');
    assert.equal(state(0), '');
    assert.equal(state(4), 'x=three');
    await put('a/z', 'more');
  }
  assert.equal(state(5), 'x=three z=more');
});

test('encoded events are kept for the newest events only', async () => {
  const { cache, put, watch } = await setUp({ limits: { watchEncodedEvents: 2 } });
  const encoded: Map<string, Buffer>[] = [];
  const sink = new Recorder();
  sink.event = (_type, _object, event) => {
    event.frames ??= new Map();
    encoded.push(event.frames);
    return true;
  };
  cache.watch({ selection: everything, from: FIRST_REVISION, sink });
  for (const value of ['one', 'two', 'three', 'four']) await put('a/x', value);
  const kept: boolean[] = [];
  const late = new Recorder();
  late.event = (_type, _object, { frames }) => kept.push(frames !== undefined && encoded.includes(frames)) > 0;
  cache.watch({ selection: everything, from: FIRST_REVISION, sink: late });
  assert.deepEqual(kept, [false, false, true, true]);
  assert.equal(watch(0).sink.lines.length, 4);
});

test('history is limited by the bytes of superseded objects', async () => {
  const { put, watch } = await setUp({ limits: { watchHistoryBytes: 10 } });
  for (const value of ['1234', '12345678', '', '12345678']) await put('a/x', value);
  assert.throws(() => watch(1), ExpiredError);
  assert.equal(watch(2).sink.lines.length, 2);
});

test('history expires with time, and what the store compacts is removed', async () => {
  const { clock, store, cache, put, watch } = await setUp({ limits: { historyMs: 1000 } });
  await put('a/x', 'one');
  clock.advance(600);
  await put('a/x', 'two');
  await put('a/x', 'three');
  clock.advance(399);
  assert.equal(cache.statistics().historyEvents, 3);
  clock.advance(1);
  assert.equal(cache.statistics().historyEvents, 2);
  assert.throws(() => watch(0), ExpiredError);
  await store.compact(FIRST_REVISION + 2);
  assert.throws(() => watch(1), ExpiredError);
  assert.deepEqual(watch(2).sink.lines, ['MODIFIED x=three 3']);
  clock.advance(600);
  assert.equal(cache.statistics().historyEvents, 0);
  assert.deepEqual(watch(3).sink.lines, []);
});

test('a new watch cache has the history that its store has', async () => {
  const { store, options, put, remove } = await setUp();
  for (const value of ['one', 'two', 'three']) await put('a/x', value);
  await store.compact(FIRST_REVISION + 1);
  await remove('a/x');
  const cache = await createWatchCache(options);
  const sink = new Recorder();
  cache.watch({ selection: everything, from: FIRST_REVISION + 1, sink });
  assert.deepEqual(sink.lines, ['MODIFIED x=two 2', 'MODIFIED x=three 3', 'DELETED x=three 4']);
  assert.throws(() => cache.watch({ selection: everything, from: FIRST_REVISION, sink }), ExpiredError);
  assert.equal(String(cache.snapshotAt(FIRST_REVISION + 1)?.get(`${PREFIX}a/x`)?.bytes), 'one');
});

test('a watch cache opens again when the store compacts meanwhile, up to a limit', async () => {
  const { store, options, put } = await setUp();
  for (const value of ['one', 'two', 'three']) await put('a/x', value);
  const racing = Object.create(store) as MemoryStore;
  for (const method of ['currentRevision', 'compactedRevision', 'expiredRevision'] as const)
    racing[method] = () => store[method]();
  racing.list = (prefix, listOptions) => store.list(prefix, listOptions);
  racing.watch = async (watchOptions) => {
    if (store.compactedRevision() === FIRST_REVISION) await store.compact(FIRST_REVISION + 2);
    return store.watch(watchOptions);
  };
  const cache = await createWatchCache({ ...options, store: racing });
  assert.equal(String(cache.snapshotAt(FIRST_REVISION + 2)?.get(`${PREFIX}a/x`)?.bytes), 'two');
  racing.watch = () => Promise.reject(new CompactedError(FIRST_REVISION));
  await assert.rejects(createWatchCache({ ...options, store: racing }), CompactedError);
});

test('a sink may close and resume its watch while it receives an event', async () => {
  const { put, watch, cache } = await setUp();
  const closing = watch(0);
  const resuming = watch(0);
  const helping = watch(0);
  closing.sink.onLine = () => closing.watcher.close();
  resuming.sink.takes = 0;
  resuming.sink.onLine = () => resuming.watcher.resume();
  helping.sink.takes = 1;
  const helper = watch(0);
  helper.sink.onLine = (line) => {
    helping.sink.takes = 2;
    if (line.endsWith('2')) helping.watcher.resume();
  };
  for (const value of ['one', 'two', 'three']) await put('a/x', value);
  const all = ['ADDED x=one 1', 'MODIFIED x=two 2', 'MODIFIED x=three 3'];
  assert.deepEqual(closing.sink.lines, all.slice(0, 1));
  assert.deepEqual(resuming.sink.lines, all);
  assert.deepEqual(helping.sink.lines, all);
  assert.equal(cache.statistics().watchers, 3);
});

test('a watch opened while an event is delivered gets it once, and one closed there does not get it', async () => {
  const { put, watch } = await setUp();
  const first = watch(0);
  const second = watch(0);
  let opened: ReturnType<typeof watch> | undefined;
  first.sink.onLine = () => {
    second.watcher.close();
    opened ??= watch(0);
  };
  await put('a/x', 'one');
  assert.deepEqual(opened?.sink.lines, ['ADDED x=one 1']);
  assert.deepEqual(second.sink.lines, []);
});

test('writes made while an event is delivered reach all watches in order', async () => {
  const { cache, emit } = await setUpSynchronous();
  const sinks = [new Recorder(), new Recorder()];
  const watchers = sinks.map((sink) => cache.watch({ selection: everything, from: FIRST_REVISION, sink }));
  let lowest: number | undefined;
  sinks[0]!.onLine = (line) => {
    if (line !== 'ADDED x=one 1') return;
    emit('two');
    emit('three');
    lowest = watchers[1]?.revision;
  };
  emit('one');
  for (const { lines } of sinks) assert.deepEqual(lines, ['ADDED x=one 1', 'MODIFIED x=two 2', 'MODIFIED x=three 3']);
  // The second watcher had not seen the first event then, though only one event is kept.
  assert.equal(lowest, FIRST_REVISION);
  assert.equal(cache.statistics().historyEvents, 1);
});

test('a lagging watch whose own sink pushes its events out of history is expired', async () => {
  const { cache, emit } = await setUpSynchronous();
  const sink = new Recorder();
  sink.takes = 1;
  const watcher = cache.watch({ selection: everything, from: FIRST_REVISION, sink });
  for (const value of ['one', 'two']) emit(value);
  sink.takes = 9;
  sink.onLine = (line) => {
    if (line.startsWith('MODIFIED')) for (const value of ['three', 'four']) emit(value);
  };
  watcher.resume();
  assert.deepEqual(sink.lines, ['ADDED x=one 1', 'MODIFIED x=two 2', 'end expired']);
});

test('waitFor resolves when the resourceVersion is reached, by any write, or when the time is over', async () => {
  const { clock, cache, store, put } = await setUp();
  assert.equal(await cache.waitFor(FIRST_REVISION, 0), true);
  assert.equal(await cache.waitFor(FIRST_REVISION + 1, 0), false);
  const own = cache.waitFor(FIRST_REVISION + 1, 3000);
  await put('a/x', 'one');
  assert.equal(await own, true);
  const foreign = cache.waitFor(FIRST_REVISION + 2, 3000);
  await store.put('/registry/nodes/n', Buffer.from(''), 'any');
  clock.advance(10);
  assert.equal(await foreign, true);
  const late = cache.waitFor(FIRST_REVISION + 3, 3000);
  const controller = new AbortController();
  const aborted = cache.waitFor(FIRST_REVISION + 3, 3000, controller.signal);
  controller.abort();
  assert.equal(await aborted, false);
  clock.advance(2990);
  const closed = cache.waitFor(FIRST_REVISION + 9, 3000);
  clock.advance(10);
  assert.equal(await late, false);
  cache.close();
  assert.equal(await closed, false);
  assert.equal(await cache.waitFor(FIRST_REVISION + 9, 3000), false);
});

test('closing the cache or its store ends all watches once', async () => {
  for (const way of ['cache', 'store'] as const) {
    const { cache, store, watch } = await setUp();
    const { sink, watcher } = watch('state');
    const closedBefore = watch(0);
    closedBefore.watcher.close();
    await (way === 'cache' ? cache.close() : store.close());
    cache.close();
    watcher.resume();
    assert.deepEqual(sink.lines, ['initialEnd 0', 'end closed']);
    assert.deepEqual(closedBefore.sink.lines, []);
    assert.deepEqual(watch(0).sink.lines, ['end closed']);
    assert.equal(cache.statistics().watchers, 0);
  }
});

/** A cache that remembers one event, over a store that makes an event of the object x at once, even inside another. */
async function setUpSynchronous() {
  let revision = FIRST_REVISION;
  let watch: WatchOptions | undefined;
  const store: Pick<Store, 'list' | 'watch' | 'currentRevision' | 'compactedRevision'> = {
    list: async () => ({ entries: [], revision, more: false }),
    watch: async (options) => {
      watch = options;
      return { close() {} };
    },
    currentRevision: () => revision,
    compactedRevision: () => FIRST_REVISION,
  };
  const { cache } = await setUp({ store: store as Store, limits: { watchHistoryEvents: 1 } });
  let written = revision;
  const emit = (value: string) => {
    written += 1;
    const event: StoreEvent = {
      key: `${PREFIX}a/x`,
      revision: written,
      value: Buffer.from(value),
      previous: undefined,
    };
    watch?.onEvent(event);
    revision = written;
  };
  return { cache, emit };
}
