import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { ManualClock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { silentLog } from '../base/log.ts';
import { EmbeddedFile } from './embedded-file.ts';
import { openEmbeddedStore } from './embedded-store.ts';
import { FIRST_REVISION } from './store.ts';
import { checkStore } from './store-check.ts';
import { backUpStore, restoreStore } from './store-copy.ts';

function folder(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'store-copy-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function fill(file: EmbeddedFile, from: number, to: number): void {
  for (let number = from; number <= to; number++) {
    const revision = FIRST_REVISION + number;
    const row = { revision, timeMs: 1, key: Buffer.from(`/${number}`), value: Buffer.alloc(3000, number) };
    file.commit({ rows: [row], released: [], compacted: FIRST_REVISION });
  }
}

function revisions(directory: string): number[] {
  const file = new EmbeddedFile({ directory });
  const found = [...file.rows()].map(({ revision }) => revision - FIRST_REVISION);
  file.close();
  return found;
}

const all = (rows: number): number[] => Array.from({ length: rows }, (_, index) => index + 1);

it('a store that is open is backed up, and restored from the backup', (t) => {
  const [directory, place] = [folder(t), folder(t)];
  const file = new EmbeddedFile({ directory });
  fill(file, 1, 30);
  const backup = join(place, 'backup.db');
  assert.equal(backUpStore(directory, backup).revision, FIRST_REVISION + 30);
  fill(file, 31, 40);
  file.close();
  assert.deepEqual(readdirSync(place), ['backup.db']);
  assert.equal((statSync(backup).mode & 0o777).toString(8), '600');
  const restored = join(place, 'restored');
  restoreStore(restored, backup);
  assert.deepEqual(revisions(restored), all(30));
  assert.throws(() => restoreStore(restored, backup), /already exists: move it away/);
  assert.throws(() => backUpStore(directory, backup), /already exists/);
});

it('a restored store has the state without history, and continues above all revisions of the old one', async (t) => {
  const [directory, place] = [folder(t), folder(t)];
  const file = new EmbeddedFile({ directory });
  const write = (number: number, key: string, value: string | undefined) => {
    const row = { timeMs: 1, key: Buffer.from(key), value: value === undefined ? undefined : Buffer.from(value) };
    file.commit({ rows: [{ revision: FIRST_REVISION + number, ...row }], released: [], compacted: FIRST_REVISION });
  };
  write(1, '/kept', 'old');
  write(2, '/gone', 'x');
  write(3, '/kept', 'new');
  write(4, '/gone', undefined);
  const backup = join(place, 'backup.db');
  backUpStore(directory, backup);
  write(5, '/kept', 'newer');
  file.close();

  const restored = join(place, 'restored');
  const raised = FIRST_REVISION + 4 + limits.restoredRevisions;
  assert.deepEqual(restoreStore(restored, backup), { revision: raised, rows: 1, problems: [], formerRows: 3 });
  const store = await openEmbeddedStore({ directory: restored, clock: new ManualClock(), log: silentLog });
  t.after(() => store.close());
  const { entries, revision } = await store.list('/');
  assert.deepEqual([revision, entries.map(({ key, value }) => `${key}=${value}`)], [raised, ['/kept=new']]);
  // A client that saw the write that is lost lists anew.
  const watch = { prefix: '/', onEvent: () => {}, onEnd: () => {} };
  await assert.rejects(store.watch({ ...watch, after: FIRST_REVISION + 5 }), { name: 'CompactedError' });
  assert.equal((await store.put('/kept', Buffer.from('next'), 'any')).written && store.currentRevision(), raised + 1);
  restoreStore(join(place, 'exactly'), backup, { bumpRevision: 0 });
  assert.equal(checkStore(join(place, 'exactly', 'store.db')).revision, FIRST_REVISION + 4);
});

it('a backup shows a store at one moment while it is written to', async (t) => {
  const [directory, place] = [folder(t), folder(t)];
  const path = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
  const source = `
    import { parentPort, workerData } from 'node:worker_threads';
    import { EmbeddedFile } from ${path('./embedded-file.ts')};
    const file = new EmbeddedFile(workerData);
    const stop = new Int32Array(workerData.stop);
    let number = 0;
    do {
      number += 1;
      const row = { revision: 100 + number, timeMs: 1, key: Buffer.from('/' + number), value: Buffer.alloc(3000, number) };
      file.commit({ rows: [row], released: [], compacted: 100 });
      if (number === 100) parentPort.postMessage('filled');
      // A folder in memory would let it write faster than anybody could copy.
    } while (Atomics.wait(stop, 0, 0, 1) === 'timed-out');
    file.close();
  `;
  const stop = new SharedArrayBuffer(4);
  const writer = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
    workerData: { directory, stop },
  });
  t.after(() => writer.terminate());
  await new Promise((resolve, reject) => writer.once('message', resolve).once('error', reject));
  let last = 100;
  for (let round = 0; round < 5; round++) {
    const { revision, rows } = backUpStore(directory, join(place, `${round}.db`));
    assert.equal(rows, revision - FIRST_REVISION);
    assert.ok(rows >= last, `${rows} after ${last}`);
    last = rows;
  }
  Atomics.store(new Int32Array(stop), 0, 1);
  await new Promise((resolve) => writer.once('exit', resolve));
});

