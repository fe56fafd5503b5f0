// Backups of the objects in etcd, in the form that those of embedded stores have: copied to a store of their own first,
// from one revision, so that servers may go on writing.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StoreError } from '../store/store.ts';
import { backUpStore } from '../store/store-copy.ts';
import { copyObjects } from './copy-objects.ts';
import type { ServerOptions } from './options.ts';

/**
 * Writes the objects in etcd to a new file for its owner alone.
 * @param options how etcd is reached, and how values are encrypted in it and in the backup
 * @returns how many objects there were, and the newest revision that the backup has
 * @throws StoreError when etcd can not be read, holds what can not be read, or the file is there, and then nothing is
 *   written
 */
export async function backUpEtcd(
  options: ServerOptions,
  file: string,
): Promise<{ readonly objects: number; readonly revision: number }> {
  const target = resolve(file);
  if (existsSync(target)) throw new StoreError(`${file} is there already: choose another name, or remove it`);
  const workplace = mkdtempSync(`${target}.`);
  try {
    const dataDir = join(workplace, 'store');
    const from = { etcdServers: options.etcdServers, dataDir: options.dataDir };
    const objects = await copyObjects({ from, to: { etcdServers: [], dataDir }, options, onProgress: () => {} });
    return { objects, revision: backUpStore(dataDir, file).revision };
  } finally {
    rmSync(workplace, { recursive: true, force: true });
  }
}
