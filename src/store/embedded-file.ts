// The file of the embedded store: an SQLite database with the log of writes. All calls block, so it has a thread of its
// own. Files are checked before use: foreign, newer or damaged files are left unchanged.
//
// SQLite cannot tell whether its write-ahead log is complete. A high-water mark next to the database
// (high-water-mark.ts) and the bytes of the log itself (wal-file.ts) can: both are checked before anything is changed.
//
// The log has one row per revision. Rows up to the compacted revision exist only if they are part of the state at it;
// all later rows exist.

import { closeSync, constants, existsSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { HighWaterMark } from './high-water-mark.ts';
import type { CommitBlock, LogRow } from './log-rows.ts';
import { makePrivateFolder, openPrivateFile } from './private-files.ts';
import { FIRST_REVISION, StoreError, StoreStalledError } from './store.ts';
import { STORE_FILE } from './store-files.ts';
import { readWal } from './wal-file.ts';

/** "KEEL" in ASCII: marks an SQLite file as ours. */
export const APPLICATION_ID = 0x4b45454c;
export const FORMAT_VERSION = 1;
/** Two or more typical objects fit into one page, and a single small write does not rewrite much. */
const PAGE_BYTES = 8192;
/** Number of pages in the write-ahead log that triggers a checkpoint. */
const CHECKPOINT_PAGES = 512;
/** The write-ahead log is truncated to this size after a checkpoint. */
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
/** The result of locking a read-only file. */
const SQLITE_IOERR_LOCK = 3850;
/** A write failed for other reasons than a full disk, such as a quota. Earlier writes are not affected. */
const SQLITE_IOERR_WRITE = 778;

export const NEWEST_REVISION =
  "SELECT max(value, (SELECT ifnull(max(revision), 0) FROM log)) FROM meta WHERE name = 'compacted'";

export interface EmbeddedFileOptions {
  readonly directory: string;
  /** Maximum size of the file in bytes: a write that would exceed it is rejected as on a full disk. */
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
  readonly #mark: HighWaterMark;
  #compacted: number;

  /**
   * Opens the store in a directory, creating it if necessary. No other process can open it until this one closes it or
   * ends. Throws StoreError.
   */
  constructor(options: EmbeddedFileOptions) {
    this.#directory = options.directory;
    this.#path = join(options.directory, STORE_FILE);
    this.#mark = this.#guard(() => this.#openPrivately());
    try {
      this.#guard(() => this.#checkLog());
      this.#database = this.#guard(() => new DatabaseSync(this.#path, { timeout: 0 }));
    } catch (error) {
      this.#mark.close();
      throw error;
    }
    try {
      this.#guard(() => this.#prepare(options.maxFileBytes));
      this.#compacted = this.#guard(() => this.#number("SELECT value FROM meta WHERE name = 'compacted'"));
      this.#insert = this.#database.prepare('INSERT INTO log VALUES (?, ?, ?, ?, ?)');
      this.#remove = this.#database.prepare('DELETE FROM log WHERE revision = ?');
      this.#compact = this.#database.prepare("UPDATE meta SET value = ? WHERE name = 'compacted'");
    } catch (error) {
      this.#database.close();
      this.#mark.close();
      throw error;
    }
  }

  /** The revision after which all writes are in the log. */
  get compacted(): number {
    return this.#compacted;
  }

  /**
   * All rows in the order of their revisions, each value in separate memory. Throws StoreError if one is damaged or
   * missing.
   */
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
      if (checksumOf(row) !== checksum) throw this.#damaged(`revision ${revision} is corrupt`);
      if (revision > this.#compacted && revision !== ++newest) throw this.#damaged(`revision ${newest} is missing`);
      yield row;
    }
  }

  /**
   * Returns once everything is on disk. Throws StoreError if nothing of it is, and StoreStalledError if the next commit
   * may succeed. An empty commit tests whether commits are possible.
   */
  commit(commit: CommitBlock): void {
    let newest: number | undefined;
    this.#guard(() => {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        for (const row of commit.rows) {
          this.#insert.run(row.revision, row.timeMs, row.key, row.value ?? null, checksumOf(row));
          newest = row.revision;
        }
        let released = 0;
        for (const revision of commit.released) {
          this.#remove.run(revision);
          released += 1;
        }
        const isEmpty = newest === undefined && released === 0;
        if (isEmpty || commit.compacted !== this.#compacted) this.#compact.run(commit.compacted);
        this.#database.exec('COMMIT');
        this.#compacted = commit.compacted;
      } catch (error) {
        this.#rollBack();
        throw error;
      }
    });
    if (newest !== undefined) this.#mark.raise(newest);
  }

  close(): void {
    this.#guard(() => {
      try {
        this.#database.close();
      } finally {
        this.#mark.close();
      }
    });
  }

  /** @throws StoreError if the database may be in the middle of a commit, after which it is unusable */
  #rollBack(): void {
    if (!this.#database.isTransaction) return;
    try {
      this.#database.exec('ROLLBACK');
    } catch (error) {
      throw new StoreError(`the store in ${this.#directory} failed: ${String(error)}; start the server again`);
    }
  }

  /** Creates missing files, readable only by their owner; SQLite gives its other files the database's permissions. */
  #openPrivately(): HighWaterMark {
    makePrivateFolder(resolve(this.#directory));
    closeSync(openPrivateFile(this.#path, constants.O_RDWR | constants.O_CREAT));
    for (const path of [this.#walPath, `${this.#path}-shm`]) {
      if (existsSync(path)) closeSync(openPrivateFile(path, constants.O_RDWR));
    }
    return new HighWaterMark(this.#markPath);
  }

  /** Without a mark, only SQLite's own checks apply: whoever removed it has decided so. */
  get #markPath(): string {
    return `${this.#path}-mark`;
  }

  get #walPath(): string {
    return `${this.#path}-wal`;
  }

  /**
   * After a crash: examines the write-ahead log before SQLite recovers it, which would destroy the evidence. A
   * read-only connection leaves it unchanged, and detects whether another server has the store open.
   */
  #checkLog(): void {
    if (this.#mark.revision === undefined) return;
    if ((statSync(this.#walPath, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
    const database = new DatabaseSync(this.#path, { timeout: 0, readOnly: true });
    try {
      const newest = this.#readNewest(database);
      const { damage } = readWal(this.#walPath);
      if (damage !== undefined) throw this.#incomplete(`the write-ahead log ${this.#walPath} is damaged: ${damage}`);
      if (newest !== undefined) this.#checkNewest(newest);
    } finally {
      database.close();
      // Its index of the log, which a server keeps in memory.
      rmSync(`${this.#path}-shm`, { force: true });
    }
  }

  /** @returns undefined if a read-only connection cannot tell, because its index of the log needs space on disk */
  #readNewest(database: DatabaseSync): number | undefined {
    try {
      return this.#number('PRAGMA application_id', database) === APPLICATION_ID
        ? this.#number(NEWEST_REVISION, database)
        : undefined;
    } catch (error) {
      const code = (error as { errcode?: number }).errcode ?? NOT_SQLITE;
      if (code === SQLITE_FULL || (code & 0xff) === SQLITE_IOERR) return undefined;
      throw error;
    }
  }

  #checkNewest(newest: number): void {
    const acknowledged = this.#mark.revision;
    if (acknowledged === undefined || newest >= acknowledged) return;
    throw this.#incomplete(`its newest revision is ${newest}, and writes up to ${acknowledged} were acknowledged`);
  }

  #incomplete(detail: string): StoreError {
    return new StoreError(
      `${this.#path} has lost acknowledged writes (${detail}) and is left as it is: restore the directory from a ` +
        `backup; "keelson verify" tells what is there. To go on with that, remove ${this.#markPath} and start the ` +
        'server again',
    );
  }

  #prepare(maxFileBytes: number | undefined): void {
    // Before anything is read, so that the lock is held until the database is closed.
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
    this.#checkNewest(isEmpty ? 0 : this.#number(NEWEST_REVISION));
    this.#database.exec('PRAGMA synchronous = FULL');
    if (isEmpty) this.#create();
    this.#database.exec('PRAGMA journal_mode = WAL');
    this.#database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    this.#database.exec(`PRAGMA journal_size_limit = ${LOG_BYTES}`);
    // A write without effect: detects now, not at the first request, whether the file is writable.
    this.#database.exec('BEGIN EXCLUSIVE; UPDATE meta SET value = value; COMMIT');
    this.#mark.set(this.#number(NEWEST_REVISION));
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

  #number(query: string, database = this.#database): number {
    const row = database.prepare(query).get();
    const value = row === undefined ? undefined : Object.values(row)[0];
    if (typeof value !== 'number') throw this.#damaged(`no answer to ${query}`);
    return value;
  }

  /** Runs `work` and converts exceptions of SQLite and the file system into a StoreError with advice. */
  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const errcode = 'errcode' in error ? Number(error.errcode) : undefined;
      if (errcode === undefined && !('syscall' in error)) throw error;
      const isFull = 'code' in error && error.code === 'ENOSPC';
      throw this.#explain(error.message, isFull ? SQLITE_FULL : errcode);
    }
  }

  /** @param errcode SQLite's extended result code; undefined for errors of the file system. */
  #explain(message: string, errcode = NOT_SQLITE): StoreError {
    // The low byte is the primary code, the others give details.
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
        return new StoreStalledError(
          `no space is left for the store in ${this.#directory}: make room, and writes are taken again`,
        );
      case SQLITE_IOERR:
        if (errcode === SQLITE_IOERR_WRITE) {
          return new StoreStalledError(
            `the disk under ${this.#directory} cannot be written to (${message}): check the system's log; ` +
              'writes are taken again as soon as it does',
          );
        }
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

export function checksumOf(row: LogRow): number {
  const ofKey = crc32(row.key);
  return row.value === undefined ? ofKey : crc32(row.value, ofKey);
}
