import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { EmbeddedFile } from './embedded-file.ts';
import type { LogRow } from './log-rows.ts';
import { FIRST_REVISION, StoreError, StoreStalledError } from './store.ts';

const ROWS = 12;
const WAL_HEADER_BYTES = 32;
const FRAME_BYTES = 24 + 8192;

function row(number: number, bytes = 5000): LogRow {
  const value = Buffer.alloc(bytes, number);
  return { revision: FIRST_REVISION + number, timeMs: 1000, key: Buffer.from(`/${number}`), value };
}

function commitOne(file: EmbeddedFile, number: number, bytes?: number): void {
  file.commit({ rows: [row(number, bytes)], released: [], compacted: FIRST_REVISION });
}

function freshFolder(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'embedded-damage-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** The files that a server leaves that is killed after so many commits of one row each. */
function crashed(t: TestContext, rows = ROWS): string {
  const [live, left] = [freshFolder(t), freshFolder(t)];
  const file = new EmbeddedFile({ directory: live });
  for (let number = 1; number <= rows; number++) commitOne(file, number);
  for (const name of readdirSync(live)) copyFileSync(join(live, name), join(left, name));
  file.close();
  return left;
}

const walOf = (directory: string): string => join(directory, 'store.db-wal');

function readRevisions(directory: string): number[] {
  const file = new EmbeddedFile({ directory });
  try {
    return [...file.rows()].map(({ revision }) => revision - FIRST_REVISION);
  } finally {
    file.close();
  }
}

function contents(directory: string): Record<string, string> {
  const names = readdirSync(directory).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(directory, name)).toString('latin1')]));
}

/** The store does not open, says why and what to do, and changes nothing. */
function assertRefused(directory: string, message: RegExp): void {
  const before = contents(directory);
  assert.throws(
    () => readRevisions(directory),
    (error) => {
      assert.ok(error instanceof StoreError);
      assert.match(error.message, message);
      assert.match(error.message, /restore the directory from a backup|run "keelson verify"/);
      return true;
    },
  );
  const after = contents(directory);
  assert.deepEqual(
    Object.keys(after),
    Object.keys(before)
      .concat('store.db' in before ? [] : ['store.db'])
      .sort(),
  );
  for (const name of Object.keys(before)) assert.ok(after[name] === before[name], `${name} has changed`);
}

const all = (rows: number): number[] => Array.from({ length: rows }, (_, index) => index + 1);

describe('the embedded file after a crash', () => {
  it('the embedded file after a crash holds every acknowledged write', (t) => {
    assert.deepEqual(readRevisions(crashed(t)), all(ROWS));
  });

  it('the embedded file after a crash is rejected when any bit of the write-ahead log has changed', (t) => {
    const directory = crashed(t);
    const wal = readFileSync(walOf(directory));
    const frames = Math.floor((wal.length - WAL_HEADER_BYTES) / FRAME_BYTES);
    assert.ok(frames >= ROWS);
    const places = [8, 18];
    for (let frame = 0; frame < frames; frame++) {
      // The page's number, the salt, the checksum, the page.
      for (const at of [3, 9, 17, 24 + 100, 24 + 8000]) places.push(WAL_HEADER_BYTES + frame * FRAME_BYTES + at);
    }
    for (const place of places) {
      const damaged = Buffer.from(wal);
      damaged[place]! ^= 0x10;
      writeFileSync(walOf(directory), damaged);
      assertRefused(directory, /has lost acknowledged writes .*store\.db-wal is damaged|newest revision is/);
    }
    writeFileSync(walOf(directory), wal);
    assert.deepEqual(readRevisions(directory), all(ROWS));
  });

  it('the embedded file after a crash is rejected without its write-ahead log, and with half of it', (t) => {
    const directory = crashed(t);
    truncateSync(walOf(directory), Math.floor(statSync(walOf(directory)).size / 2));
    assertRefused(directory, /newest revision is \d+, and writes up to 112 were acknowledged/);
    rmSync(walOf(directory));
    assertRefused(directory, /newest revision is 100, and writes up to 112 were acknowledged/);
  });

  it('the embedded file after a crash is rejected when the database is missing', (t) => {
    const directory = crashed(t);
    for (const name of ['store.db', 'store.db-wal']) rmSync(join(directory, name));
    assertRefused(directory, /newest revision is 0, and writes up to 112 were acknowledged/);
  });

  it('the embedded file after a crash is rejected when the mark is damaged', (t) => {
    const directory = crashed(t);
    const mark = readFileSync(join(directory, 'store.db-mark'));
    mark[25]! ^= 1;
    writeFileSync(join(directory, 'store.db-mark'), mark);
    assertRefused(directory, /store\.db-mark is damaged/);
  });

  it('the embedded file after a crash is accepted as it is after the mark was removed', (t) => {
    const directory = crashed(t);
    const wal = readFileSync(walOf(directory));
    wal[wal.length >> 1]! ^= 1;
    writeFileSync(walOf(directory), wal);
    rmSync(join(directory, 'store.db-mark'));
    const left = readRevisions(directory).length;
    assert.ok(left > 0 && left < ROWS, `${left}`);
    assert.deepEqual(readRevisions(directory), all(left), 'and again with the mark it has now');
  });

  it('the embedded file after a crash ends before an unfinished write, which was not acknowledged', (t) => {
    const [before, after] = [crashed(t, ROWS), crashed(t, ROWS + 1)];
    const known = statSync(walOf(before)).size;
    const longer = readFileSync(walOf(after));
    const half = readFileSync(walOf(before));
    // The next write is there but for a hole, as when the power failed before it was synced.
    const torn = Buffer.concat([half, longer.subarray(known)]);
    torn.fill(0, known + 1000, known + 2000);
    for (const bytes of [torn, torn.subarray(0, known + 5000)]) {
      for (const name of ['store.db', 'store.db-mark']) copyFileSync(join(before, name), join(after, name));
      writeFileSync(walOf(after), bytes);
      assert.deepEqual(readRevisions(after), all(ROWS));
    }
  });
});