it('a backup or restoration that fails says why, and changes nothing', (t) => {
  const [live, directory] = [folder(t), folder(t)];
  const file = new EmbeddedFile({ directory: live });
  fill(file, 1, 20);
  for (const name of readdirSync(live)) copyFileSync(join(live, name), join(directory, name));
  file.close();
  const path = join(directory, 'store.db');
  assert.deepEqual(checkStore(path), { revision: FIRST_REVISION + 20, rows: 20, problems: [] });
  const wal = readFileSync(`${path}-wal`);
  wal[wal.length >> 1]! ^= 1;
  writeFileSync(`${path}-wal`, wal);
  const { problems, revision } = checkStore(path);
  assert.ok(revision < FIRST_REVISION + 20);
  assert.match(problems.join(), /store\.db-wal: frame \d+ of \d+ is corrupt.*writes up to 120 were acknowledged/);
  assert.deepEqual(readdirSync(directory).sort(), ['store.db', 'store.db-mark', 'store.db-wal']);
  assert.ok(wal.equals(readFileSync(`${path}-wal`)));
  assert.throws(() => backUpStore(directory, join(live, 'backup')), /is damaged: .*frame/);
});

it('a damaged backup is not restored', (t) => {
  const [directory, place] = [folder(t), folder(t)];
  const file = new EmbeddedFile({ directory });
  fill(file, 1, 20);
  const backup = join(place, 'backup.db');
  backUpStore(directory, backup);
  file.close();
  const bytes = readFileSync(backup);
  const at = bytes.indexOf(Buffer.alloc(500, 7));
  bytes[at + 100] = 8;
  writeFileSync(backup, bytes);
  assert.throws(() => restoreStore(join(place, 'restored'), backup), /revision 107 \(\/7\) is corrupt/);
  assert.deepEqual(readdirSync(place), ['backup.db']);
});

it('a store is restored from the files of another one, with its write-ahead log', (t) => {
  const [live, left, place] = [folder(t), folder(t), folder(t)];
  const file = new EmbeddedFile({ directory: live });
  fill(file, 1, 20);
  for (const name of readdirSync(live)) copyFileSync(join(live, name), join(left, name));
  file.close();
  restoreStore(join(place, 'restored'), join(left, 'store.db'));
  assert.deepEqual(revisions(join(place, 'restored')), all(20));
  assert.deepEqual(readdirSync(join(place, 'restored')).sort(), ['store.db', 'store.db-mark']);
});

it('a restoration that was interrupted can be repeated', (t) => {
  const [directory, place] = [folder(t), folder(t)];
  const file = new EmbeddedFile({ directory });
  fill(file, 1, 5);
  file.close();
  const backup = join(place, 'backup.db');
  backUpStore(directory, backup);
  const restored = join(place, 'restored');
  restoreStore(restored, backup);
  // As it is before the last step.
  renameSync(join(restored, 'store.db'), join(restored, 'store.db-restoring'));
  restoreStore(restored, backup);
  assert.deepEqual(revisions(restored), all(5));
});
