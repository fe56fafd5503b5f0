// Entries of a resource that can't be read: a key of encryption is lost, or bytes are damaged. They are kept apart, so
// that all others are served, and whoever asks for one is told why it is not.

import type { Entry } from '../store/store.ts';

export interface UnreadableEntry {
  readonly key: string;
  readonly revision: number;
  readonly error: Error;
}

export class UnreadableEntries {
  readonly #byKey = new Map<string, UnreadableEntry>();

  get(key: string): UnreadableEntry | undefined {
    return this.#byKey.get(key);
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** Those whose keys begin with `prefix`, in no order. */
  within(prefix: string): UnreadableEntry[] {
    return this.#byKey.size === 0 ? [] : [...this.#byKey.values()].filter(({ key }) => key.startsWith(prefix));
  }

  /** What `read` makes of an entry; undefined for one that can't be read, which is then among these. */
  try<T>(entry: Pick<Entry, 'key' | 'revision' | 'unreadable'>, read: () => T): T | undefined {
    try {
      if (entry.unreadable !== undefined) throw entry.unreadable;
      const value = read();
      if (this.#byKey.size > 0) this.#byKey.delete(entry.key);
      return value;
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      this.#byKey.set(entry.key, { key: entry.key, revision: entry.revision, error });
      return undefined;
    }
  }

  delete(key: string): void {
    this.#byKey.delete(key);
  }
}
