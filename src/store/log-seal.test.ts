import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { EmbeddedFile } from './embedded-file.ts';
import type { LogRow } from './log-rows.ts';
import { FORMAT_VERSION } from './log-seal.ts';
import { FIRST_REVISION, StoreError } from './store.ts';
import { checkStore } from './store-check.ts';
import { backUpStore, restoreStore } from './store-copy.ts';

const PAGE_BYTES = 8192;
/** The type of a page whose cells are rows, and the place of their number. https://www.sqlite.org/fileformat2.html */
const LEAF_OF_TABLE = 13;
const CELL_COUNT = 4;

function folder(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'log-seal-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function row(number: number, value: string | undefined = `value ${number} `.repeat(40)): LogRow {
  const bytes = value === undefined ? undefined : Buffer.from(value);
  return { revision: FIRST_REVISION + number, timeMs: 1000 + number, key: Buffer.from(`/${number}`), value: bytes };
}

/** A closed store of 110 rows below the compacted revision. */
function compacted(t: TestContext): { directory: string; path: string } {
  const directory = folder(t);
  const file = new EmbeddedFile({ directory });
  for (let number = 1; number <= 160; number++) {
    file.commit({ rows: [row(number)], released: [], compacted: FIRST_REVISION });
  }
  const released = Array.from({ length: 50 }, (_, index) => FIRST_REVISION + 51 + index);
  file.commit({ rows: [], released, compacted: FIRST_REVISION + 160 });
  file.close();
  return { directory, path: join(directory, 'store.db') };
}

function readAll(directory: string): LogRow[] {
  const file = new EmbeddedFile({ directory });
  try {
    return [...file.rows()];
  } finally {
    file.close();
  }
}

