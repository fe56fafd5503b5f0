// One write as received by the feed: its value is read on demand, because it may never be needed.

import type { Entry, StoreEvent } from '../store.ts';

/** A known value, or how to read it; neither for a deletion. */
type EventValue =
  | Pick<Entry, 'value' | 'unreadable'>
  /** May throw; the error is reported to the caller. */
  | (() => Buffer);

export class FeedEvent implements StoreEvent {
  readonly key: string;
  readonly revision: number;
  readonly previous = undefined;
  readonly unreadable: Error | undefined;
  /** Its size in etcd. */
  readonly bytes: number;
  /** Reads the value; undefined once that has been done, and for a deletion. */
  #read: (() => Buffer) | undefined;
  #value: Buffer | undefined;

  constructor(event: { key: string; revision: number; bytes: number }, value: EventValue | undefined) {
    this.key = event.key;
    this.revision = event.revision;
    this.bytes = event.bytes;
    if (typeof value === 'function') this.#read = value;
    else this.#value = value?.value;
    this.unreadable = typeof value === 'function' ? undefined : value?.unreadable;
  }

  get value(): Buffer | undefined {
    if (this.#read !== undefined) {
      this.#value = this.#read();
      this.#read = undefined;
    }
    return this.#value;
  }
}
