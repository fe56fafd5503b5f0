// Opens the store named by options, loading only its driver.

import { resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Store } from '../store/store.ts';
import type { ServerOptions } from './options.ts';

/**
 * Loads the driver. The result opens the store when called, and rejects with a StoreError that describes the problem
 * with the folder or file.
 * @param place where stored values are put; anywhere by default
 */
export async function storeOpener(
  options: ServerOptions,
  clock: Clock,
  log: Log,
  place?: (value: Buffer) => Buffer,
): Promise<() => Promise<Store>> {
  if (options.store === 'memory') {
    const { MemoryStore } = await import('../store/memory-store.ts');
    return async () => new MemoryStore({ clock });
  }
  const { openEmbeddedStore } = await import('../store/embedded-store.ts');
  return () => openEmbeddedStore({ directory: resolve(options.dataDir), clock, log, place });
}
