// The current entries of a store: looked up by key, and listed in the order of the keys' UTF-8 bytes.

import { compareKeys, keyAfter, SortedMap } from '../base/sorted-map.ts';
import type { Entry } from './store.ts';

export class Entries {
  readonly #byKey = new Map<string, Entry>();
  /** The sorted keys. Created on first use, so that filling a store entry by entry does not pay for them. */
  #order: SortedMap<string> | undefined;
  #bytes = 0;

  get size(): number {
    return this.#byKey.size;
  }

  /** Total bytes of all values. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Entry | undefined {
    return this.#byKey.get(key);
  }

  /** In no order. */
  all(): Entry[] {
    return [...this.#byKey.values()];
  }

  /** Sets an entry and returns the previous one with the same key. */
  set(entry: Entry): Entry | undefined {
    const { key, value } = entry;
    const previous = this.#byKey.get(key);
    this.#byKey.set(key, entry);
    this.#bytes += value.length - (previous?.value.length ?? 0);
    if (previous === undefined) this.#order = this.#order?.set(key, key);
    return previous;
  }

  /** Removes and returns the entry. */
  delete(key: string): Entry | undefined {
    const previous = this.#byKey.get(key);
    if (previous === undefined) return undefined;
    this.#byKey.delete(key);
    this.#bytes -= previous.value.length;
    this.#order = this.#order?.delete(key);
    return previous;
  }

  /** Entries with the key prefix `prefix`, in order, starting with the first key greater than `after`. */
  *within(prefix: string, after?: string): Generator<Entry, void, undefined> {
    const from = after === undefined || compareKeys(after, prefix) < 0 ? prefix : keyAfter(after);
    for (const key of this.#ordered().values({ from })) {
      if (!key.startsWith(prefix)) return;
      yield this.#byKey.get(key)!;
    }
  }

  #ordered(): SortedMap<string> {
    if (this.#order === undefined) {
      const keys = [...this.#byKey.keys()].sort(compareKeys);
      this.#order = SortedMap.fromSorted(keys, keys);
    }
    return this.#order;
  }
}
