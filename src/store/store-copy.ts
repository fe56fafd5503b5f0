// Backups of an embedded store, even while a server has it open, and restoring them. A backup is one file: a database
// without a log, completely checked.
//
// A server may keep writing while its files are copied. Changes of the database meanwhile come from the write-ahead
// log, which is copied after it: as long as the log has not been restarted, both copies together are the state at the
// log's last commit, whichever pages were copied in between.

import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { limits } from '../base/limits.ts';
import { HighWaterMark, readMark } from './high-water-mark.ts';
import { COMPACTED_REVISION, NEWEST_REVISION, sealAll, upgrade } from './log-seal.ts';
import { makePrivateFolder, openPrivateFile, syncFolder } from './private-files.ts';
import { StoreError } from './store.ts';
import { checkStore, type OnStoreStep, type StoreReport } from './store-check.ts';
import { STORE_FILE } from './store-files.ts';
import { readWal } from './wal-file.ts';

/** How often a copy is restarted because the server restarted its log. */
const ATTEMPTS = 20;
const WAL_HEADER_BYTES = 32;

/**
 * Writes the state of the store in `directory` to a new file that only its owner can read.
 * @throws StoreError that describes the problem with the store or the file; then no such file exists
 */
export function backUpStore(directory: string, file: string, onStep: OnStoreStep = () => {}): StoreReport {
  const source = join(resolve(directory), STORE_FILE);
  const target = resolve(file);
  if (!existsSync(source)) throw new StoreError(`there is no store in ${directory}`);
  if (existsSync(target)) throw new StoreError(`${file} already exists: choose another name, or remove it`);
  const workplace = mkdtempSync(`${target}.`);
  try {
    const copy = join(workplace, STORE_FILE);
    const mark = readMark(`${source}-mark`);
    const { size: bytes } = statSync(source);
    onStep({ step: 'copy', bytes });
    copyWhole(source, copy);
    const before = checkStore(copy, onStep);
    assertWhole(before, source);
    if (typeof mark === 'object' && before.revision < mark.revision) {
      throw new StoreError(
        `${source} has lost acknowledged writes: its newest revision is ${before.revision}, not ${mark.revision}`,
      );
    }
    onStep({ step: 'write', bytes });
    foldLog(copy);
    const report = checkStore(copy, onStep);
    assertWhole(report, copy);
    renameSync(copy, target);
    syncFolder(dirname(target));
    return report;
  } finally {
    rmSync(workplace, { recursive: true, force: true });
  }
}

interface RestoreReport extends StoreReport {
  /** The rows of the backup that were left out: former states of objects. */
  readonly formerRows: number;
}

interface RestoreOptions {
  /** Maximum number of revisions by which the original store may have advanced since the backup. */
  readonly bumpRevision?: number;
  readonly onStep?: OnStoreStep;
}

/**
 * Creates a store from a backup in a folder that has none. Revisions continue above all that the old store can have
 * assigned, and history begins there: versions known to clients are expired, so clients relist and never continue from
 * another past.
 * @returns the report on the new store
 * @throws StoreError, without having changed anything
 */
export function restoreStore(
  directory: string,
  file: string,
  { bumpRevision = limits.restoredRevisions, onStep = () => {} }: RestoreOptions = {},
): RestoreReport {
  const target = join(resolve(directory), STORE_FILE);
  if (!existsSync(file)) throw new StoreError(`there is no file ${file}`);
  const unfinished = `${target}-restoring`;
  // The mark of an interrupted restoration does not belong to another store.
  const traces = [target, `${target}-wal`, ...(existsSync(unfinished) ? [] : [`${target}-mark`])];
  for (const path of traces) {
    if (existsSync(path))
      throw new StoreError(`${path} already exists: move it away, or choose another folder with --data-dir`);
  }
  const backup = checkStore(resolve(file), onStep);
  assertWhole(backup, file);
  makePrivateFolder(resolve(directory));
  const { size: bytes } = statSync(resolve(file));
  onStep({ step: 'copy', bytes });
  copyWhole(resolve(file), unfinished);
  onStep({ step: 'write', bytes });
  raiseRevision(unfinished, bumpRevision);
  const report = checkStore(unfinished, onStep);
  assertWhole(report, unfinished);
  markRevision(target, report.revision);
  renameSync(unfinished, target);
  syncFolder(resolve(directory));
  return { ...report, formerRows: backup.rows - report.rows };
}

