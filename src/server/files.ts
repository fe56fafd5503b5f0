// The server's own small files, read and written while it starts and nobody waits for anything else: each call blocks.
// A read takes a tenth of the time that handing it to another thread does.

import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** The text in a file. @throws the system's error */
export function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

/** As readText; undefined where there is no such file. */
export function readTextIfThere(path: string): string | undefined {
  try {
    return readText(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Makes a folder for its owner alone, and those around it, where there is none. Not by mkdirSync's own recursion, which
 * never ends where a file system says of a new name in a folder it has that there is no such folder, as /proc does.
 * @throws the system's error
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const above = dirname(path);
    if (code === 'ENOENT' && above !== path && !existsSync(above)) {
      makeFolder(above);
      mkdirSync(path, { mode: 0o700 });
    } else if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Others see the old file or the new one, whole and with these permissions. Where it is `durable`, also after a crash. */
export function replaceFile(path: string, text: string, { mode, durable }: { mode: number; durable: boolean }): void {
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', mode);
  try {
    // A file that a crash left behind keeps the permissions it was made with.
    fchmodSync(file, mode);
    writeFileSync(file, text);
    if (durable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  if (!durable) return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
