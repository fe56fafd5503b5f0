// The high-water mark of the embedded store: the latest acknowledged revision and compaction, in a file next to the
// database. SQLite takes the readable part of a damaged write-ahead log for all of it; the mark reveals the rest.
//
// It is written after each commit, but synced only when the store opens and closes: after a crash of the process it is
// exact, after a power failure it may be behind. It is never ahead of the disk.

import { closeSync, constants, existsSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { openPrivateFile } from './private-files.ts';
import { StoreError } from './store.ts';

const TEXT_BYTES = 96;
/** Marks of format 1 stores end after the first line. Versions that know no other read that line alone. */
const PATTERN = /^keelson mark 1 (\d{16}) ([0-9a-f]{8})\n(?:compacted (\d{16}) ([0-9a-f]{8})\n|\n*$)/;

/** What was acknowledged. */
interface Acknowledged {
  readonly revision: number;
  /** The compacted revision; undefined in a mark of an earlier version. */
  readonly compacted: number | undefined;
}

export class HighWaterMark {
  readonly #file: number;
  /** What is in the file; undefined for a new one. */
  #found: Acknowledged | undefined;

  /** Throws system errors, and StoreError for a file that is not a mark. */
  constructor(path: string) {
    this.#file = openPrivateFile(path, constants.O_RDWR | constants.O_CREAT);
    try {
      const found = read(this.#file);
      if (found === 'damaged') throw damaged(path);
      this.#found = found;
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  /** The latest acknowledged revision; undefined if unknown. */
  get revision(): number | undefined {
    return this.#found?.revision;
  }

  /** The latest acknowledged compacted revision; undefined if unknown. */
  get compacted(): number | undefined {
    return this.#found?.compacted;
  }

  /**
   * Records that everything up to `revision` is on disk, compacted up to `compacted`. A mark that cannot be written
   * stays behind, which is harmless.
   */
  raise(revision: number, compacted: number): void {
    if (revision === this.#found?.revision && compacted === this.#found.compacted) return;
    const isCompactedSame = compacted === this.#found?.compacted;
    this.#found = { revision, compacted };
    try {
      writeSync(this.#file, isCompactedSame ? lineOf('keelson mark 1', revision) : textOf(revision, compacted), 0);
    } catch {
      // The commit itself is durable; on a full or failing disk only its proof is missing.
    }
  }

  /** Like `raise`, but waits for the disk. Throws system errors. */
  set(revision: number, compacted: number): void {
    this.#found = { revision, compacted };
    writeSync(this.#file, textOf(revision, compacted), 0);
    ftruncateSync(this.#file, TEXT_BYTES);
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }
}

function textOf(revision: number, compacted: number): string {
  return `${lineOf('keelson mark 1', revision)}${lineOf('compacted', compacted)}`.padEnd(TEXT_BYTES, '\n');
}

function lineOf(name: string, revision: number): string {
  const digits = String(revision).padStart(16, '0');
  return `${name} ${digits} ${checksumOf(digits)}\n`;
}

/** What the mark at `path` says; undefined if there is none. Throws system errors. */
export function readMark(path: string): Acknowledged | 'damaged' | undefined {
  if (!existsSync(path)) return undefined;
  const file = openSync(path, constants.O_RDONLY);
  try {
    return read(file);
  } finally {
    closeSync(file);
  }
}

function read(file: number): Acknowledged | 'damaged' | undefined {
  const bytes = Buffer.alloc(TEXT_BYTES);
  const length = readSync(file, bytes, 0, TEXT_BYTES, 0);
  if (length === 0) return undefined;
  const found = PATTERN.exec(bytes.toString('latin1', 0, length));
  if (found === null || checksumOf(found[1]!) !== found[2]) return 'damaged';
  const [, revision, , compacted, checksum] = found;
  if (compacted === undefined) return { revision: Number(revision), compacted: undefined };
  if (checksumOf(compacted) !== checksum) return 'damaged';
  return { revision: Number(revision), compacted: Number(compacted) };
}

function damaged(path: string): StoreError {
  return new StoreError(
    `${path} is damaged, which records the latest write of the store: run "keelson verify" to see whether the store is ` +
      'whole; if it is, remove this file and start the server again',
  );
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
