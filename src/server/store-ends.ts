// Stores opened by a command without a server: the embedded store in a folder, or etcd, with the encryption of a
// configuration file; and their objects, page by page.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../base/limits.ts';
import { requestedRelease } from '../lifecycle/emulated-version.ts';
import { declareEncryptionMetrics } from '../lifecycle/encryption-metrics.ts';
import { FeatureGates } from '../lifecycle/feature-gates.ts';
import { MetricRegistry } from '../lifecycle/metrics.ts';
import { type Catalog, createCatalog } from '../resources/catalog.ts';
import { type Entry, type Store, StoreError } from '../store/store.ts';
import { STORE_FILE } from '../store/store-files.ts';
import { LogLevels } from './log-levels.ts';
import type { ServerOptions } from './options.ts';
import { processLog } from './process-log.ts';
import { openStorage, type Storage } from './storage.ts';
import { systemClock as clock } from './system-clock.ts';

/** URLs of etcd members, or the data directory of an embedded store. */
export interface StoreEnd {
  readonly etcdServers: readonly string[];
  readonly dataDir: string;
}

export const ALL_KEYS = '/registry/';
/** Recreated by servers; they are not API objects. */
const NO_OBJECTS = /^\/registry\/(?:masterleases|peerserverleases|ranges|keelson)\//;

export class StoreEnds {
  readonly #options: ServerOptions;
  readonly #catalog: Catalog;
  readonly #encryption: Awaited<ReturnType<typeof loadEncryption>>;

  private constructor(
    options: ServerOptions,
    catalog: Catalog,
    encryption: Awaited<ReturnType<typeof loadEncryption>>,
  ) {
    this.#options = options;
    this.#catalog = catalog;
    this.#encryption = encryption;
  }

  /**
   * @param options files and prefix of etcd, and the encryption of values
   * @throws EncryptionConfigError
   */
  static async of(options: ServerOptions): Promise<StoreEnds> {
    const catalog = createCatalog({ runtimeConfig: { 'api/all': 'true' }, emulation: requestedRelease(options) });
    return new StoreEnds(options, catalog, await loadEncryption(options, catalog));
  }

  /** Opens a store, creating an embedded one if the folder has none. @throws StoreError */
  async open(end: StoreEnd): Promise<Storage> {
    const options: ServerOptions = { ...this.#options, ...end, store: 'embedded' };
    const log = processLog(options, { clock, levels: new LogLevels(options) });
    const gates = new FeatureGates(options.featureGates, requestedRelease(options));
    const transformers = this.#encryption;
    return await openStorage({ options, clock, log, catalog: this.#catalog, gates, given: undefined, transformers });
  }

  /** Like open, but the store must exist: a mistyped folder is not an empty store. @throws StoreError */
  async openStored(end: StoreEnd): Promise<Storage> {
    if (end.etcdServers.length === 0 && !existsSync(join(end.dataDir, STORE_FILE))) {
      throw new StoreError(`there is no store in ${end.dataDir}`);
    }
    return await this.open(end);
  }

  stop(): void {
    this.#encryption?.stop();
  }
}

/** The encryption of values; undefined if none is configured. @throws EncryptionConfigError */
async function loadEncryption(options: ServerOptions, catalog: Catalog) {
  const { encryptionProviderConfig: path } = options;
  if (path === undefined) return undefined;
  const { loadEncryptionAtRest } = await import('./encryption/encryption-at-rest.ts');
  const metrics = declareEncryptionMetrics(new MetricRegistry(), clock);
  const log = processLog(options, { clock, levels: new LogLevels(options) });
  const isV1Allowed = new FeatureGates(options.featureGates, requestedRelease(options)).enabled('KMSv1');
  return await loadEncryptionAtRest({ path, reload: false, clock, log, catalog, metrics, isV1Allowed });
}

/** All objects as of a revision. */
export async function* objectPages(store: Store, revision: number): AsyncIterable<readonly Entry[]> {
  let after: string | undefined;
  for (;;) {
    const from = after === undefined ? {} : { after };
    const page = await store.list(ALL_KEYS, { revision, limit: limits.pageObjects, ...from });
    yield page.entries.filter(({ key }) => !NO_OBJECTS.test(key));
    after = page.entries.at(-1)?.key;
    if (!page.more) return;
  }
}

const ENCRYPTED = Buffer.from('k8s:enc:');

/** Why an object is unreadable; undefined if it is readable. */
export function readFault({ key, value, unreadable }: Entry): string | undefined {
  if (unreadable !== undefined) return `${key} can not be read: ${unreadable.message}`;
  if (!value.subarray(0, ENCRYPTED.length).equals(ENCRYPTED)) return undefined;
  return `${key} is encrypted: name the configuration by --encryption-provider-config`;
}
