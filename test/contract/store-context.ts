// Context of the store contract: opens stores for tests, and has helpers to write and watch.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import type { Entry, ListOptions, Store, StoreEvent } from '../../src/store/store.ts';

export interface StoreContext {
  readonly clock: ManualClock;
  /** History limits of the store. */
  readonly historyMs: number;
  readonly historyBytes: number;
  readonly historyEvents: number;
  /** Cleans up after the test. */
  after(cleanUp: () => Promise<void> | void): void;
}

export interface OpenedStore {
  readonly store: Store;
  /** Closes the store and reopens it; for drivers whose data outlives the process. */
  readonly reopen?: () => Promise<Store>;
  /** The data is managed by another program, with its own rules: see `KEPT_ELSEWHERE`. */
  readonly keptElsewhere?: true;
}

/**
 * A store on another program's data does not return the previous value of a key, reads a value anew each time, and has
 * as much history as that program keeps.
 */
export const KEPT_ELSEWHERE = 'another program keeps the data';

export const MINUTE_MS = 60_000;
export const bytes = (text: string): Buffer => Buffer.from(text);
export const text = (entry: Entry | undefined): string | undefined => entry?.value.toString();
export const pairs = (entries: readonly Entry[]): string[] => entries.map(({ key, value }) => `${key}=${value}`);

export async function listed(store: Store, prefix: string, options?: ListOptions): Promise<string[]> {
  return pairs((await store.list(prefix, options)).entries);
}

export async function written(
  write: ReturnType<Store['put']>,
): Promise<{ revision: number; previous: Entry | undefined }> {
  const result = await write;
  assert.ok(result.written, 'the write was refused');
  return result;
}

export async function refused(write: ReturnType<Store['put']>): Promise<Entry | undefined> {
  const result = await write;
  assert.ok(!result.written, 'the write was not refused');
  return result.current;
}

/** Watches and records events as `revision key=value`, with a minus for a deletion. */
export async function recorded(store: Store, prefix: string, after: number) {
  const events: StoreEvent[] = [];
  const seen: string[] = [];
  const ends: (Error | undefined)[] = [];
  const watch = await store.watch({
    prefix,
    after,
    onEvent(event) {
      events.push(event);
      seen.push(`${event.revision} ${event.key}${event.value === undefined ? '-' : `=${event.value}`}`);
    },
    onEnd: (error) => ends.push(error),
  });
  return { events, seen, ends, close: () => watch.close() };
}

export type OpenStore = (context: StoreContext) => Promise<OpenedStore>;

/** Returns a store with the usual limits, or others; it is closed when the test ends. */
export async function opened(open: OpenStore, t: TestContext, bounds: Partial<StoreContext> = {}) {
  const clock = new ManualClock();
  const context = { clock, historyMs: 5 * MINUTE_MS, historyBytes: 1_000_000, historyEvents: 10_000, ...bounds };
  const result = await open({ ...context, after: (cleanUp) => t.after(cleanUp) });
  let { store } = result;
  t.after(() => store.close());
  const { reopen, keptElsewhere = false } = result;
  const reopened = reopen && (async () => (store = await reopen()));
  return { store, clock, reopen: reopened, keptElsewhere };
}
