// The seal of the embedded store's log: how many rows there are and the sum of their checksums, recorded in another page
// than the rows. SQLite does not notice a row that a damaged page no longer leads to; the seal does.
//
// It is renewed in the same commit as each removal of rows. Rows written since are not in it and need not be: none of
// them may be missing, so a gap between their revisions is damage. A commit that only adds rows costs no page for it.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { LogRow } from './log-rows.ts';
import { FIRST_REVISION } from './store.ts';

/** The format of new stores. Format 1 has no seal, and its checksums cover keys and values only. */
export const FORMAT_VERSION = 2;

export const NEWEST_REVISION =
  "SELECT max(value, (SELECT ifnull(max(revision), 0) FROM log)) FROM meta WHERE name = 'compacted'";

export const COMPACTED_REVISION = "SELECT value FROM meta WHERE name = 'compacted'";

export const CREATE_LOG = `
  CREATE TABLE log (
    revision INTEGER PRIMARY KEY,
    time INTEGER NOT NULL,
    key BLOB NOT NULL,
    value BLOB,
    checksum INTEGER NOT NULL
  )`;
export const CREATE_META = 'CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID';

/** Sums of checksums are kept below this, so that they are exact. */
const SUM_BOUND = 2 ** 48;
/** The number of rows read at once while a store is brought to the present format. */
const UPGRADED_ROWS = 500;
const ROW_HEAD_BYTES = 20;

/** A number of rows and the sum of their checksums. */
export interface RowSum {
  readonly rows: number;
  readonly sum: number;
}

export interface Seal extends RowSum {
  /** The revision after which all writes are in the log. */
  readonly compacted: number;
  /** The latest revision when it was written. Later rows are not in its sum. */
  readonly revision: number;
}

const NO_ROWS: RowSum = { rows: 0, sum: 0 };
export const FIRST_SEAL: Seal = { ...NO_ROWS, compacted: FIRST_REVISION, revision: FIRST_REVISION };

export function withRow({ rows, sum }: RowSum, checksum: number): RowSum {
  return { rows: rows + 1, sum: (sum + checksum) % SUM_BOUND };
}

export function withoutRow({ rows, sum }: RowSum, checksum: number): RowSum {
  return { rows: rows - 1, sum: (sum - checksum + SUM_BOUND) % SUM_BOUND };
}

export function addSums(one: RowSum, other: RowSum): RowSum {
  return { rows: one.rows + other.rows, sum: (one.sum + other.sum) % SUM_BOUND };
}

/** Computes checksums of rows, in the way of a format. */
type Checksum = (row: LogRow) => number;

/** The checksums of a format: from 2 on they cover everything that a row says. */
export function checksumsOf(format: number): Checksum {
  if (format === 1) return checksumOfContent;
  const head = Buffer.alloc(ROW_HEAD_BYTES);
  return ({ revision, timeMs, key, value }) => {
    head.writeDoubleLE(revision, 0);
    head.writeDoubleLE(timeMs, 8);
    // Without the length of the key, bytes could move between key and value.
    head.writeInt32LE(value === undefined ? ~key.length : key.length, 16);
    const ofKey = crc32(key, crc32(head));
    return value === undefined ? ofKey : crc32(value, ofKey);
  };
}

function checksumOfContent({ key, value }: LogRow): number {
  const ofKey = crc32(key);
  return value === undefined ? ofKey : crc32(value, ofKey);
}

/**
 * Compares the rows of a log with its seal, row by row in the order of revisions. Its methods return what is wrong, at
 * most one thing for each row.
 */
export class RowAudit {
  readonly #checksum: Checksum;
  readonly #seal: Seal;
  readonly #isSealed: boolean;
  /** All rows so far, and those that the seal covers. */
  all = NO_ROWS;
  #sealed = NO_ROWS;
  #newest: number;

  /** @param seal undefined for a store of format 1, of which only `compacted` is known */
  constructor(format: number, seal: Seal | { readonly compacted: number }) {
    this.#checksum = checksumsOf(format);
    this.#isSealed = 'revision' in seal;
    this.#seal = 'revision' in seal ? seal : { ...FIRST_SEAL, ...seal };
    this.#newest = seal.compacted;
  }

