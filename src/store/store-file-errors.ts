// Errors of the embedded store's file: what SQLite and the file system report, with the file and advice.

import { StoreError, StoreStalledError } from './store.ts';

// https://www.sqlite.org/rescode.html
const NOT_SQLITE = 0;
/** Statements are fixed, so one that cannot be compiled means another schema. */
const SQLITE_ERROR = 1;
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

export class StoreFileErrors {
  readonly #directory: string;
  readonly #path: string;

  constructor(directory: string, path: string) {
    this.#directory = directory;
    this.#path = path;
  }

  /** Runs `work` and converts exceptions of SQLite and the file system into a StoreError with advice. */
  guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (isOutOfRange(error)) throw this.damaged(error.message);
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
        return this.foreign();
      case SQLITE_ERROR:
      case SQLITE_CORRUPT:
        return this.damaged(message);
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

  /** The error for a file of another program. */
  foreign(): StoreError {
    return new StoreError(
      `${this.#path} was not made by Keelson and is left as it is: move it away, or choose another directory`,
    );
  }

  /** @param detail what is wrong with the file */
  damaged(detail: string): StoreError {
    return new StoreError(
      `${this.#path} is damaged (${detail}) and is left as it is: restore the directory from a backup, ` +
        'or move it away to start empty',
    );
  }
}

/** Whether a number in a database is larger than any that a store contains. */
export function isOutOfRange(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}
