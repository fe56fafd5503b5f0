import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { storeContract } from '../../test/contract/store.ts';
import { ManualClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import type { CommitLog } from './commit-log.ts';
import { EmbeddedStore, type EmbeddedStoreOptions, openEmbeddedStore } from './embedded-store.ts';
import type { Commit } from './log-rows.ts';
import { FIRST_REVISION, type Store, StoreBusyError, StoreError, type StoreEvent, StoreStalledError } from './store.ts';
import type { TimedWrite } from './timeline.ts';

function freshDirectory(after: (cleanUp: () => void) => void): string {
  const directory = mkdtempSync(join(tmpdir(), 'embedded-store-'));
  after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

storeContract('the embedded store', async (context) => {
  const options = { ...context, log: silentLog, directory: freshDirectory(context.after) };
  let store = await openEmbeddedStore(options);
  const reopen = async (): Promise<Store> => {
    await store.close();
    store = await openEmbeddedStore(options);
    return store;
  };
  return { store, reopen };
});

/** A disk whose commits end when the test says so. */
class HeldLog implements CommitLog {
  readonly compacted = FIRST_REVISION;
  readonly commits: Commit[] = [];
  readonly #found: readonly TimedWrite[];
  readonly #underWay: { resolve: () => void; reject: (error: Error) => void }[] = [];
  ready = true;
  #onCommit: (() => void) | undefined;

  constructor(found: readonly TimedWrite[] = []) {
    this.#found = found;
  }

  async read(onWrite: (write: TimedWrite) => void): Promise<void> {
    for (const write of this.#found) onWrite(write);
  }

  commit(commit: Commit): Promise<void> {
    assert.ok(this.ready, 'a commit while another is under way');
    this.ready = false;
    this.commits.push(commit);
    this.#onCommit?.();
    return new Promise((resolve, reject) => {
      this.#underWay.push({ resolve, reject });
    });
  }

  /** Resolves when commit number `count` has begun. */
  async begun(count: number): Promise<Commit> {
    while (this.commits.length < count) {
      await new Promise<void>((resolve) => {
        this.#onCommit = resolve;
      });
    }
    return this.commits[count - 1]!;
  }

  resume(): void {
    this.ready = true;
  }

  /** Ends the oldest commit that is under way, and as a disk that is done with all of them, but for an error. */
  end(error?: Error): void {
    const settle = this.#underWay.shift()!;
    this.ready ||= error === undefined && this.#underWay.length === 0;
    if (error === undefined) settle.resolve();
    else settle.reject(error);
  }

  async close(): Promise<void> {}
}

const value = Buffer.from('v');
const keysOf = (commit: Commit): string[] => commit.writes.map(({ key }) => key);

async function over(log: CommitLog, options: Partial<EmbeddedStoreOptions> = {}) {
  const clock = new ManualClock();
  const store = await EmbeddedStore.over(log, { clock, log: silentLog, ...options });
  return { store, clock };
}

describe('group commit of the embedded store', () => {
  it('group commit of the embedded store puts all waiting writes into the next commit', async () => {
    const log = new HeldLog();
    const { store } = await over(log);
    const first = [store.put('/1', value, 'absent'), store.put('/2', value, 'absent')];
    assert.deepEqual(keysOf(await log.begun(1)), ['/1', '/2']);
    const second = ['/3', '/4', '/5'].map((key) => store.put(key, value, 'absent'));
    assert.equal(store.statistics().queuedWrites, 5);
    log.end();
    await Promise.all(first);
    assert.deepEqual(keysOf(await log.begun(2)), ['/3', '/4', '/5']);
    log.end();
    await Promise.all(second);
    assert.deepEqual(
      log.commits.flatMap(({ writes }) => writes.map(({ revision }) => revision - FIRST_REVISION)),
      [1, 2, 3, 4, 5],
    );
    assert.equal(store.statistics().queuedWrites, 0);
  });

  it('group commit of the embedded store does not wait for the end of a turn once there is much to write', async () => {
    const log = new HeldLog();
    const { store } = await over(log);
    const much = Buffer.alloc(50_000);
    const puts = ['/1', '/2', '/3', '/4'].map((key) => store.put(key, much, 'absent'));
    assert.deepEqual(log.commits.map(keysOf), [['/1', '/2']]);
    // What this thread hears in its next turn the disk has done already.
    log.ready = true;
    puts.push(store.put('/5', much, 'absent'));
    assert.deepEqual(log.commits.map(keysOf), [
      ['/1', '/2'],
      ['/3', '/4', '/5'],
    ]);
    assert.equal(store.statistics().queuedWrites, 5);
    log.end();
    await Promise.all(puts.slice(0, 2));
    assert.equal(store.statistics().queuedWrites, 3);
    assert.equal(await store.get('/3'), undefined);
    log.end();
    await Promise.all(puts);
    await store.close();
  });

  it('group commit of the embedded store shows only durable writes', async () => {
    const log = new HeldLog();
    const { store } = await over(log);
    const events: StoreEvent[] = [];
    await store.watch({ prefix: '', after: FIRST_REVISION, onEvent: (event) => events.push(event), onEnd: () => {} });
    const put = store.put('/a', value, 'absent');
    await log.begun(1);
    assert.equal(await store.get('/a'), undefined);
    assert.deepEqual((await store.list('')).entries, []);
    assert.equal(store.currentRevision(), FIRST_REVISION);
    assert.equal(events.length, 0);
    log.end();
    await put;
    assert.equal((await store.get('/a'))?.value, value);
    assert.equal(events.length, 1);
  });

  it('group commit of the embedded store answers a conflict with a pending write only once that write is durable', async () => {
    const log = new HeldLog();
    const { store } = await over(log);
    const order: string[] = [];
    const winner = store.put('/a', value, 'absent').then((result) => order.push(`winner ${result.written}`));
    const loser = store.put('/a', value, 'absent').then((result) => {
      order.push(`loser ${result.written}`);
      return result;
    });
    await log.begun(1);
    await new Promise(setImmediate);
    assert.deepEqual(order, []);
    log.end();
    await winner;
    assert.deepEqual(await loser, { written: false, current: { key: '/a', value, revision: FIRST_REVISION + 1 } });
    assert.deepEqual(order, ['winner true', 'loser false']);
  });

  it('group commit of the embedded store checks the expected revision against pending writes', async () => {
    const log = new HeldLog();
    const { store } = await over(log);
    const results = Promise.all([
      store.put('/a', value, 'absent'),
      store.put('/a', value, FIRST_REVISION + 1),
      store.delete('/a', FIRST_REVISION + 2),
      store.delete('/a', 'any'),
    ]);
    assert.equal((await log.begun(1)).writes.length, 3);
    log.end();
    const expected = [true, true, true, false];
    assert.deepEqual(
      (await results).map(({ written }) => written),
      expected,
    );
    assert.deepEqual((await results)[3], { written: false, current: undefined });
  });

  it('group commit of the embedded store limits waiting writes in number and in bytes', async () => {
    const log = new HeldLog();
    const { store } = await over(log, { queuedWrites: 3, queuedBytes: 1000 });
    const accepted = [store.put('/1', value, 'any'), store.put('/2', Buffer.alloc(900), 'any')];
    await assert.rejects(store.put('/3', Buffer.alloc(100), 'any'), StoreBusyError);
    accepted.push(store.put('/3', value, 'any'));
    await log.begun(1);
    await assert.rejects(store.put('/4', value, 'any'), StoreBusyError);
    assert.equal((await store.put('/4', value, 7)).written, false, 'what needs no room is answered');
    log.end();
    await Promise.all(accepted);
    const after = store.put('/4', value, 'any');
    await log.begun(2);
    log.end();
    assert.ok((await after).written);
  });

  it('group commit of the embedded store rejects all waiting writes when a commit fails, accepts no more, and still reads', async () => {
    const log = new HeldLog();
    const { store } = await over(log);
    const events: StoreEvent[] = [];
    const ends: unknown[] = [];
    const onEnd = (error: Error | undefined): unknown => ends.push(error);
    await store.watch({ prefix: '', after: FIRST_REVISION, onEvent: (event) => events.push(event), onEnd });
    const durable = store.put('/a', value, 'absent');
    await log.begun(1);
    log.end();
    await durable;
    const lost = [
      store.put('/b', value, 'absent'),
      store.put('/b', value, 'absent'),
      store.compact(FIRST_REVISION + 1),
    ];
    await log.begun(2);
    lost.push(store.put('/c', value, 'absent'), store.delete('/a', 'any'));
    const full = new StoreError('no space');
    const rejected = Promise.all(lost.map((write) => assert.rejects(write, full)));
    log.end(full);
    await rejected;
    await assert.rejects(store.put('/d', value, 'absent'), full);
    assert.equal(store.fault(), 'no space');
    assert.deepEqual(
      (await store.list('')).entries.map(({ key }) => key),
      ['/a'],
    );
    assert.equal(store.currentRevision(), FIRST_REVISION + 1);
    assert.deepEqual([events.length, ends.length, store.statistics().queuedWrites], [1, 0, 0]);
    await store.close();
    assert.deepEqual(ends, [undefined]);
  });
});

describe('the embedded store on a disk that is full for a while', () => {
  const full = new StoreStalledError('no space');

  it('the embedded store on a disk that is full for a while rejects waiting writes, and gives the next write the next revision', async () => {
    const log = new HeldLog();
    const { store } = await over(log);
    const durable = store.put('/a', value, 'absent');
    await log.begun(1);
    log.end();
    await durable;
    const lost = [store.put('/b', value, 'absent'), store.put('/b', value, 'absent')];
    await log.begun(2);
    lost.push(store.put('/c', value, 'absent'), store.delete('/a', 'any'));
    const rejected = Promise.all(lost.map((write) => assert.rejects(write, full)));
    log.end(full);
    await rejected;
    assert.equal(store.fault(), 'no space');
    assert.deepEqual([store.currentRevision(), store.statistics().queuedWrites], [FIRST_REVISION + 1, 0]);
    const next = store.put('/b', value, 'absent');
    assert.deepEqual(
      (await log.begun(3)).writes.map(({ key, revision }) => [key, revision]),
      [['/b', FIRST_REVISION + 2]],
    );
    log.end();
    assert.ok((await next).written);
    assert.equal(store.fault(), undefined);
    await store.close();
  });

  it('the embedded store on a disk that is full for a while sends no commit after one that failed before it knows of the failure', async () => {
    const log = new HeldLog();
    const { store } = await over(log);
    const much = Buffer.alloc(70_000);
    const first = store.put('/1', much, 'absent');
    log.ready = true;
    const second = store.put('/2', much, 'absent');
    const third = store.put('/3', much, 'absent');
    assert.deepEqual(log.commits.map(keysOf), [['/1'], ['/2']]);
    const rejected = Promise.all([assert.rejects(second, full), assert.rejects(third, full)]);
    log.end();
    log.end(full);
    await Promise.all([first, rejected]);
    const again = store.put('/2', much, 'absent');
    assert.equal((await log.begun(3)).writes[0]?.revision, FIRST_REVISION + 2);
    log.end();
    await again;
    await store.close();
  });

  it('the embedded store on a disk that is full for a while detects free space by itself, for its health check', async () => {
    const log = new HeldLog();
    const { store, clock } = await over(log);
    const lost = assert.rejects(store.put('/a', value, 'absent'), full);
    await log.begun(1);
    log.end(full);
    await lost;
    for (const [attempt, error] of [full, undefined].entries()) {
      clock.advance(1000);
      assert.deepEqual((await log.begun(2 + attempt)).writes, []);
      assert.equal(store.fault(), 'no space');
      log.end(error);
      await new Promise(setImmediate);
    }
    assert.equal(store.fault(), undefined);
    await store.close();
  });

  it('the embedded store on a disk that is full for a while removes the rows later that it could not remove', async () => {
    const found = [1, 2, 3].map((number) => ({ revision: FIRST_REVISION + number, key: '/a', value, timeMs: 0 }));
    const log = new HeldLog(found);
    const { store, clock } = await over(log);
    clock.advance(60_000);
    const { released } = await log.begun(1);
    assert.deepEqual(released, [FIRST_REVISION + 1, FIRST_REVISION + 2]);
    log.end(full);
    await new Promise(setImmediate);
    clock.advance(60_000);
    assert.deepEqual((await log.begun(2)).released, released);
    log.end();
    await store.close();
  });
});

describe('compaction of the embedded store', () => {
  const found = (revision: number, key: string, gone = false): TimedWrite => {
    return { revision: FIRST_REVISION + revision, key, value: gone ? undefined : value, timeMs: 0 };
  };

  it('compaction of the embedded store removes superseded rows in small steps when the store is idle', async () => {
    // All of it is older than history is kept.
    const writes = Array.from({ length: 1500 }, (_, index) => found(index + 1, '/a'));
    const log = new HeldLog(writes);
    const { store, clock } = await over(log);
    assert.equal(store.compactedRevision(), FIRST_REVISION + 1500);
    clock.advance(60_000);
    const removed: number[] = [];
    for (let step = 1; removed.length < 1499; step++) {
      const { released, writes, compacted } = await log.begun(step);
      assert.ok(released.length > 0 && released.length <= 512);
      assert.equal(writes.length, 0);
      assert.equal(compacted, FIRST_REVISION + 1500);
      removed.push(...released);
      log.end();
      await new Promise(setImmediate);
    }
    assert.deepEqual(
      removed,
      Array.from({ length: 1499 }, (_, index) => FIRST_REVISION + 1 + index),
    );
    await store.close();
  });

  it('compaction of the embedded store removes rows with each commit under load, more than that commit supersedes', async () => {
    const writes = Array.from({ length: 500 }, (_, index) => found(index + 1, '/a'));
    const log = new HeldLog(writes);
    const { store } = await over(log);
    const puts = Array.from({ length: 100 }, () => store.put('/a', value, 'any'));
    const { released } = await log.begun(1);
    assert.equal(released.length, 200);
    log.end();
    await Promise.all(puts);
    await store.close();
  });

  it('compaction of the embedded store removes a deletion after the rows that it deleted', async () => {
    const writes = [found(1, '/a'), found(2, '/a'), found(3, '/b'), found(4, '/a', true), found(5, '/b')];
    const log = new HeldLog(writes);
    const { store, clock } = await over(log);
    clock.advance(60_000);
    const { released } = await log.begun(1);
    assert.deepEqual(
      released.map((revision) => revision - FIRST_REVISION),
      [1, 2, 4, 3],
    );
    log.end();
    await store.close();
  });

  it('compaction of the embedded store expires a row that was written with the clock ahead like any other', async () => {
    const ahead = { ...found(1, '/a'), timeMs: Date.UTC(2030, 0, 1) };
    const { store, clock } = await over(new HeldLog([ahead]));
    assert.equal(store.compactedRevision(), FIRST_REVISION);
    clock.advance(10 * 60_000);
    assert.equal(store.compactedRevision(), FIRST_REVISION + 1);
  });
});

describe('the embedded store on disk', () => {
  const open = (t: TestContext, more: { directory?: string; maxFileBytes?: number } = {}) => {
    const directory = more.directory ?? freshDirectory((cleanUp) => t.after(cleanUp));
    const options = { clock: new ManualClock(), log: silentLog, historyEvents: 10, ...more, directory };
    return { directory, options, opening: openEmbeddedStore(options) };
  };

  it('the embedded store on disk reports that another server has the store open, and leaves that one alone', async (t) => {
    const { directory, opening } = open(t);
    const first = await opening;
    await assert.rejects(open(t, { directory }).opening, (error) => {
      assert.ok(error instanceof StoreError);
      assert.match(error.message, /another server uses the store in .*: stop that one/);
      return true;
    });
    assert.ok((await first.put('/a', value, 'absent')).written);
    await first.close();
    const second = await open(t, { directory }).opening;
    assert.equal((await second.get('/a'))?.revision, FIRST_REVISION + 1);
    await second.close();
  });

  it('the embedded store on disk accepts no more writes when the disk is full, and has lost nothing once there is space', async (t) => {
    const { directory, opening } = open(t, { maxFileBytes: 400_000 });
    const store = await opening;
    let durable = 0;
    await assert.rejects(
      async () => {
        for (;;) {
          await store.put(`/${durable}`, Buffer.alloc(10_000, durable), 'absent');
          durable += 1;
        }
      },
      (error) => error instanceof StoreError && /no space is left for the store in .*: make room/.test(error.message),
    );
    assert.ok(durable > 10);
    assert.equal((await store.list('')).entries.length, durable);
    await store.close();
    const again = await open(t, { directory }).opening;
    const { entries } = await again.list('');
    assert.equal(entries.length, durable);
    for (const entry of entries) assert.deepEqual(entry.value, Buffer.alloc(10_000, Number(entry.key.slice(1))));
    assert.ok((await again.put('/more', value, 'absent')).written);
    await again.close();
  });

  it('the embedded store on disk holds each value that it reads in memory of its own', async (t) => {
    const { directory, opening } = open(t);
    const store = await opening;
    for (let index = 0; index < 5; index++) await store.put(`/${index}`, Buffer.alloc(100 + index), 'absent');
    await store.close();
    const again = await open(t, { directory }).opening;
    const { entries } = await again.list('');
    assert.deepEqual(
      entries.map((entry) => entry.value.buffer.byteLength),
      [100, 101, 102, 103, 104],
    );
    await again.close();
  });

  it('the embedded store on disk does not grow with the number of updates', async (t) => {
    const { directory, opening } = open(t);
    const store = await opening;
    for (let round = 0; round < 40; round++) {
      const puts = Array.from({ length: 500 }, (_, index) => store.put(`/${index % 50}`, Buffer.alloc(500), 'any'));
      await Promise.all(puts);
    }
    await store.close();
    const { size } = statSync(join(directory, 'store.db'));
    assert.ok(size < 1_500_000, `${size} bytes for 20,000 updates of 25,000 bytes`);
  });
});
