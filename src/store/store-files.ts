// The files of a store that lies in a folder: their names, and how large they are.

import { statSync } from 'node:fs';
import { join } from 'node:path';

export const STORE_FILE = 'store.db';

/** Bytes of the store in a folder, of its log too; 0 where there is none. */
export function storeFileBytes(directory: string): number {
  const path = join(directory, STORE_FILE);
  const sizes = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}
