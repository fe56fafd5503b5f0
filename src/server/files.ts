// The server's own small files, read and written while it starts and nobody waits for anything else: each call blocks.
// A read takes a tenth of the time that handing it to another thread does.

import { closeSync, fchmodSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { lookup } from '../base/lookup.ts';
import { syncFolder } from '../store/private-files.ts';

/** Makes a folder for its owner alone, and those around it, where there is none. */
export { makeFolders as makeFolder } from '../store/private-files.ts';

/** The text in a file. @throws Error with the system's code, in Go's words: `open /x: no such file or directory` */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const known = code === undefined ? undefined : FAULTS[code];
    if (known === undefined) throw error;
    throw Object.assign(new Error(`${known.what} ${path}: ${known.why}`, { cause: error }), { code });
  }
}

const FAULTS: Readonly<Record<string, { readonly what: string; readonly why: string }>> = lookup({
  ENOENT: { what: 'open', why: 'no such file or directory' },
  EACCES: { what: 'open', why: 'permission denied' },
  EISDIR: { what: 'read', why: 'is a directory' },
});

/** As readText; undefined where there is no such file. */
export function readTextIfThere(path: string): string | undefined {
  try {
    return readText(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
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
  if (durable) syncFolder(dirname(path));
}
