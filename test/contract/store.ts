// Contract of every store: one suite, run against each driver from that driver's own test.

import type { OpenStore } from './store-context.ts';
import { historyContract } from './store-history.ts';
import { listContract } from './store-lists.ts';
import { watchContract } from './store-watches.ts';
import { writeContract } from './store-writes.ts';

export type { OpenedStore, StoreContext } from './store-context.ts';

/** @param open returns an empty store with the clock and the limits of the context. */
export function storeContract(name: string, open: OpenStore): void {
  writeContract(name, open);
  listContract(name, open);
  watchContract(name, open);
  historyContract(name, open);
}
