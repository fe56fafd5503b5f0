import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { EmbeddedFile } from './embedded-file.ts';
import type { LogRow } from './log-rows.ts';
import { FIRST_REVISION, StoreError } from './store.ts';

const NOBODY = 65_534;

function fresh(t: TestContext): { directory: string; path: string } {
  const directory = mkdtempSync(join(tmpdir(), 'embedded-file-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return { directory, path: join(directory, 'store.db') };
}

function row(revision: number, key: string, value: Buffer<ArrayBuffer> | undefined): LogRow {
  return { revision: FIRST_REVISION + revision, timeMs: 1000 + revision, key: Buffer.from(key), value };
}

/** A store of 20 rows of 5000 bytes each. */
function filled(t: TestContext): { directory: string; path: string } {
  const place = fresh(t);
  const file = new EmbeddedFile(place);
  const rows = Array.from({ length: 20 }, (_, index) => row(index + 1, `/${index}`, Buffer.alloc(5000, index)));
  file.commit({ rows, released: [], compacted: FIRST_REVISION });
  file.close();
  return place;
}

function readAll(directory: string): LogRow[] {
  const file = new EmbeddedFile({ directory });
  try {
    return [...file.rows()];
  } finally {
    file.close();
  }
}

/** Opening and reading fails with a message that matches, and the file stays as it is. */
function assertRefused({ directory, path }: { directory: string; path: string }, message: RegExp): void {
  const before = readFileSync(path);
  assert.throws(
    () => readAll(directory),
    (error) => error instanceof StoreError && message.test(error.message),
  );
  assert.ok(before.equals(readFileSync(path)), 'the file has changed');
}

function change(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

it('the embedded file returns what was committed', (t) => {
  const { directory } = fresh(t);
  const rows = [row(1, '/a', Buffer.from('one')), row(2, '/a', undefined), row(3, '/é', Buffer.alloc(0))];
  const file = new EmbeddedFile({ directory });
  assert.equal(file.compacted, FIRST_REVISION);
  file.commit({ rows: rows.slice(0, 2), released: [], compacted: FIRST_REVISION });
  file.commit({ rows: rows.slice(2), released: [FIRST_REVISION + 1], compacted: FIRST_REVISION + 2 });
  file.close();
  const again = new EmbeddedFile({ directory });
  assert.equal(again.compacted, FIRST_REVISION + 2);
  const found = [...again.rows()].map(({ revision, key, value }) => [
    revision - FIRST_REVISION,
    `${Buffer.from(key)}`,
    value?.length,
  ]);
  assert.deepEqual(found, [
    [2, '/a', undefined],
    [3, '/é', 0],
  ]);
  again.close();
});

it('the embedded file undoes a commit that fails halfway', (t) => {
  const { directory } = fresh(t);
  const file = new EmbeddedFile({ directory });
  const rows = [row(1, '/a', Buffer.from('one')), row(1, '/b', Buffer.from('same revision'))];
  assert.throws(() => file.commit({ rows, released: [], compacted: FIRST_REVISION + 1 }), StoreError);
  assert.deepEqual([...file.rows()], []);
  file.commit({ rows: rows.slice(0, 1), released: [], compacted: FIRST_REVISION });
  file.close();
  assert.equal(readAll(directory).length, 1);
});

it('the embedded file creates its folder', (t) => {
  const directory = join(fresh(t).directory, 'some/where/else');
  new EmbeddedFile({ directory }).close();
  assert.deepEqual(readAll(directory), []);
});

it('the embedded file syncs a commit to the disk before it returns', (t) => {
  const { directory, path } = fresh(t);
  const file = new EmbeddedFile({ directory });
  file.commit({ rows: [row(1, '/a', Buffer.from('on the disk'))], released: [], compacted: FIRST_REVISION });
  assert.ok(readFileSync(`${path}-wal`).includes('on the disk'));
  file.close();
});

it('the embedded file leaves a file alone that is not a database', (t) => {
  const place = fresh(t);
  writeFileSync(place.path, 'dear diary, '.repeat(1000));
  assertRefused(place, /was not made by Keelson and is left as it is: move it away/);
});

it('the embedded file leaves the database of another program alone', (t) => {
  const place = fresh(t);
  change(place.path, 'CREATE TABLE log (revision); INSERT INTO log VALUES (7)');
  assertRefused(place, /was not made by Keelson/);
});

it('the embedded file leaves a file of a newer format alone', (t) => {
  const place = filled(t);
  change(place.path, 'PRAGMA user_version = 99');
  assertRefused(place, /has format 99, .* formats up to 2: start the version that wrote it, or a newer one/);
});

it('the embedded file detects a damaged page', (t) => {
  const place = filled(t);
  const bytes = readFileSync(place.path);
  writeFileSync(place.path, bytes.fill(0xa5, 4 * 8192, 5 * 8192));
  assertRefused(place, /is damaged .* restore the directory from a backup/);
});

it('the embedded file detects a single changed byte of a value', (t) => {
  const place = filled(t);
  const bytes = readFileSync(place.path);
  const at = bytes.indexOf(Buffer.alloc(1000, 7));
  assert.ok(at > 0);
  bytes[at + 500] = 8;
  writeFileSync(place.path, bytes);
  assertRefused(place, /is damaged \(revision 108 is corrupt\)/);
});

it('the embedded file detects a truncated file', (t) => {
  const place = filled(t);
  truncateSync(place.path, 5 * 8192);
  assertRefused(place, /is damaged/);
});

it('the embedded file detects a missing row', (t) => {
  const place = filled(t);
  change(place.path, 'DELETE FROM log WHERE revision = 110');
  assertRefused(place, /is damaged \(revision 110 is missing\)/);
});

it('the embedded file says what to do when it cannot write', (t) => {
  const { directory, path } = filled(t);
  const asRoot = process.geteuid?.() === 0;
  const asUser = (work: () => void): void => {
    if (asRoot) process.seteuid?.(NOBODY);
    try {
      work();
    } finally {
      if (asRoot) process.seteuid?.(0);
    }
  };
  const cannotWrite = (error: unknown): boolean =>
    error instanceof StoreError && /cannot write to .*: make it a directory in which/.test(error.message);
  if (asRoot) chownSync(directory, NOBODY, NOBODY);
  chmodSync(path, 0o444);
  chmodSync(directory, 0o555);
  asUser(() => assert.throws(() => new EmbeddedFile({ directory }), cannotWrite));
  asUser(() => assert.throws(() => new EmbeddedFile({ directory: join(directory, 'below') }), cannotWrite));
  assert.throws(() => new EmbeddedFile({ directory: join(path, 'below') }), cannotWrite);
  chmodSync(directory, 0o755);
});