/**
 * Advances the revision of a store that is not in use and that no client knows yet.
 * @throws StoreError for a damaged store
 */
export function raiseStore(directory: string, revision: number): void {
  const path = join(resolve(directory), STORE_FILE);
  const report = checkStore(path);
  assertWhole(report, path);
  if (report.revision >= revision) return;
  raiseRevision(path, revision - report.revision);
  markRevision(path, revision);
}

/** Marks a store that is compacted up to its latest revision. */
function markRevision(path: string, revision: number): void {
  const mark = new HighWaterMark(`${path}-mark`);
  try {
    mark.set(revision, revision);
  } finally {
    mark.close();
  }
}

function assertWhole({ problems }: StoreReport, path: string): void {
  if (problems.length > 0) throw new StoreError(`${path} is damaged: ${problems.slice(0, 3).join('; ')}`);
}

/** Copies the database and its log in a consistent state. */
function copyWhole(source: string, copy: string): void {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = generation(`${source}-wal`);
    copyPrivately(source, copy);
    rmSync(`${copy}-wal`, { force: true });
    if (existsSync(`${source}-wal`)) copyPrivately(`${source}-wal`, `${copy}-wal`);
    const isSame = generation(`${source}-wal`) === before && generation(`${copy}-wal`) === before;
    // A log that is being written may look damaged in a copy; a damaged one does so each time.
    if (isSame && (readWal(`${copy}-wal`).damage === undefined || attempt === ATTEMPTS - 1)) return;
  }
  throw new StoreError(`the store is written to faster than it can be copied: try again when there is less to do`);
}

/** Distinguishes a log from its predecessor: its header is rewritten when the log is restarted. */
function generation(wal: string): string {
  if (!existsSync(wal)) return '';
  const file = openSync(wal, constants.O_RDONLY);
  try {
    const header = Buffer.alloc(WAL_HEADER_BYTES);
    return header.toString('latin1', 0, readSync(file, header, 0, WAL_HEADER_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

function copyPrivately(source: string, target: string): void {
  const file = openPrivateFile(target, constants.O_RDWR | constants.O_CREAT);
  try {
    copyFileSync(source, target);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Reduces the history to the current state, at a revision that is so much above the latest. */
function raiseRevision(path: string, by: number): void {
  change(path, (database) => {
    const newest = Number(Object.values(database.prepare(NEWEST_REVISION).get() ?? {})[0]);
    database.exec(
      'DELETE FROM log WHERE value IS NULL OR revision NOT IN (SELECT max(revision) FROM log GROUP BY key)',
    );
    sealAll(database, newest + by);
  });
}

/** Moves the content of the log into the database, which then needs no log, and seals all rows. */
function foldLog(path: string): void {
  change(path, (database) => {
    const compacted = Number(Object.values(database.prepare(COMPACTED_REVISION).get() ?? {})[0]);
    sealAll(database, compacted);
  });
}

/**
 * Changes a database that is not in use, in one transaction, after bringing it to the present format. It needs no log
 * afterwards.
 */
function change(path: string, work: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; BEGIN EXCLUSIVE');
    const format = Number(Object.values(database.prepare('PRAGMA user_version').get() ?? {})[0]);
    const problem = format === 1 ? upgrade(database) : undefined;
    if (problem !== undefined) throw new StoreError(`${path} is damaged: ${problem}`);
    work(database);
    database.exec('COMMIT; PRAGMA journal_mode = DELETE');
  } finally {
    database.close();
  }
}
