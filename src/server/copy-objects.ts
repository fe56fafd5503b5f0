// Copies all objects from one store to another: between the embedded store and etcd, or between two of a kind. Objects
// keep their uids and times; resource versions go on above the old ones, so that what clients remember is old and not
// from the future.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../base/limits.ts';
import { declareEncryptionMetrics } from '../lifecycle/encryption-metrics.ts';
import { FeatureGates } from '../lifecycle/feature-gates.ts';
import { MetricRegistry } from '../lifecycle/metrics.ts';
import { type Catalog, createCatalog } from '../resources/catalog.ts';
import { type Entry, type Store, StoreError } from '../store/store.ts';
import { raiseStore } from '../store/store-copy.ts';
import { STORE_FILE } from '../store/store-files.ts';
import type { ValueTransformers } from '../store/value-transformer.ts';
import { LogLevels } from './log-levels.ts';
import type { ServerOptions } from './options.ts';
import { processLog } from './process-log.ts';
import { openStorage, type Storage } from './storage.ts';
import { systemClock as clock } from './system-clock.ts';

/** One end: URLs of etcd's members, or the data directory of an embedded store. */
export interface CopyEnd {
  readonly etcdServers: readonly string[];
  readonly dataDir: string;
}

export interface CopyProgress {
  /** What is being done: versions are raised, objects copied. */
  readonly step: 'versions' | 'objects';
  readonly done: number;
  /** 0 where that is not known before. */
  readonly all: number;
}

interface CopyOptions {
  readonly from: CopyEnd;
  readonly to: CopyEnd;
  /** Files and prefix of whichever end is etcd, and how values are encrypted in both. */
  readonly options: ServerOptions;
  readonly onProgress: (progress: CopyProgress) => void;
}

const ALL = '/registry/';
/** Changed again and again to raise the version; it is not an object and goes again. */
const MARK = '/registry/keelson/copy';
const MARK_VALUE = '{"kind":"ConfigMap","apiVersion":"v1","metadata":{}}';
/** Servers make these anew. */
const NOT_COPIED = /^\/registry\/(?:masterleases|ranges|keelson)\//;

/**
 * Copies everything.
 * @returns how many objects there were
 * @throws StoreError when an end can not be opened, the target has objects, or the source one that can't be read
 */
export async function copyObjects({ from, to, options, onProgress }: CopyOptions): Promise<number> {
  const catalog = createCatalog({ runtimeConfig: { 'api/all': 'true' } });
  const encryption = await loadEncryption(options, catalog);
  const open = (end: CopyEnd) => openEnd(end, { options, catalog, transformers: encryption });
  assertStored(from);
  const source = await open(from);
  try {
    const { revision } = await source.store.list(ALL, { limit: 1 });
    const target = await openEmpty(to, { open, revision });
    try {
      return await copy({ source: source.store, target: target.store, revision }, onProgress);
    } finally {
      await target.close();
    }
  } finally {
    encryption?.stop();
    await source.close();
  }
}

/** A folder that was mistyped is no empty store. @throws StoreError */
function assertStored({ etcdServers, dataDir }: CopyEnd): void {
  if (etcdServers.length > 0 || existsSync(join(dataDir, STORE_FILE))) return;
  throw new StoreError(`there is no store in ${dataDir}`);
}

interface OpenEmpty {
  readonly open: (end: CopyEnd) => Promise<Storage>;
  /** Where the source's versions have come to. */
  readonly revision: number;
}

/** @throws StoreError for a target that has objects, or whose versions can't be raised above the source's */
async function openEmpty(to: CopyEnd, { open, revision }: OpenEmpty): Promise<Storage> {
  const target = await open(to);
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
  // A store of one's own needs no writes to have its versions raised.
  await target.close();
  raiseStore(to.dataDir, revision);
  return await open(to);
}

async function assertEmpty(target: Store): Promise<void> {
  const { entries } = await target.list(ALL, { limit: 1 });
  if (entries.length > 0) throw new StoreError(`the target has objects already: ${entries[0]?.key}`);
}

/** etcd's revisions are raised by a write each, which would take days after a restored backup. @throws StoreError */
function assertInReach(missing: number): void {
  if (missing <= limits.raisedRevisions) return;
  throw new StoreError(
    `the target's revisions would have to be raised by ${missing}, with a write for each: make etcd of a snapshot of ` +
      `itself first, with 'etcdutl snapshot restore --bump-revision ${missing} --mark-compacted'`,
  );
}

/** The configuration by which both ends are encrypted; undefined where none is named. @throws EncryptionConfigError */
async function loadEncryption(options: ServerOptions, catalog: Catalog) {
  const { encryptionProviderConfig: path } = options;
  if (path === undefined) return undefined;
  const { loadEncryptionAtRest } = await import('./encryption/encryption-at-rest.ts');
  const metrics = declareEncryptionMetrics(new MetricRegistry(), clock);
  const log = processLog(options, clock, new LogLevels(options));
  const isV1Allowed = new FeatureGates(options.featureGates).enabled('KMSv1');
  return await loadEncryptionAtRest({ path, reload: false, clock, log, catalog, metrics, isV1Allowed });
}

interface EndNeeds {
  readonly options: ServerOptions;
  readonly catalog: Catalog;
  readonly transformers: ValueTransformers | undefined;
}

async function openEnd(end: CopyEnd, { options: given, catalog, transformers }: EndNeeds): Promise<Storage> {
  const options: ServerOptions = { ...given, ...end, store: 'embedded' };
  const log = processLog(options, clock, new LogLevels(options));
  const gates = new FeatureGates(options.featureGates);
  return await openStorage({ options, clock, log, catalog, gates, given: undefined, transformers });
}

interface Copied {
  readonly source: Store;
  readonly target: Store;
  readonly revision: number;
}

async function copy({ source, target, revision }: Copied, onProgress: CopyOptions['onProgress']): Promise<number> {
  await raise(target, revision, onProgress);
  let done = 0;
  let after: string | undefined;
  for (;;) {
    const page = await source.list(ALL, {
      revision,
      limit: limits.pageObjects,
      ...(after === undefined ? {} : { after }),
    });
    const entries = page.entries.filter(({ key }) => !NOT_COPIED.test(key));
    entries.forEach(assertReadable);
    await inParallel(entries, (entry) => put(target, entry));
    done += entries.length;
    after = page.entries.at(-1)?.key;
    onProgress({ step: 'objects', done, all: 0 });
    if (!page.more) return done;
  }
}

const ENCRYPTED = Buffer.from('k8s:enc:');

/** What can't be read here could not be read there, or by the wrong ones. @throws StoreError */
function assertReadable({ key, value, unreadable }: Entry): void {
  if (unreadable !== undefined) throw new StoreError(`${key} can not be read: ${unreadable.message}`);
  if (!value.subarray(0, ENCRYPTED.length).equals(ENCRYPTED)) return;
  throw new StoreError(`${key} is encrypted: name the configuration by --encryption-provider-config`);
}

async function put(target: Store, { key, value }: Entry): Promise<void> {
  const { written } = await target.put(key, Buffer.from(value), 'absent');
  if (!written) throw new StoreError(`somebody else writes to the target: ${key} is there already`);
}

/** Writes until the target's version has passed another. */
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

/** Versions between two words about raising them. */
const RAISE_STEP = 10_000;

/** Works on as many items at once as share a commit. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: limits.controllerWrites }, worker));
}
