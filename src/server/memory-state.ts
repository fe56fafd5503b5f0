// The state of an in-memory store as bytes, from which a server in another process can continue.

import { deserialize, serialize } from 'node:v8';
import { type MemorySnapshot, MemoryStore } from '../store/memory-store.ts';
import { systemClock as clock } from './system-clock.ts';

/**
 * A store that continues from a state; an empty one without.
 *
 * @param state what `memoryState` returned, in a process of the same version
 */
export function memoryStoreFrom(state: Buffer | undefined): MemoryStore {
  return new MemoryStore({ clock, ...(state !== undefined && { from: deserialize(state) as MemorySnapshot }) });
}

/** What a store contains, also after it was closed. */
export function memoryState(store: MemoryStore): Buffer {
  return serialize(store.snapshot());
}
