// The file of the embedded store: an SQLite database with the log of writes. All calls block, so it has a thread of its
// own. Files are checked before use: foreign, newer or damaged files are left unchanged.
//
// SQLite cannot tell whether its write-ahead log is complete. A high-water mark next to the database
// (high-water-mark.ts) and the bytes of the log itself (wal-file.ts) can: both are checked before anything is changed.
//
// The log has one row per revision. Rows up to the compacted revision exist only if they are part of the state at it;
// all later rows exist. A seal (log-seal.ts) tells whether all of the former are there.

import { closeSync, constants, existsSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { HighWaterMark } from './high-water-mark.ts';
import type { CommitBlock, LogRow } from './log-rows.ts';
import {
  addSums,
  COMPACTED_REVISION,
  CREATE_LOG,
  CREATE_META,
  CREATE_SEAL,
  checksumsOf,
  FIRST_SEAL,
  FORMAT_VERSION,
  NEWEST_REVISION,
  RowAudit,
  type RowSum,
  readSeal,
  type Seal,
  SealWriter,
  schemaProblem,
  sumAfter,
  upgrade,
  withoutRow,
  withRow,
} from './log-seal.ts';
import { makePrivateFolder, openPrivateFile } from './private-files.ts';
import { StoreError } from './store.ts';
import { StoreFileErrors } from './store-file-errors.ts';
import { STORE_FILE } from './store-files.ts';
import { readWal } from './wal-file.ts';

/** "KEEL" in ASCII: marks an SQLite file as ours. */
export const APPLICATION_ID = 0x4b45454c;
/** Two or more typical objects fit into one page, and a single small write does not rewrite much. */
const PAGE_BYTES = 8192;
/** Number of pages in the write-ahead log that triggers a checkpoint. */
const CHECKPOINT_PAGES = 512;
/** The write-ahead log is truncated to this size after a checkpoint. */
const LOG_BYTES = 16 * 1024 * 1024;

// https://www.sqlite.org/rescode.html
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;

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
  readonly #errors: StoreFileErrors;
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #remove: StatementSync;
  readonly #sealWriter: SealWriter;
  readonly #checksum = checksumsOf(FORMAT_VERSION);
  readonly #mark: HighWaterMark;
  /** As it is on disk. */
  #seal: Seal;
  /** The latest revision on disk. */
  #newest: number;
  /** All rows on disk; undefined until they have been read. */
  #total: RowSum | undefined;

  /**
   * Opens the store in a directory, creating it if necessary. No other process can open it until this one closes it or
   * ends. Throws StoreError.
   */
  constructor(options: EmbeddedFileOptions) {
    this.#directory = options.directory;
    this.#path = join(options.directory, STORE_FILE);
    this.#errors = new StoreFileErrors(this.#directory, this.#path);
    this.#mark = this.#errors.guard(() => this.#openPrivately());
    try {
      this.#errors.guard(() => this.#checkLog());
      this.#database = this.#errors.guard(() => new DatabaseSync(this.#path, { timeout: 0 }));
    } catch (error) {
      this.#mark.close();
      throw error;
    }
    try {
      this.#errors.guard(() => this.#prepare(options.maxFileBytes));
      this.#seal = this.#errors.guard(() => this.#readSeal());
      this.#newest = this.#errors.guard(() => this.#number(NEWEST_REVISION));
      this.#insert = this.#database.prepare('INSERT INTO log VALUES (?, ?, ?, ?, ?)');
      this.#remove = this.#database.prepare('DELETE FROM log WHERE revision = ? RETURNING checksum');
      this.#sealWriter = new SealWriter(this.#database);
    } catch (error) {
      this.#database.close();
      this.#mark.close();
      throw error;
    }
  }

  /** The revision after which all writes are in the log. */
  get compacted(): number {
    return this.#seal.compacted;
  }

  /**
   * All rows in the order of their revisions, each value in separate memory. Throws StoreError if one is damaged or
   * missing.
   */
  *rows(): Generator<LogRow<ArrayBuffer>, void, undefined> {
    const statement = this.#database.prepare('SELECT revision, time, key, value, checksum FROM log ORDER BY revision');
    statement.setReturnArrays(true);
    const rows = statement.iterate() as unknown as Iterator<StoredRow>;
    const audit = new RowAudit(FORMAT_VERSION, this.#seal);
    for (;;) {
      const next = this.#errors.guard(() => rows.next());
      if (next.done === true) break;
      const [revision, timeMs, key, value, checksum] = next.value;
      const row = { revision, timeMs, key, value: value ?? undefined };
      this.#assertWhole(audit.row(row, checksum));
      yield row;
    }
    this.#assertWhole(audit.end());
    this.#total = audit.all;
  }

  /**
   * Returns once everything is on disk. Throws StoreError if nothing of it is, and StoreStalledError if the next commit
   * may succeed. An empty commit tests whether commits are possible.
   */
  commit(commit: CommitBlock): void {
    this.#errors.guard(() => {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        this.#write(commit);
      } catch (error) {
        this.#rollBack();
        throw error;
      }
    });
    this.#mark.raise(this.#newest, this.#seal.compacted);
  }

  #write({ rows, released, compacted }: CommitBlock): void {
    let total = (this.#total ??= this.#sumUp());
    let newest = this.#newest;
    for (const row of rows) {
      const checksum = this.#checksum(row);
      this.#insert.run(row.revision, row.timeMs, row.key, row.value ?? null, checksum);
      total = withRow(total, checksum);
      newest = row.revision;
    }
    let addsOnly = newest > this.#newest && compacted === this.#seal.compacted;
    for (const revision of released) {
      addsOnly = false;
      const removed = this.#remove.get(revision);
      // A row that is not there stays in the sum, which shows when the rows are next read.
      if (removed !== undefined) total = withoutRow(total, Number(removed['checksum']));
    }
    newest = Math.max(newest, compacted);
    const seal = addsOnly ? this.#seal : { ...total, compacted, revision: newest };
    if (!addsOnly) this.#sealWriter.write(seal);
    this.#database.exec('COMMIT');
    this.#total = total;
    this.#seal = seal;
    this.#newest = newest;
  }

  /** What the seal says and the rows since. */
  #sumUp(): RowSum {
    return addSums(this.#seal, sumAfter(this.#database, this.#seal.revision));
  }

  /** Seals the last rows. The seal of a failing disk stays behind, which is harmless. */
  #sealRest(): void {
    if (this.#total === undefined || this.#seal.revision === this.#newest) return;
    try {
      this.commit({ rows: [], released: [], compacted: this.#seal.compacted });
    } catch {
      // Every write has been acknowledged or has failed by now.
    }
  }

  close(): void {
    this.#sealRest();
    this.#errors.guard(() => {
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
      if (newest !== undefined) this.#checkNewest(newest, database);
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
      const code = (error as { errcode?: number }).errcode ?? 0;
      if (code === SQLITE_FULL || (code & 0xff) === SQLITE_IOERR) return undefined;
      throw error;
    }
  }

  #checkNewest(newest: number, database = this.#database): void {
    const acknowledged = this.#mark.revision ?? 0;
    if (newest < acknowledged) {
      throw this.#incomplete(`its newest revision is ${newest}, and writes up to ${acknowledged} were acknowledged`);
    }
    const compacted = this.#number(COMPACTED_REVISION, database);
    if (compacted >= (this.#mark.compacted ?? 0)) return;
    throw this.#incomplete(`it is compacted up to ${compacted}, and was up to ${this.#mark.compacted}`);
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
    if (!isEmpty && application !== APPLICATION_ID) throw this.#errors.foreign();
    if (version > FORMAT_VERSION) {
      throw new StoreError(
        `${this.#path} has format ${version}, and this version of Keelson knows formats up to ${FORMAT_VERSION}: ` +
          'start the version that wrote it, or a newer one',
      );
    }
    if (isEmpty) this.#checkMarkOfNone();
    else this.#checkPages(version);
    this.#database.exec('PRAGMA synchronous = FULL');
    if (isEmpty) this.#create();
    this.#database.exec('PRAGMA journal_mode = WAL');
    this.#database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    this.#database.exec(`PRAGMA journal_size_limit = ${LOG_BYTES}`);
    if (version === 1) this.#upgrade();
    // A write without effect: detects now, not at the first request, whether the file is writable.
    this.#database.exec('BEGIN EXCLUSIVE; UPDATE meta SET value = value; COMMIT');
    this.#mark.set(this.#number(NEWEST_REVISION), this.#number(COMPACTED_REVISION));
    if (maxFileBytes !== undefined) {
      this.#database.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxFileBytes / PAGE_BYTES))}`);
    }
  }

  #checkMarkOfNone(): void {
    const acknowledged = this.#mark.revision;
    if (acknowledged === undefined) return;
    throw this.#incomplete(`its newest revision is 0, and writes up to ${acknowledged} were acknowledged`);
  }

  /** Before anything is written, because a page that is used twice would then be overwritten. */
  #checkPages(version: number): void {
    if (version < 1) throw this.#errors.damaged(`it has format ${version}`);
    this.#assertWhole(schemaProblem(this.#database));
    const [found] = this.#database.prepare('PRAGMA quick_check(1)').all();
    const text = String(Object.values(found ?? {})[0]);
    if (text !== 'ok') throw this.#errors.damaged(text.replaceAll('\n', ' '));
    this.#checkNewest(this.#number(NEWEST_REVISION));
  }

  #readSeal(): Seal {
    const seal = readSeal(this.#database, FORMAT_VERSION);
    if (seal === undefined || !('revision' in seal)) throw this.#errors.damaged('its record of all rows is corrupt');
    return seal;
  }

  #create(): void {
    this.#database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
    this.#inTransaction(() => {
      this.#database.exec(`${CREATE_LOG}; ${CREATE_META}; ${CREATE_SEAL}`);
      new SealWriter(this.#database).write(FIRST_SEAL);
      this.#database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT_VERSION}`);
    });
  }

  #upgrade(): void {
    this.#inTransaction(() => this.#assertWhole(upgrade(this.#database)));
  }

  #inTransaction(work: () => void): void {
    this.#database.exec('BEGIN EXCLUSIVE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #assertWhole(problem: string | undefined): void {
    if (problem !== undefined) throw this.#errors.damaged(problem);
  }

  #number(query: string, database = this.#database): number {
    const row = database.prepare(query).get();
    const value = row === undefined ? undefined : Object.values(row)[0];
    if (typeof value !== 'number') throw this.#errors.damaged(`no answer to ${query}`);
    return value;
  }
}
