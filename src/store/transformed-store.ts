// A store that transforms its values: encryption at rest for any driver. Callers see plain values, the driver stored
// ones.
//
// A plain value is the same Buffer each time, as with other stores, and values written here are not decrypted again. If
// a value has to be waited for, later events of the watch wait behind it, and the current revision is that of the last
// delivered event.

import { isLater, type Soon, whenThere } from '../base/soon.ts';
import type {
  Entry,
  Expected,
  ListOptions,
  ListResult,
  Store,
  StoreEvent,
  StoreStatistics,
  StoreWatch,
  WatchOptions,
  WriteResult,
} from './store.ts';
import { type PlainValue, TransformError, type ValueTransformer, type ValueTransformers } from './value-transformer.ts';

/** The plain value of a stored one. */
interface Read {
  readonly value: Buffer;
  readonly unreadable?: TransformError;
}

export class TransformedStore implements Store {
  readonly #store: Store;
  readonly #transformers: ValueTransformers;
  /** Plain values by stored ones, while the transformer is the same, and vice versa. */
  readonly #plain = new WeakMap<Buffer, { readonly value: Buffer; readonly by: ValueTransformer | undefined }>();
  readonly #stored = new WeakMap<Buffer, Buffer>();
  /** Revisions of events that have not been delivered, once for each watch. */
  readonly #undelivered = new Map<number, number>();
  /** Resolves when all events known so far have been delivered. */
  #delivery: Promise<void> | undefined;

  constructor(store: Store, transformers: ValueTransformers) {
    this.#store = store;
    this.#transformers = transformers;
  }

  async get(key: string): Promise<Entry | undefined> {
    const entry = await this.#store.get(key);
    return entry && this.#entry(entry);
  }

  async list(prefix: string, options?: ListOptions): Promise<ListResult> {
    const { entries, ...rest } = await this.#store.list(prefix, options);
    if (options?.keysOnly === true) return { entries, ...rest };
    const plain: Entry[] = [];
    for (const entry of entries) {
      const read = this.#entry(entry);
      plain.push(isLater(read) ? await read : read);
    }
    return { entries: plain, ...rest };
  }

  async put(key: string, value: Buffer, expected: Expected): Promise<WriteResult> {
    const transformer = this.#transformers.of(key);
    if (transformer === undefined) return this.#result(await this.#store.put(key, value, expected));
    const transformed = transformer.transformToStorage(value, { key });
    const stored = asBuffer(isLater(transformed) ? await transformed : transformed);
    this.#remember({ stored, value, by: transformer });
    return this.#result(await this.#store.put(key, stored, expected));
  }

  async delete(key: string, expected: Exclude<Expected, 'absent'>): Promise<WriteResult> {
    return this.#result(await this.#store.delete(key, expected));
  }

  async watch(options: WatchOptions): Promise<StoreWatch> {
    let isOpen = true;
    let last: Promise<void> | undefined;
    const deliver = (event: StoreEvent): void => {
      if (isOpen) options.onEvent(event);
    };
    const onEvent = (event: StoreEvent): void => {
      const plain = this.#event(event);
      if (last === undefined && !isLater(plain)) {
        deliver(plain);
        return;
      }
      this.#undelivered.set(event.revision, (this.#undelivered.get(event.revision) ?? 0) + 1);
      const delivery: Promise<void> = Promise.all([plain, last]).then(([ready]) => {
        this.#delivered(event.revision);
        if (last === delivery) last = undefined;
        deliver(ready);
      });
      last = delivery;
      this.#delivery = Promise.all([this.#delivery, delivery]).then(() => {});
    };
    const onEnd = (error: Error | undefined): void => {
      if (last === undefined) options.onEnd(error);
      else void last.then(() => options.onEnd(error));
    };
    const watch = await this.#store.watch({ ...options, onEvent, onEnd });
    // Past events are delivered before the watch exists, as in other stores.
    await last;
    return {
      close: () => {
        isOpen = false;
        watch.close();
      },
    };
  }

  /** The driver's revision, except for events that still wait for their values. */
  currentRevision(): number {
    const newest = this.#store.currentRevision();
    if (this.#undelivered.size === 0) return newest;
    return Math.min(newest, ...[...this.#undelivered.keys()].map((revision) => revision - 1));
  }

  compactedRevision(): number {
    return this.#store.compactedRevision();
  }

  expiredRevision(): number {
    return this.#store.expiredRevision();
  }

  compact(revision: number): Promise<void> {
    return this.#store.compact(revision);
  }

  fault(): string | undefined {
    return this.#store.fault?.();
  }

  statistics(): StoreStatistics {
    return this.#store.statistics();
  }

  /** What has been delivered late by the decryption of values is waited for, too. */
  get catchUp(): Store['catchUp'] {
    const { catchUp } = this.#store;
    if (catchUp === undefined) return undefined;
    return async () => {
      await catchUp.call(this.#store);
      await this.#delivery;
    };
  }

  async isStale(key: string, value: Buffer): Promise<boolean> {
    const transformer = this.#transformers.of(key);
    if (transformer === undefined) return false;
    try {
      return (await transformer.transformFromStorage(this.#stored.get(value) ?? value, { key })).stale;
    } catch (error) {
      // The key of this value has been removed; while the value is cached, it can be stored again.
      if (error instanceof TransformError) return true;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #result(result: WriteResult): Promise<WriteResult> {
    // The contract: watches receive the event before the write is acknowledged.
    if (this.#delivery !== undefined && this.#undelivered.size > 0) await this.#delivery;
    if (result.written) {
      return { ...result, previous: result.previous && (await this.#entry(result.previous)) };
    }
    return { ...result, current: result.current && (await this.#entry(result.current)) };
  }

  #entry(entry: Entry): Soon<Entry> {
    const read = this.#read(entry, entry.value);
    if (isLater(read)) return read.then((done) => ({ ...entry, ...done }));
    return read.value === entry.value && read.unreadable === undefined ? entry : { ...entry, ...read };
  }

  #event(event: StoreEvent): Soon<StoreEvent> {
    const { previous } = event;
    const value = event.value && this.#read(event, event.value);
    const before = previous && this.#entry(previous);
    if (isLater(value) || isLater(before)) {
      return Promise.all([value, before]).then(([read, entry]) => ({ ...event, ...read, previous: entry }));
    }
    return { ...event, ...value, previous: before };
  }

  #read({ key, revision }: Pick<Entry, 'key' | 'revision'>, stored: Buffer): Soon<Read> {
    const known = this.#plain.get(stored);
    const transformer = this.#transformers.of(key);
    if (known !== undefined && known.by === transformer) return { value: known.value };
    if (transformer === undefined) return { value: stored };
    const succeed = ({ plain }: PlainValue): Read => {
      const value = asBuffer(plain);
      this.#remember({ stored, value, by: transformer });
      return { value };
    };
    const fail = (error: unknown): Read => {
      if (error instanceof TransformError) return { value: stored, unreadable: error };
      throw error;
    };
    try {
      const read = transformer.transformFromStorage(stored, { key, revision });
      return whenThere(read, succeed, fail);
    } catch (error) {
      return fail(error);
    }
  }

  #remember({ stored, value, by }: { stored: Buffer; value: Buffer; by: ValueTransformer }): void {
    if (stored === value) return;
    this.#plain.set(stored, { value, by });
    this.#stored.set(value, stored);
  }

  #delivered(revision: number): void {
    const watches = (this.#undelivered.get(revision) ?? 1) - 1;
    if (watches === 0) this.#undelivered.delete(revision);
    else this.#undelivered.set(revision, watches);
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