  /** @param row as it was found, in which damage may have left anything */
  row(row: LogRow, checksum: number): string | undefined {
    const { revision } = row;
    if (!hasTypes(row, checksum)) return `revision ${revision} is corrupt`;
    this.all = withRow(this.all, checksum);
    if (revision <= this.#seal.revision) this.#sealed = withRow(this.#sealed, checksum);
    const expected = this.#newest + 1;
    if (revision > this.#seal.compacted) this.#newest = revision;
    if (this.#checksum(row) !== checksum) return `revision ${revision} is corrupt`;
    if (revision <= this.#seal.compacted || revision === expected) return undefined;
    return missing(expected, revision - 1);
  }

  end(): string | undefined {
    const { revision, rows, sum } = this.#seal;
    if (!this.#isSealed) return undefined;
    if (this.#newest < revision) return missing(this.#newest + 1, revision);
    const found = this.#sealed;
    if (found.rows !== rows)
      return `${rows} rows were recorded up to revision ${revision}, and ${found.rows} are there`;
    return found.sum === sum ? undefined : `the rows up to revision ${revision} are not those that were recorded`;
  }
}

function hasTypes({ timeMs, key, value }: LogRow, checksum: number): boolean {
  const isWhole = typeof timeMs === 'number' && typeof checksum === 'number' && key instanceof Uint8Array;
  return isWhole && (value === undefined || value instanceof Uint8Array);
}

function missing(first: number, last: number): string {
  return first === last ? `revision ${first} is missing` : `revisions ${first} to ${last} are missing`;
}

/** Returns how the tables of a database differ from those of a store. Throws errors of SQLite. */
export function schemaProblem(database: DatabaseSync): string | undefined {
  const normal = (sql: unknown): string => String(sql).trim().replace(/\s+/g, ' ');
  const found = database.prepare('SELECT sql FROM sqlite_schema ORDER BY name').all();
  const expected = [CREATE_LOG, CREATE_META].map(normal);
  const isExpected = found.length === expected.length && found.every(({ sql }, at) => normal(sql) === expected[at]);
  return isExpected ? undefined : 'its tables are not those of a store';
}

/** Returns the seal; of a store of format 1 only `compacted`; undefined if it is damaged. Throws errors of SQLite. */
export function readSeal(database: DatabaseSync, format: number): Seal | { readonly compacted: number } | undefined {
  const found = new Map<unknown, number>();
  for (const { name, value } of database.prepare('SELECT name, value FROM meta').iterate()) {
    if (typeof value !== 'number') return undefined;
    found.set(name, value);
  }
  const [compacted, revision, rows, sum] = ['compacted', 'sealed', 'rows', 'sum'].map((name) => found.get(name));
  if (compacted === undefined) return undefined;
  if (format === 1) return { compacted };
  if (revision === undefined || rows === undefined || sum === undefined) return undefined;
  const seal = { compacted, revision, rows, sum };
  return found.get('checksum') === checksumOfSeal(seal) ? seal : undefined;
}

function checksumOfSeal({ compacted, revision, rows, sum }: Seal): number {
  return crc32(`${compacted} ${revision} ${rows} ${sum}`);
}

/** Creates the rows of a seal; `compacted` is there in stores of format 1. */
export const CREATE_SEAL =
  "INSERT OR IGNORE INTO meta VALUES ('compacted', 0), ('sealed', 0), ('rows', 0), ('sum', 0), ('checksum', 0)";

const WRITE_SEAL = `
  UPDATE meta SET value = CASE name
    WHEN 'compacted' THEN ?1 WHEN 'sealed' THEN ?2 WHEN 'rows' THEN ?3 WHEN 'sum' THEN ?4 ELSE ?5 END`;

/** Writes the seal of a database, again and again. */
export class SealWriter {
  readonly #statement: StatementSync;

  constructor(database: DatabaseSync) {
    this.#statement = database.prepare(WRITE_SEAL);
  }

  write(seal: Seal): void {
    this.#statement.run(seal.compacted, seal.revision, seal.rows, seal.sum, checksumOfSeal(seal));
  }
}

/** The sum of the rows after a revision. */
export function sumAfter(database: DatabaseSync, revision: number): RowSum {
  let found = NO_ROWS;
  const statement = database.prepare('SELECT checksum FROM log WHERE revision > ?');
  for (const { checksum } of statement.iterate(revision)) found = withRow(found, Number(checksum));
  return found;
}

/** Seals all rows of a log, in the transaction of the caller. */
export function sealAll(database: DatabaseSync, compacted: number): void {
  const newest = Number(Object.values(database.prepare(NEWEST_REVISION).get() ?? {})[0]);
  new SealWriter(database).write({ compacted, revision: Math.max(newest, compacted), ...sumAfter(database, 0) });
}

/**
 * Brings a log of format 1 to the present format, in the transaction of the caller.
 * @returns what is wrong with the rows, which are then unchanged once the caller has rolled back
 */
export function upgrade(database: DatabaseSync): string | undefined {
  const found = readSeal(database, 1);
  if (found === undefined) return 'its compacted revision is missing';
  const audit = new RowAudit(1, found);
  const checksum = checksumsOf(FORMAT_VERSION);
  const select = database.prepare(
    `SELECT revision, time, key, value, checksum FROM log WHERE revision > ? ORDER BY revision LIMIT ${UPGRADED_ROWS}`,
  );
  const update = database.prepare('UPDATE log SET checksum = ? WHERE revision = ?');
  for (let after = -1; ; ) {
    const rows = select.all(after) as unknown as StoredRow[];
    for (const { revision, time: timeMs, key, value, checksum: stored } of rows) {
      const row = { revision, timeMs, key, value: value ?? undefined };
      const problem = audit.row(row, stored);
      if (problem !== undefined) return problem;
      update.run(checksum(row), revision);
      after = revision;
    }
    if (rows.length === 0) break;
  }
  database.exec(CREATE_SEAL);
  sealAll(database, found.compacted);
  database.exec(`PRAGMA user_version = ${FORMAT_VERSION}`);
  return undefined;
}

interface StoredRow {
  readonly revision: number;
  readonly time: number;
  readonly key: Uint8Array;
  readonly value: Uint8Array | null;
  readonly checksum: number;
}
