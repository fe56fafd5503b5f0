// The embedded store's file: an SQLite database that holds the log of writes. Every call blocks, which is why it lives
// in a thread of its own. What it finds it believes only after a check: a foreign, newer or damaged file is left alone.
//
// The log has one row a revision. Rows up to the compacted revision are there only while they are the state at it;
// all rows after it are there.

import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { CommitBlock, LogRow } from './log-rows.ts';
import { FIRST_REVISION, StoreError } from './store.ts';

const FILE_NAME = 'store.db';
/** "KEEL" in ASCII: marks an SQLite file as ours. */
const APPLICATION_ID = 0x4b45454c;
const FORMAT_VERSION = 1;
/** Two or more usual objects fit into one page, and a single small write does not rewrite much. */
const PAGE_BYTES = 8192;
/** Pages in the write-ahead log after which they are copied to the database. */
const CHECKPOINT_PAGES = 512;
/** The write-ahead log is cut to this size when it has been copied. */
const LOG_BYTES = 16 * 1024 * 1024;

// https://www.sqlite.org/rescode.html
const NOT_SQLITE = 0;
const SQLITE_PERM = 3;
const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;
/** What locking a file answers that may only be read. */
const SQLITE_IOERR_LOCK = 3850;

export interface EmbeddedFileOptions {
  readonly directory: string;
  /** The file may not grow beyond this many bytes: a write that would make it is refused like one on a full disk. */
  readonly maxFileBytes?: number;
}

type Bytes = Uint8Array<ArrayBuffer>;
type StoredRow = [revision: number, timeMs: number, key: Bytes, value: Bytes | null, checksum: number];

export class EmbeddedFile {
  readonly #directory: string;
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #remove: StatementSync;
  readonly #compact: StatementSync;
  #compacted: number;

