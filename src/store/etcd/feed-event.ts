// One write, as the feed brought it: its value is read when somebody looks, for nobody may.

import type { StoreEvent } from '../store.ts';
import type { ValueFormat } from './value-format.ts';

export class FeedEvent implements StoreEvent {
  readonly key: string;
  readonly revision: number;
  readonly previous = undefined;
  /** What it takes in etcd. */
  readonly bytes: number;
  /** Reads the value; undefined where that has been done, and for a deletion. */
  #read: (() => Buffer) | undefined;
  #value: Buffer | undefined;

  /** @param written the value, where this process wrote it */
  constructor(
    event: { key: string; revision: number; stored: Buffer | undefined; written: Buffer | undefined },
    format: ValueFormat,
  ) {
    const { key, revision, stored, written } = event;
    this.key = key;
    this.revision = revision;
    this.bytes = stored?.length ?? 0;
    this.#value = written;
    if (written === undefined && stored !== undefined) this.#read = () => format.read(key, stored);
  }

  get value(): Buffer | undefined {
    if (this.#read !== undefined) {
      this.#value = this.#read();
      this.#read = undefined;
    }
    return this.#value;
  }
}
