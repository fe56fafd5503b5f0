// The server's own small files, read and written synchronously during startup, when nothing else is waiting. A
// synchronous read takes a tenth of the time of passing it to another thread.

import { Buffer } from 'node:buffer';
import { closeSync, fchmodSync, fsyncSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { limits } from '../base/limits.ts';
import { lookup } from '../base/lookup.ts';
import { syncFolder } from '../store/private-files.ts';

/** Creates a folder that only its owner can access, and its parents, if it does not exist. */
export { makeFolders as makeFolder } from '../store/private-files.ts';

/** The text of a file. @throws Error with the system's code and Go's message: `open /x: no such file or directory` */
export function readText(path: string): string {
  try {
    return readBounded(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const known = code === undefined ? undefined : FAULTS[code];
    if (known === undefined) throw error;
    throw Object.assign(new Error(`${known.what} ${path}: ${known.why}`, { cause: error }), {
      code,
      path,
      syscall: known.what,
    });
  }
}

/** A flag may name a device or a pipe, whose size is unknown and may be infinite. */
function readBounded(path: string): string {
  const file = openSync(path, 'r');
  try {
    const pieces: Buffer[] = [];
    let bytes = 0;
    for (;;) {
      const piece = Buffer.allocUnsafe(64 * 1024);
      const read = readSync(file, piece);
      if (read === 0) return Buffer.concat(pieces).toString('utf8');
      bytes += read;
      if (bytes > limits.namedFileBytes) throw new Error(`read ${path}: larger than ${limits.namedFileBytes} bytes`);
      pieces.push(piece.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
}

const FAULTS: Readonly<Record<string, { readonly what: string; readonly why: string }>> = lookup({
  ENOENT: { what: 'open', why: 'no such file or directory' },
  EACCES: { what: 'open', why: 'permission denied' },
  EISDIR: { what: 'read', why: 'is a directory' },
  ENOTDIR: { what: 'open', why: 'not a directory' },
});

/** An error of the file system in Go's words, such as `mkdir /x: permission denied`; others as they are. */
export function systemFault(error: unknown): string {
  const { code, syscall, path, message } = error as NodeJS.ErrnoException;
  const why = code === undefined ? undefined : REASONS[code];
  return why === undefined || path === undefined ? message : `${syscall} ${path}: ${why}`;
}

const REASONS: Readonly<Record<string, string>> = lookup({
  EACCES: 'permission denied',
  EDQUOT: 'disk quota exceeded',
  EEXIST: 'file exists',
  EIO: 'input/output error',
  EISDIR: 'is a directory',
  ELOOP: 'too many levels of symbolic links',
  ENAMETOOLONG: 'file name too long',
  ENOENT: 'no such file or directory',
  ENOSPC: 'no space left on device',
  ENOTDIR: 'not a directory',
  EPERM: 'operation not permitted',
  EROFS: 'read-only file system',
});

/** Like readText; undefined if the file does not exist. */
export function readTextIfThere(path: string): string | undefined {
  try {
    return readText(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Others see the old or the new file, complete and with these permissions; if `durable`, also after a crash. */
export function replaceFile(path: string, text: string, { mode, durable }: { mode: number; durable: boolean }): void {
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', mode);
  try {
    // A file left behind by a crash keeps the permissions it was created with.
    fchmodSync(file, mode);
    writeFileSync(file, text);
    if (durable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  if (durable) syncFolder(dirname(path));
}
