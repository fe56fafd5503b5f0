// Opens the store named by options, loading only its driver.

import { resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Store } from '../store/store.ts';
import type { ServerOptions } from './options.ts';

interface StoreNeeds {
  readonly clock: Clock;
  readonly log: Log;
  /** Where stored values are put; anywhere by default. */
  readonly place?: (value: Buffer) => Buffer;
}

/**
 * Loads the driver. The result opens the store when called, and rejects with a StoreError that describes the problem
 * with the folder or file.
 */
export async function storeOpener(options: ServerOptions, needs: StoreNeeds): Promise<() => Promise<Store>> {
  const { clock, log, place } = needs;
  if (options.store === 'memory') {
    const { MemoryStore } = await import('../store/memory-store.ts');
    return async () => new MemoryStore({ clock });
  }
  const { openEmbeddedStore } = await import('../store/embedded-store.ts');
  return () => openEmbeddedStore({ directory: resolve(options.dataDir), clock, log, place });
}
