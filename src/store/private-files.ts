// The folder and files of the embedded store, which only their owner may read, because they contain every secret of the
// cluster. Permissions are set before anything is written, whatever the umask of the process.

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

/**
 * Names of what the server keeps in its folder. A folder with other content is shared, and its permissions are not
 * changed.
 */
const OWN_NAMES = /^(store\.db(-.*)?|pki|admin\.kubeconfig(\.new)?|lost\+found)$/;
/** Permissions of group and others. */
const SHARED = 0o077;

/** Creates a folder durably, or removes the permissions of others from an existing one. */
export function makePrivateFolder(directory: string): void {
  const first = makeFolders(directory);
  if (first !== undefined) {
    // A new folder is an entry in its parent, which has to be on disk as well.
    for (let inner = directory; inner.length >= first.length; inner = dirname(inner)) syncFolder(dirname(inner));
  }
  const { mode, uid } = statSync(directory);
  if ((mode & SHARED) === 0 || uid !== process.geteuid?.()) return;
  if (readdirSync(directory).every((name) => OWN_NAMES.test(name))) chmodSync(directory, mode & 0o700);
}

/**
 * Creates a folder, for its owner only unless `mode` says otherwise, and missing parents; returns the outermost new one.
 * Does not use mkdirSync's recursion, which never ends on file systems that report ENOENT for a new name in an existing
 * folder, such as /proc.
 * @throws the system's error
 */
export function makeFolders(path: string, mode = 0o700): string | undefined {
  try {
    mkdirSync(path, { mode });
    return path;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const above = dirname(path);
    if (code === 'ENOENT' && above !== path && !existsSync(above)) {
      const first = makeFolders(above, mode);
      mkdirSync(path, { mode });
      return first ?? path;
    }
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return undefined;
    throw error;
  }
}

/** Opens a file for its owner only, creating it if necessary; returns the descriptor. */
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

/** Waits until the entries of a folder are on disk. Windows does that by itself and has no such call. */
export function syncFolder(path: string, platform: string = process.platform): void {
  if (platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
