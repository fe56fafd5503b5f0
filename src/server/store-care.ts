// Commands for stores that are not in use: verify, backup, restore.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StoreError } from '../store/store.ts';
import { checkStore, type OnStoreStep, type StoreReport } from '../store/store-check.ts';
import { STORE_FILE } from '../store/store-files.ts';

export type { OnStoreStep, StoreReport, StoreStep } from '../store/store-check.ts';
export { backUpStore, restoreStore } from '../store/store-copy.ts';

/**
 * The report on a file, which may be a backup, or on the store in a folder. Throws system errors.
 * @throws StoreError if there is none
 */
export function checkStoreAt(
  place: { readonly file: string } | { readonly directory: string },
  onStep?: OnStoreStep,
): StoreReport {
  const path = 'file' in place ? resolve(place.file) : join(resolve(place.directory), STORE_FILE);
  if (existsSync(path)) return checkStore(path, onStep);
  throw new StoreError('file' in place ? `there is no file ${place.file}` : `there is no store in ${place.directory}`);
}