  /**
   * Opens the store in a directory, or makes a new one. No other process can open it until this one closes it or ends.
   * Throws StoreError.
   */
  constructor(options: EmbeddedFileOptions) {
    this.#directory = options.directory;
    this.#path = join(options.directory, FILE_NAME);
    this.#database = this.#guard(() => {
      makeDirectory(resolve(options.directory));
      return new DatabaseSync(this.#path, { timeout: 0 });
    });
    try {
      this.#guard(() => this.#prepare(options.maxFileBytes));
      this.#compacted = this.#guard(() => this.#number('SELECT value FROM meta WHERE name = ?', 'compacted'));
      this.#insert = this.#database.prepare('INSERT INTO log VALUES (?, ?, ?, ?, ?)');
      this.#remove = this.#database.prepare('DELETE FROM log WHERE revision = ?');
      this.#compact = this.#database.prepare("UPDATE meta SET value = ? WHERE name = 'compacted'");
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** The revision after which all writes are in the log. */
  get compacted(): number {
    return this.#compacted;
  }

  /** All rows in the order of their revisions, each value in memory of its own. Throws StoreError when one is damaged or missing. */
  *rows(): Generator<LogRow<ArrayBuffer>, void, undefined> {
    const statement = this.#database.prepare('SELECT revision, time, key, value, checksum FROM log ORDER BY revision');
    statement.setReturnArrays(true);
    const rows = statement.iterate() as unknown as Iterator<StoredRow>;
    let newest = this.#compacted;
    for (;;) {
      const next = this.#guard(() => rows.next());
      if (next.done === true) return;
      const [revision, timeMs, key, value, checksum] = next.value;
      const row = { revision, timeMs, key, value: value ?? undefined };
      if (checksumOf(row) !== checksum) throw this.#damaged(`revision ${revision} is not what was written`);
      if (revision > this.#compacted && revision !== ++newest) throw this.#damaged(`revision ${newest} is missing`);
      yield row;
    }
  }

  /** Returns once everything is on the disk. Throws StoreError, and then nothing of it is there. */
  commit(commit: CommitBlock): void {
    this.#guard(() => {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        for (const row of commit.rows) {
          this.#insert.run(row.revision, row.timeMs, row.key, row.value ?? null, checksumOf(row));
        }
        if (commit.compacted !== this.#compacted) this.#compact.run(commit.compacted);
        for (const revision of commit.released) this.#remove.run(revision);
        this.#database.exec('COMMIT');
        this.#compacted = commit.compacted;
      } catch (error) {
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  close(): void {
    this.#guard(() => this.#database.close());
  }

  #prepare(maxFileBytes: number | undefined): void {
    // Before anything is read, so that the lock, once taken, is held until the database is closed.
    this.#database.exec('PRAGMA locking_mode = EXCLUSIVE');
    const application = this.#number('PRAGMA application_id');
    const version = this.#number('PRAGMA user_version');
    const isEmpty = application === 0 && version === 0 && this.#number('SELECT count(*) FROM sqlite_schema') === 0;
    if (!isEmpty && application !== APPLICATION_ID) throw this.#foreign();
    if (version > FORMAT_VERSION) {
      throw new StoreError(
        `${this.#path} has format ${version}, and this version of Keelson knows formats up to ${FORMAT_VERSION}: ` +
          'start the version that wrote it, or a newer one',
      );
    }
    this.#database.exec('PRAGMA synchronous = FULL');
    if (isEmpty) this.#create();
    this.#database.exec('PRAGMA journal_mode = WAL');
    this.#database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    this.#database.exec(`PRAGMA journal_size_limit = ${LOG_BYTES}`);
    // A write that changes nothing: finds out now, not at the first request, whether the file can be written.
    this.#database.exec('BEGIN EXCLUSIVE; UPDATE meta SET value = value; COMMIT');
    if (maxFileBytes !== undefined) {
      this.#database.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxFileBytes / PAGE_BYTES))}`);
    }
  }

  #create(): void {
    this.#database.exec(`
      PRAGMA page_size = ${PAGE_BYTES};
      BEGIN EXCLUSIVE;
      CREATE TABLE log (
        revision INTEGER PRIMARY KEY,
        time INTEGER NOT NULL,
        key BLOB NOT NULL,
        value BLOB,
        checksum INTEGER NOT NULL
      );
      CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
      INSERT INTO meta VALUES ('compacted', ${FIRST_REVISION});
      PRAGMA application_id = ${APPLICATION_ID};
      PRAGMA user_version = ${FORMAT_VERSION};
      COMMIT;
    `);
  }

  #number(query: string, ...parameters: string[]): number {
    const statement = this.#database.prepare(query);
    const row = statement.get(...parameters);
    const value = row === undefined ? undefined : Object.values(row)[0];
    if (typeof value !== 'number') throw this.#damaged(`no answer to ${query}`);
    return value;
  }

  /** Runs `work` and turns what SQLite and the file system throw into a StoreError that says what to do. */
  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const errcode = 'errcode' in error ? Number(error.errcode) : undefined;
      if (errcode === undefined && !('syscall' in error)) throw error;
      throw this.#explain(error.message, errcode);
    }
  }

  /** @param errcode SQLite's extended result code; undefined for errors of the file system. */
  #explain(message: string, errcode = NOT_SQLITE): StoreError {
    // The low byte is the primary code, the others tell where it happened.
    switch (errcode === SQLITE_IOERR_LOCK ? SQLITE_READONLY : errcode & 0xff) {
      case SQLITE_BUSY:
        return new StoreError(
          `another server uses the store in ${this.#directory}: stop that one, or give this one a directory of its own`,
        );
      case SQLITE_NOTADB:
        return this.#foreign();
      case SQLITE_CORRUPT:
        return this.#damaged(message);
      case SQLITE_FULL:
        return new StoreError(
          `no space is left for the store in ${this.#directory}: make room, then start the server again`,
        );
      case SQLITE_IOERR:
        return new StoreError(
          `the disk under ${this.#directory} failed (${message}): look into the system's log, ` +
            'then start the server again',
        );
      case NOT_SQLITE:
      case SQLITE_PERM:
      case SQLITE_READONLY:
      case SQLITE_CANTOPEN:
        return new StoreError(
          `cannot write to ${this.#directory} (${message}): ` +
            'make it a directory in which the server may create and change files',
        );
      default:
        return new StoreError(`the store in ${this.#directory} failed: ${message}`);
    }
  }

  #foreign(): StoreError {
    return new StoreError(
      `${this.#path} was not made by Keelson and is left as it is: move it away, or choose another directory`,
    );
  }

  #damaged(detail: string): StoreError {
    return new StoreError(
      `${this.#path} is damaged (${detail}) and is left as it is: restore the directory from a backup, ` +
        'or move it away to start empty',
    );
  }
}

function checksumOf(row: LogRow): number {
  const ofKey = crc32(row.key);
  return row.value === undefined ? ofKey : crc32(row.value, ofKey);
}

/** Makes a directory that is still there after a power failure. */
function makeDirectory(directory: string): void {
  const first = mkdirSync(directory, { recursive: true });
  if (first === undefined) return;
  // A new directory is an entry in the one around it, which has to be on the disk as well.
  for (let inner = directory; inner.length >= first.length; inner = dirname(inner)) {
    const around = openSync(dirname(inner), 'r');
    fsyncSync(around);
    closeSync(around);
  }
}
