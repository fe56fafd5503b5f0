// Copies all objects from one store to another: between the embedded store and etcd, or between two of the same kind.
// Objects keep their UIDs and timestamps; resource versions continue above the old ones, so that versions known to
// clients are old rather than in the future.

import { limits } from '../base/limits.ts';
import { type Entry, type Store, StoreError } from '../store/store.ts';
import { raiseStore } from '../store/store-copy.ts';
import type { ServerOptions } from './options.ts';
import type { Storage } from './storage.ts';
import { ALL_KEYS, objectPages, readFault, type StoreEnd, StoreEnds } from './store-ends.ts';

export interface CopyProgress {
  /** The current phase: raising versions or copying objects. */
  readonly step: 'versions' | 'objects';
  readonly done: number;
  /** 0 if unknown in advance. */
  readonly all: number;
}

interface CopyOptions {
  readonly from: StoreEnd;
  readonly to: StoreEnd;
  /** Files and prefix of etcd at either end, and the encryption of values at both. */
  readonly options: ServerOptions;
  readonly onProgress: (progress: CopyProgress) => void;
}

/** Written repeatedly to raise the version; it is not an object and is deleted afterwards. */
const MARK = '/registry/keelson/copy';
const MARK_VALUE = '{"kind":"ConfigMap","apiVersion":"v1","metadata":{}}';

/**
 * Copies everything.
 * @returns the number of objects
 * @throws StoreError if a store cannot be opened, the target has objects, or an object of the source is unreadable
 */
export async function copyObjects({ from, to, options, onProgress }: CopyOptions): Promise<number> {
  const ends = await StoreEnds.of(options);
  try {
    const source = await ends.openStored(from);
    try {
      const { revision } = await source.store.list(ALL_KEYS, { limit: 1 });
      const target = await openEmpty(to, { ends, revision });
      try {
        return await copy({ source: source.store, target: target.store, revision }, onProgress);
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  } finally {
    ends.stop();
  }
}

interface OpenEmpty {
  readonly ends: StoreEnds;
  /** The current revision of the source. */
  readonly revision: number;
}

/** @throws StoreError for a target that has objects, or whose revision cannot be raised above the source's */
async function openEmpty(to: StoreEnd, { ends, revision }: OpenEmpty): Promise<Storage> {
  const target = await ends.open(to);
  try {
    await assertEmpty(target.store);
    if (to.etcdServers.length > 0) {
      assertInReach(revision - target.store.currentRevision());
      return target;
    }
  } catch (error) {
    await target.close();
    throw error;
  }
  // The embedded store's revision can be raised without writes.
  await target.close();
  raiseStore(to.dataDir, revision);
  return await ends.open(to);
}

async function assertEmpty(target: Store): Promise<void> {
  const { entries } = await target.list(ALL_KEYS, { limit: 1 });
  if (entries.length > 0) throw new StoreError(`the target already has objects: ${entries[0]?.key}`);
}

/** etcd's revision is raised by one write each, which would take days after a restored backup. @throws StoreError */
function assertInReach(missing: number): void {
  if (missing <= limits.raisedRevisions) return;
  throw new StoreError(
    `the target's revisions would have to be raised by ${missing}, with a write for each: make etcd of a snapshot of ` +
      `itself first, with 'etcdutl snapshot restore --bump-revision ${missing} --mark-compacted'`,
  );
}

interface Copied {
  readonly source: Store;
  readonly target: Store;
  readonly revision: number;
}

async function copy({ source, target, revision }: Copied, onProgress: CopyOptions['onProgress']): Promise<number> {
  await raise(target, revision, onProgress);
  let done = 0;
  for await (const entries of objectPages(source, revision)) {
    entries.forEach(assertReadable);
    await inParallel(entries, (entry) => put(target, entry));
    done += entries.length;
    onProgress({ step: 'objects', done, all: 0 });
  }
  return done;
}

/** What cannot be decrypted here could not be decrypted there, or only with the wrong keys. @throws StoreError */
function assertReadable(entry: Entry): void {
  const fault = readFault(entry);
  if (fault !== undefined) throw new StoreError(fault);
}

async function put(target: Store, { key, value }: Entry): Promise<void> {
  const { written } = await target.put(key, Buffer.from(value), 'absent');
  if (!written) throw new StoreError(`another program is writing to the target: ${key} already exists`);
}

/** Writes until the target's revision exceeds another. */
async function raise(target: Store, revision: number, onProgress: CopyOptions['onProgress']): Promise<void> {
  const first = target.currentRevision();
  if (first >= revision) return;
  const marks = Array.from({ length: limits.controllerWrites }, (_, index) => `${MARK}-${index}`);
  let told = first;
  while (target.currentRevision() < revision) {
    await inParallel(marks, async (mark) => {
      await target.put(mark, Buffer.from(MARK_VALUE), 'any');
    });
    if (target.catchUp !== undefined) await target.catchUp();
    const now = target.currentRevision();
    if (now - told >= RAISE_STEP) {
      told = now;
      onProgress({ step: 'versions', done: now - first, all: revision - first });
    }
  }
  await inParallel(marks, async (mark) => {
    await target.delete(mark, 'any');
  });
}

/** Revisions between two progress reports. */
const RAISE_STEP = 10_000;

/** Processes as many items concurrently as share a commit. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: limits.controllerWrites }, worker));
}