/** The store is refused with a message that matches and is left as it is, and `verify` reports it. */
function assertDetected({ directory, path }: { directory: string; path: string }, message: RegExp): void {
  const before = readFileSync(path);
  assert.notDeepEqual(checkStore(path).problems, []);
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

/** Writes the files of a store that an earlier version has left. */
function stored(t: TestContext, name: string): string {
  const directory = folder(t);
  const url = new URL(`../../test/fixtures/stores/${name}.json.gz`, import.meta.url);
  const files = JSON.parse(gunzipSync(readFileSync(url)).toString()) as Record<string, string>;
  for (const [file, content] of Object.entries(files)) writeFileSync(join(directory, file), content, 'base64');
  return directory;
}

describe('the seal of the embedded store on damage below the compacted revision', () => {
  it('the seal of the embedded store on damage below the compacted revision detects a page that counts another number of rows', (t) => {
    const { directory, path } = compacted(t);
    const whole = readFileSync(path);
    const rows = readAll(directory);
    let detected = 0;
    for (let page = PAGE_BYTES; page < whole.length; page += PAGE_BYTES) {
      if (whole[page] !== LEAF_OF_TABLE) continue;
      for (let bit = 0; bit < 5; bit++) {
        const damaged = Buffer.from(whole);
        damaged[page + CELL_COUNT]! ^= 1 << bit;
        writeFileSync(path, damaged);
        // A page without use keeps its old content.
        if (checkStore(path).problems.length === 0) assert.deepEqual(readAll(directory), rows);
        else {
          assertDetected({ directory, path }, /is damaged/);
          detected += 1;
        }
      }
    }
    assert.ok(detected >= 20, `${detected}`);
  });

  for (const [what, sql, message] of [
    ['a row is gone', 'DELETE FROM log WHERE revision = 102', /110 rows were recorded up to revision 260, and 109 are/],
    ['the last row is gone', 'DELETE FROM log WHERE revision = 260', /110 rows were recorded/],
    ['a row has another revision', 'UPDATE log SET revision = 155 WHERE revision = 102', /revision 155 is corrupt/],
    ['a row has another time', 'UPDATE log SET time = time + 1 WHERE revision = 102', /revision 102 is corrupt/],
    ['a key is a text', "UPDATE log SET key = '/2' WHERE revision = 102", /revision 102 is corrupt/],
    ['a revision is above all others', 'UPDATE log SET revision = 1 << 60 WHERE revision = 102', /too large|missing/],
    ['a value is a deletion', 'UPDATE log SET value = NULL WHERE revision = 102', /revision 102 is corrupt/],
    [
      'bytes have moved from the value to the key',
      "UPDATE log SET key = X'2f3276', value = substr(value, 2) WHERE revision = 102",
      /revision 102 is corrupt/,
    ],
    ['a row is replaced by another', 'UPDATE log SET checksum = checksum + 1 WHERE revision = 102', /is corrupt/],
    [
      'the seal has changed',
      "UPDATE meta SET value = value + 1 WHERE name = 'rows'",
      /its record of all rows is corrupt/,
    ],
    [
      'the compaction has changed',
      "UPDATE meta SET value = 259 WHERE name = 'compacted'",
      /compacted up to 259|record/,
    ],
    ['the seal is gone', "DELETE FROM meta WHERE name = 'sum'", /its record of all rows is corrupt/],
    ['the format is 0', 'PRAGMA user_version = 0', /it has format 0/],
    ['there is another table', 'CREATE TABLE other (a)', /its tables are not those of a store/],
  ] as const) {
    it(`the seal of the embedded store on damage below the compacted revision detects that ${what}`, (t) => {
      const place = compacted(t);
      change(place.path, sql);
      assertDetected(place, message);
    });
  }

  it('the seal of the embedded store on damage below the compacted revision detects a free page that is also in use before it is overwritten', (t) => {
    const place = compacted(t);
    const bytes = readFileSync(place.path);
    const trunk = bytes.readUInt32BE(32);
    assert.ok(trunk > 0, 'there is no free page');
    bytes.writeUInt32BE(bytes.indexOf(LEAF_OF_TABLE, PAGE_BYTES) / PAGE_BYTES + 1, 32);
    writeFileSync(place.path, bytes);
    assertDetected(place, /is damaged/);
  });

  it('the seal of the embedded store on damage below the compacted revision detects damage even after a commit before the rows have been read', (t) => {
    const place = compacted(t);
    change(place.path, 'DELETE FROM log WHERE revision = 102');
    const file = new EmbeddedFile(place);
    file.commit({ rows: [row(161)], released: [FIRST_REVISION + 3], compacted: FIRST_REVISION + 161 });
    file.close();
    assertDetected(place, /110 rows were recorded up to revision 261, and 109 are there/);
  });
});

describe('the seal of the embedded store after a crash', () => {
  it('the seal of the embedded store after a crash rejects a store whose last compaction is lost', (t) => {
    const [live, left] = [folder(t), folder(t)];
    const file = new EmbeddedFile({ directory: live });
    for (let number = 1; number <= 3; number++) {
      file.commit({ rows: [row(number)], released: [], compacted: FIRST_REVISION });
    }
    const before = readFileSync(join(live, 'store.db-wal'));
    file.commit({ rows: [], released: [], compacted: FIRST_REVISION + 2 });
    for (const name of ['store.db', 'store.db-mark']) copyFileSync(join(live, name), join(left, name));
    file.close();
    writeFileSync(join(left, 'store.db-wal'), before);
    assert.throws(() => readAll(left), /has lost acknowledged writes \(it is compacted up to 100, and was up to 102\)/);
    assert.match(checkStore(join(left, 'store.db')).problems.join(), /compacted up to 100, and was up to 102/);
  });
});

describe('stores of format 2', () => {
  for (const name of ['format-2-closed', 'format-2-killed']) {
    it(`stores of format 2 are opened as released versions wrote them (${name})`, (t) => {
      const directory = stored(t, name);
      assert.deepEqual(checkStore(join(directory, 'store.db')), { revision: 135, rows: 32, problems: [] });
      const last = readAll(directory).at(-1)!;
      assert.equal(Buffer.from(last.value!).toString(), 'written in format 2');
    });
  }

  it('the files of a store are in the current format, and a newer format is rejected', (t) => {
    assert.equal(FORMAT_VERSION, 2);
    const newer = stored(t, 'format-2-closed');
    change(join(newer, 'store.db'), 'PRAGMA user_version = 3');
    assertRefusedNewer(newer);
  });
});

function assertRefusedNewer(directory: string): void {
  const before = readFileSync(join(directory, 'store.db'));
  assert.throws(() => readAll(directory), /has format 3, and this version of Keelson knows formats up to 2: start the/);
  assert.deepEqual(readFileSync(join(directory, 'store.db')), before, 'it is left as it is');
}

describe('stores of format 1', () => {
  const ROWS = 31;

  for (const name of ['format-1-closed', 'format-1-killed']) {
    it(`stores of format 1 are opened and converted to the current format (${name})`, (t) => {
      const directory = stored(t, name);
      const path = join(directory, 'store.db');
      assert.deepEqual(checkStore(path), { revision: 134, rows: ROWS, problems: [] });
      const rows = readAll(directory);
      assert.equal(rows.length, ROWS);
      const last = rows.at(-1)!;
      assert.deepEqual([last.revision, last.timeMs, last.value?.length], [134, 1_760_000_000_034, 20_000]);
      assert.equal(Buffer.from(last.key).toString(), '/registry/secrets/default/grün');
      change(path, 'UPDATE log SET time = time + 1 WHERE revision = 101');
      assertDetected({ directory, path }, /revision 101 is corrupt/);
    });
  }

  it('stores of format 1 are left alone when a row is corrupt', (t) => {
    const directory = stored(t, 'format-1-closed');
    const path = join(directory, 'store.db');
    change(path, "UPDATE log SET value = X'00' WHERE revision = 110");
    assertDetected({ directory, path }, /revision 110 is corrupt/);
  });

  it('stores of format 1 are backed up and restored in the current format', (t) => {
    const [directory, place] = [stored(t, 'format-1-killed'), folder(t)];
    const backup = join(place, 'backup.db');
    assert.deepEqual(backUpStore(directory, backup), { revision: 134, rows: ROWS, problems: [] });
    change(backup, 'DELETE FROM log WHERE revision = 134');
    assert.throws(() => restoreStore(join(place, 'one'), backup), /revision 134 is missing/);
    const restored = restoreStore(join(place, 'two'), join(directory, 'store.db'), { bumpRevision: 0 });
    // Without the former state of an object.
    assert.deepEqual(restored, { revision: 134, rows: ROWS - 1, problems: [], formerRows: 1 });
    assert.equal(readAll(join(place, 'two')).length, ROWS - 1);
  });
});
