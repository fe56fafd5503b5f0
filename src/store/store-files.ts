// The files of a store in a folder: names and sizes.

import { statSync } from 'node:fs';
import { join } from 'node:path';

export const STORE_FILE = 'store.db';

/** The size of the store in a folder, including its log; 0 if there is none. */
export function storeFileBytes(directory: string): number {
  const path = join(directory, STORE_FILE);
  const sizes = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}
