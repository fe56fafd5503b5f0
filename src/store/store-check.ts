// A complete check of an embedded store's file that is not in use: every page, every row, the write-ahead log and the
// high-water mark. It changes nothing.

import { closeSync, constants, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { APPLICATION_ID } from './embedded-file.ts';
import { readMark } from './high-water-mark.ts';
import { FORMAT_VERSION, NEWEST_REVISION, RowAudit, readSeal, schemaProblem } from './log-seal.ts';
import { StoreError } from './store.ts';
import { isOutOfRange } from './store-file-errors.ts';
import { readWal } from './wal-file.ts';

export interface StoreReport {
  /** The latest readable revision. */
  readonly revision: number;
  readonly rows: number;
  /** All problems; empty for an intact store. */
  readonly problems: readonly string[];
}

/** A part of the work on a store's file that has begun, for those who wait for a large one. */
export interface StoreStep {
  readonly step: 'copy' | 'check' | 'rows' | 'write';
  /** The size of the file. */
  readonly bytes: number;
  /** How many rows have been read so far. */
  readonly rows?: number;
}

export type OnStoreStep = (step: StoreStep) => void;

/** After how many rows it is told how many they are. */
const ROWS_TOLD = 50_000;

const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;
/** Maximum number of reported problems. */
const MAX_PROBLEMS = 100;

/**
 * Checks the database at `path`, and its log and mark if they exist. Throws system errors, and StoreError if a server
 * has it open or if it is not a store.
 */
export function checkStore(path: string, onStep: OnStoreStep = () => {}): StoreReport {
  closeSync(openSync(path, constants.O_RDONLY));
  const found = statSync(path);
  if (found.isDirectory()) throw new StoreError(`${path} is a directory: name a backup, or the folder with --data-dir`);
  const { size: bytes } = found;
  onStep({ step: 'check', bytes });
  const problems: string[] = [];
  const { damage } = readWal(`${path}-wal`);
  if (damage !== undefined) problems.push(`${path}-wal: ${damage}; writes behind it are lost`);
  const hadIndex = existsSync(`${path}-shm`);
  const database = new DatabaseSync(path, { timeout: 0, readOnly: true });
  try {
    const onRows = (rows: number) => onStep({ step: 'rows', bytes, rows });
    return { ...checkDatabase(database, path, { problems, onRows }), problems };
  } catch (error) {
    if (!(error instanceof Error) || !('errcode' in error || isOutOfRange(error))) throw error;
    if ('errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY) {
      throw new StoreError(`a server uses ${path}: stop it first, or back the store up and check that`);
    }
    if ('errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_NOTADB) throw notAStore(path);
    problems.push(`${path}: ${error.message}`);
    return { revision: 0, rows: 0, problems };
  } finally {
    database.close();
    if (!hadIndex) rmSync(`${path}-shm`, { force: true });
  }
}

interface Watched {
  readonly problems: string[];
  readonly onRows: (rows: number) => void;
}

function checkDatabase(
  database: DatabaseSync,
  path: string,
  { problems, onRows }: Watched,
): Omit<StoreReport, 'problems'> {
  const number = (query: string): number => Number(Object.values(database.prepare(query).get() ?? {})[0]);
  if (number('PRAGMA application_id') !== APPLICATION_ID) {
    throw notAStore(path);
  }
  const format = number('PRAGMA user_version');
  if (format < 1 || format > FORMAT_VERSION) {
    problems.push(`${path} has format ${format}, and this version knows formats from 1 to ${FORMAT_VERSION}`);
  }
  const schema = schemaProblem(database);
  if (schema !== undefined) {
    problems.push(`${path}: ${schema}`);
    return { revision: 0, rows: 0 };
  }
  for (const row of database.prepare(`PRAGMA integrity_check(${MAX_PROBLEMS})`).all()) {
    const [text] = Object.values(row);
    if (text !== 'ok') problems.push(`${path}: ${String(text)}`);
  }
  const revision = number(NEWEST_REVISION);
  const acknowledged = readMark(`${path}-mark`);
  if (acknowledged === 'damaged') problems.push(`${path}-mark is damaged`);
  else if (acknowledged !== undefined && revision < acknowledged.revision) {
    problems.push(`the newest revision is ${revision}, and writes up to ${acknowledged.revision} were acknowledged`);
  }
  const seal = readSeal(database, format);
  if (seal === undefined) problems.push(`${path}: its record of all rows is corrupt`);
  const known = seal ?? { compacted: revision };
  if (acknowledged !== 'damaged' && known.compacted < (acknowledged?.compacted ?? 0)) {
    problems.push(`it is compacted up to ${known.compacted}, and was up to ${acknowledged?.compacted}`);
  }
  return { revision, rows: checkRows(database, new RowAudit(format, known), { problems, onRows }) };
}

function notAStore(path: string): StoreError {
  return new StoreError(`${path} is not a store of Keelson, or its beginning is damaged`);
}

/** @returns the number of rows */
function checkRows(database: DatabaseSync, audit: RowAudit, { problems, onRows }: Watched): number {
  const statement = database.prepare('SELECT revision, time, key, value, checksum FROM log ORDER BY revision');
  for (const found of statement.iterate()) {
    const { revision, time: timeMs, key, value, checksum } = found as unknown as Row;
    if (audit.all.rows % ROWS_TOLD === 0 && audit.all.rows > 0) onRows(audit.all.rows);
    const problem = audit.row({ revision, timeMs, key, value: value ?? undefined }, checksum);
    if (problem === undefined || problems.length >= MAX_PROBLEMS) continue;
    problems.push(
      problem.endsWith('is corrupt') ? `revision ${revision} (${Buffer.from(key ?? '')}) is corrupt` : problem,
    );
  }
  const problem = audit.end();
  if (problem !== undefined) problems.push(problem);
  return audit.all.rows;
}

interface Row {
  readonly revision: number;
  readonly time: number;
  readonly key: Uint8Array;
  readonly value: Uint8Array | null;
  readonly checksum: number;
}
