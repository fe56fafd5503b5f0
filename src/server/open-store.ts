// Opens the store that the options name, and loads no other driver.

import { resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Store } from '../store/store.ts';
import type { ServerOptions } from './options.ts';

/**
 * Loads the driver. What it resolves to begins to open the store as soon as it is called, and rejects with a StoreError
 * that says what is wrong with the folder or the file.
 */
export async function storeOpener(options: ServerOptions, clock: Clock, log: Log): Promise<() => Promise<Store>> {
  if (options.store === 'memory') {
    const { MemoryStore } = await import('../store/memory-store.ts');
    return async () => new MemoryStore({ clock });
  }
  const { openEmbeddedStore } = await import('../store/embedded-store.ts');
  return () => openEmbeddedStore({ directory: resolve(options.dataDir), clock, log });
}