describe('the embedded file among the users of a machine', () => {
  const permissions = (path: string): string => (statSync(path).mode & 0o777).toString(8);

  it('the embedded file among the users of a machine is readable for its owner only, whatever the umask', (t) => {
    const umask = process.umask(0);
    t.after(() => process.umask(umask));
    for (const mask of [0, 0o022, 0o077]) {
      process.umask(mask);
      const directory = join(freshFolder(t), 'data');
      const file = new EmbeddedFile({ directory });
      commitOne(file, 1);
      const found = readdirSync(directory).map((name) => `${name} ${permissions(join(directory, name))}`);
      assert.deepEqual(found.sort(), ['store.db 600', 'store.db-mark 600', 'store.db-wal 600']);
      assert.equal(permissions(directory), '700');
      file.close();
    }
  });

  it('the embedded file among the users of a machine is restricted again where an earlier server left it readable', (t) => {
    const directory = crashed(t);
    chmodSync(directory, 0o755);
    for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o644);
    const file = new EmbeddedFile({ directory });
    const found = [directory, ...readdirSync(directory).map((name) => join(directory, name))].map(permissions);
    assert.deepEqual(found, ['700', '600', '600', '600']);
    file.close();
  });

  it('the embedded file among the users of a machine does not restrict a folder that holds other files', (t) => {
    const directory = freshFolder(t);
    writeFileSync(join(directory, 'letters.txt'), 'dear');
    chmodSync(directory, 0o755);
    new EmbeddedFile({ directory }).close();
    assert.equal(permissions(directory), '755');
    assert.equal(permissions(join(directory, 'store.db')), '600');
  });
});

describe('the embedded file on a full disk', () => {
  it('the embedded file on a full disk accepts writes again once there is space', (t) => {
    const directory = freshFolder(t);
    const file = new EmbeddedFile({ directory, maxFileBytes: 300_000 });
    let next = 1;
    assert.throws(
      () => {
        for (; ; next++) commitOne(file, next, 20_000);
      },
      (error) => error instanceof StoreStalledError && /no space is left .*: make room/.test(error.message),
    );
    assert.ok(next > 5);
    assert.throws(() => commitOne(file, next, 20_000), StoreStalledError);
    const released = [FIRST_REVISION + 1, FIRST_REVISION + 2];
    const compacted = FIRST_REVISION + 2;
    file.commit({ rows: [], released, compacted });
    file.commit({ rows: [row(next, 20_000)], released: [], compacted });
    file.close();
    assert.deepEqual(readRevisions(directory), all(next).slice(2));
  });
});
