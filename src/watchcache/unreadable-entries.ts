// Entries of a resource that cannot be read, because an encryption key is missing or bytes are damaged. They are kept
// apart, so that all others are served, and readers of such an entry get the reason.

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

  /** Those with the key prefix `prefix`, in no order. */
  within(prefix: string): UnreadableEntry[] {
    return this.#byKey.size === 0 ? [] : [...this.#byKey.values()].filter(({ key }) => key.startsWith(prefix));
  }

  /** The result of `read` for an entry; undefined for an unreadable one, which is then recorded. */
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
