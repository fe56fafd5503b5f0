// The folder and the files of the embedded store, which only their owner may read: every secret of the cluster is in
// them. Permissions are set before anything is written, whatever the umask of the process.

import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Names of what the server keeps in its folder. One with other things in it is shared, and left as it is. */
const OWN_NAMES = /^(store\.db(-.*)?|pki|admin\.kubeconfig(\.new)?|lost\+found)$/;
/** Permissions of the group and of others. */
const SHARED = 0o077;

/** Makes a folder that is still there after a power failure, or takes the permissions of others off one. */
export function makePrivateFolder(directory: string): void {
  const first = makeFolders(directory);
  if (first !== undefined) {
    // A new folder is an entry in the one around it, which has to be on the disk as well.
    for (let inner = directory; inner.length >= first.length; inner = dirname(inner)) syncFolder(dirname(inner));
  }
  const { mode, uid } = statSync(directory);
  if ((mode & SHARED) === 0 || uid !== process.geteuid?.()) return;
  if (readdirSync(directory).every((name) => OWN_NAMES.test(name))) chmodSync(directory, mode & 0o700);
}

/**
 * Makes a folder for its owner alone, and those around it, where there is none; the outermost that was made. Not by
 * mkdirSync's own recursion, which never ends where a file system says of a new name in a folder it has that there is
 * no such folder, as /proc does.
 * @throws the system's error
 */
export function makeFolders(path: string): string | undefined {
  try {
    mkdirSync(path, { mode: 0o700 });
    return path;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const above = dirname(path);
    if (code === 'ENOENT' && above !== path && !existsSync(above)) {
      const first = makeFolders(above);
      mkdirSync(path, { mode: 0o700 });
      return first ?? path;
    }
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return undefined;
    throw error;
  }
}

/** Opens a file for its owner alone and makes it where there is none; the descriptor. */
export function openPrivateFile(path: string, flags: number): number {
  const file = openSync(path, flags, 0o600);
  try {
    const { mode, uid } = fstatSync(file);
    if ((mode & SHARED) !== 0 && uid === process.geteuid?.()) fchmodSync(file, mode & 0o700);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Waits until the names in a folder are on the disk. Windows writes them down by itself, and lets nobody ask for it. */
export function syncFolder(path: string, platform: string = process.platform): void {
  if (platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
