// Publication of the storage versions of a server, if the gates are enabled, and the barrier that waits for it.

import type { StorageVersionPublication } from '../../controllers/storage-versions.ts';
import type { Foundation } from './foundation.ts';

/** Undefined if nothing is published. */
export async function storageVersionPublication({
  gates,
  catalog,
  emulation,
}: Foundation): Promise<StorageVersionPublication | undefined> {
  if (!gates.enabled('StorageVersionAPI') || !gates.enabled('APIServerIdentity')) return undefined;
  const { publishedStorages } = await import('../../resources/storage-versions.ts');
  const { StorageVersionBarrier } = await import('../../verbs/storage-version-barrier.ts');
  const storages = publishedStorages({ catalog, minCompatibilityMinor: emulation.minCompatibilityMinor });
  return { storages, barrier: new StorageVersionBarrier(storages.flatMap(({ resources }) => resources)) };
}
