// A store that another thread of this process owns: calls are sent to it, events arrive from it. Like a store that
// several servers share, it may be behind other writers, until it has caught up.

import type { Buffer } from 'node:buffer';
import { limits } from '../../base/limits.ts';
import { bufferOf } from '../buffer-of.ts';
import {
  type Entry,
  type Expected,
  type ListOptions,
  type ListResult,
  type Store,
  StoreError,
  type StoreStatistics,
  type StoreWatch,
  type WatchOptions,
  type WriteResult,
} from '../store.ts';
import { CLOSED } from '../timeline.ts';
import { type Call, type Delivery, type FromThread, receivedError, type Sent, type StoreSeat } from './messages.ts';
import { receivedEntry, sharedBytes } from './shared-bytes.ts';

interface Pending {
  readonly done: Promise<unknown>;
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
  /** The value of a put, which is not sent back. */
  readonly value: Buffer | undefined;
}

interface Waiter {
  readonly revision: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class ThreadStore implements Store {
  readonly #seat: StoreSeat;
  readonly #committed: BigInt64Array;
  readonly #pending = new Map<number, Pending>();
  readonly #watches = new Map<number, WatchOptions>();
  /** In the order of their revisions. */
  readonly #waiters: Waiter[] = [];
  #facts: StoreSeat['facts'];
  /** Of the latest event that this thread has seen, or of the latest delivery. */
  #revision: number;
  #lastId = 0;
  #closed = false;

  constructor(seat: StoreSeat) {
    this.#seat = seat;
    this.#facts = seat.facts;
    this.#revision = seat.facts.revision;
    this.#committed = new BigInt64Array(seat.committed);
    seat.port.on('message', (delivery: Delivery) => this.#receive(delivery));
    seat.port.on('close', () => this.#end(new StoreError('the thread of the store has ended')));
  }

  async get(key: string): Promise<Entry | undefined> {
    return await this.#call<Entry | undefined>({ kind: 'get', key });
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ListResult> {
    const { limit = Number.POSITIVE_INFINITY } = options;
    const entries: Entry[] = [];
    let { after, revision } = options;
    for (;;) {
      const wanted = Math.min(limits.threadListEntries, limit - entries.length);
      const call = { kind: 'list', prefix, options: { ...options, after, revision, limit: wanted } } as const;
      const page = await this.#call<ListResult>(call);
      entries.push(...page.entries);
      if (!page.more || entries.length >= limit) return { ...page, entries };
      revision = page.revision;
      after = entries.at(-1)?.key;
    }
  }

  async put(key: string, value: Buffer, expected: Expected): Promise<WriteResult> {
    return await this.#call<WriteResult>({ kind: 'put', key, value: sharedBytes(value), expected }, value);
  }

  async delete(key: string, expected: Exclude<Expected, 'absent'>): Promise<WriteResult> {
    return await this.#call<WriteResult>({ kind: 'delete', key, expected });
  }

  async watch(options: WatchOptions): Promise<StoreWatch> {
    const { prefix, after } = options;
    const id = this.#lastId + 1;
    this.#watches.set(id, options);
    try {
      await this.#call({ kind: 'watch', prefix, after });
    } catch (error) {
      this.#watches.delete(id);
      throw error;
    }
    return {
      close: () => {
        if (this.#watches.delete(id)) this.#post({ unwatch: id });
      },
    };
  }

  /** Costs nothing if this thread has seen the latest write. */
  catchUp(): Promise<void> {
    const revision = Number(Atomics.load(this.#committed, 0));
    if (revision <= this.#revision) return Promise.resolve();
    if (this.#closed) return Promise.reject(new StoreError(CLOSED));
    return new Promise((resolve, reject) => this.#waiters.push({ revision, resolve, reject }));
  }

  currentRevision(): number {
    return this.#revision;
  }

  compactedRevision(): number {
    return this.#facts.compacted;
  }

  expiredRevision(): number {
    return this.#facts.expired;
  }

  async compact(revision: number): Promise<void> {
    await this.#call({ kind: 'compact', revision });
  }

  fault(): string | undefined {
    return this.#closed ? CLOSED : this.#facts.fault;
  }

  statistics(): StoreStatistics {
    return this.#facts.statistics;
  }

  placed(value: Buffer): Buffer {
    return sharedBytes(value);
  }

  /** Leaves the store to its other users. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    // The writes under way come first.
    await Promise.allSettled([...this.#pending.values()].map(({ done }) => done));
    this.#end(undefined);
    this.#seat.port.close();
  }

  #call<Result>(call: Call, value?: Buffer): Promise<Result> {
    if (this.#closed) return Promise.reject(new StoreError(CLOSED));
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#pending.set(id, { done: promise, resolve, reject, value });
    this.#post({ id, call });
    return promise;
  }

  #post(message: FromThread): void {
    this.#seat.port.postMessage(message);
  }

  #receive({ items, facts, bytes }: Delivery): void {
    for (const item of items) this.#take(item);
    this.#facts = facts;
    this.#revision = facts.revision;
    if (bytes > 0 && !this.#closed) this.#post({ taken: bytes });
    while (this.#waiters.length > 0 && this.#waiters[0]!.revision <= facts.revision) this.#waiters.shift()!.resolve();
  }

  #take(item: Sent): void {
    switch (item.kind) {
      case 'event': {
        const { watch, key, revision, by } = item;
        this.#revision = Math.max(this.#revision, revision);
        const value = by === undefined ? item.value && bufferOf(item.value) : this.#pending.get(by)?.value;
        this.#watches.get(watch)?.onEvent({ key, revision, value, previous: undefined });
        break;
      }
      case 'entry':
        this.#settle(item.id, item.entry && receivedEntry(item.entry));
        break;
      case 'entries': {
        const { id, entries, revision, more } = item;
        this.#settle(id, { entries: entries.map(receivedEntry), revision, more } satisfies ListResult);
        break;
      }
      case 'write':
        this.#settle(item.id, writeResult(item.result));
        break;
      case 'done':
        this.#settle(item.id, undefined);
        break;
      case 'failed':
        this.#pending.get(item.id)?.reject(receivedError(item.error));
        this.#pending.delete(item.id);
        break;
      case 'ended': {
        const watch = this.#watches.get(item.watch);
        this.#watches.delete(item.watch);
        watch?.onEnd(item.error && receivedError(item.error));
      }
    }
  }

  #settle(id: number, result: unknown): void {
    this.#pending.get(id)?.resolve(result as never);
    this.#pending.delete(id);
  }

  /** @param error why the store ends by itself; undefined if this thread leaves it */
  #end(error: StoreError | undefined): void {
    this.#closed = true;
    for (const { reject } of [...this.#pending.values(), ...this.#waiters]) reject(error ?? new StoreError(CLOSED));
    this.#pending.clear();
    this.#waiters.length = 0;
    const watches = [...this.#watches.values()];
    this.#watches.clear();
    for (const { onEnd } of watches) onEnd(error);
  }
}

function writeResult(result: (Sent & { kind: 'write' })['result']): WriteResult {
  if (result.written) return { ...result, previous: undefined };
  return { written: false, current: result.current && receivedEntry(result.current) };
}
