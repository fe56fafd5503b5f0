// Backups of the objects in etcd in the format of embedded-store backups: objects of one revision are copied to a
// temporary store first, so that servers can keep writing.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StoreError } from '../store/store.ts';
import { backUpStore } from '../store/store-copy.ts';
import { copyObjects } from './copy-objects.ts';
import type { ServerOptions } from './options.ts';

/**
 * Writes the objects in etcd to a new file that only its owner can read.
 * @param options how to connect to etcd, and the encryption of values in etcd and in the backup
 * @returns the number of objects, and the latest revision in the backup
 * @throws StoreError if etcd or one of its values cannot be read, or if the file exists; then nothing is written
 */
export async function backUpEtcd(
  options: ServerOptions,
  file: string,
  onProgress: (objects: number) => void = () => {},
): Promise<{ readonly objects: number; readonly revision: number }> {
  const target = resolve(file);
  if (existsSync(target)) throw new StoreError(`${file} already exists: choose another name, or remove it`);
  const workplace = mkdtempSync(`${target}.`);
  try {
    const dataDir = join(workplace, 'store');
    const from = { etcdServers: options.etcdServers, dataDir: options.dataDir };
    const objects = await copyObjects({
      from,
      to: { etcdServers: [], dataDir },
      options,
      onProgress: ({ done }) => onProgress(done),
    });
    return { objects, revision: backUpStore(dataDir, file).revision };
  } finally {
    rmSync(workplace, { recursive: true, force: true });
  }
}
