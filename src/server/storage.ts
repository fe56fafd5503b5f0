// Storage of a server's objects: the store selected by options, and operations on it besides reads and writes. Only the
// drivers in use are loaded.

import { resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { HealthCheck } from '../http/documents/health-checks.ts';
import type { MetricSources } from '../lifecycle/collected-metrics.ts';
import type { FeatureGateName } from '../lifecycle/feature-gate-table.ts';
import type { FeatureGates } from '../lifecycle/feature-gates.ts';
import type { Dial } from '../outbound/dial.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { CallObserver } from '../store/etcd/rpc.ts';
import type { Store } from '../store/store.ts';
import { storeFileBytes } from '../store/store-files.ts';
import type { ValueTransformers } from '../store/value-transformer.ts';
import { Registry, type RegistryOptions } from '../verbs/registry.ts';
import type { EtcdBackend } from './etcd/open-etcd.ts';
import { storeOpener } from './open-store.ts';
import { GRPC_PACKAGES, withPackages } from './optional-packages.ts';
import { parseOverride } from './options/etcd.ts';
import type { ServerOptions } from './options.ts';
import { writtenByOthers } from './release-history.ts';

export interface StorageNeeds {
  readonly options: ServerOptions;
  readonly clock: Clock;
  readonly log: Log;
  readonly catalog: Catalog;
  readonly gates: FeatureGates;
  /** Transformers of encryption at rest; undefined if values are not encrypted. */
  readonly transformers: ValueTransformers | undefined;
  /** Connections to etcd; undefined for direct ones. */
  readonly dialEtcd?: Dial | undefined;
  /** Follows calls of etcd; undefined if nobody does. */
  readonly observeEtcdCall?: CallObserver | undefined;
  /** A store that is already open or being opened. */
  readonly given: Promise<Store> | undefined;
}

export interface Storage {
  /** The stored resources; called once. */
  registry(needs: Omit<RegistryOptions, 'store' | 'storeOf'>): Registry;
  /** The store of most resources. */
  readonly store: Store;
  /** Whether the store is usable, one check per store. */
  readonly checks: readonly HealthCheck[];
  /** Size of the files of each store. */
  sizes(): Iterable<readonly [store: string, bytes: number]>;
  /** Whether other servers may write to the same store. */
  readonly shared: boolean;
  close(): Promise<void>;
}

/** Rejects with a StoreError that describes the problem. */
export async function openStorage(needs: StorageNeeds): Promise<Storage> {
  return needs.options.etcdServers.length > 0 ? await openShared(needs) : await openOwn(needs);
}

const ALL = ['healthz', 'livez', 'readyz'] as const;

async function openOwn(needs: StorageNeeds): Promise<Storage> {
  const { options, clock, log, given, transformers } = needs;
  const opened = await (given ?? (await storeOpener(options, { clock, log }))());
  const plain = transformers === undefined ? opened : await transformed(opened, transformers);
  const store = options.store === 'embedded' ? await servedNow(plain, needs) : plain;
  return {
    registry: (more) => new Registry({ ...more, store }),
    store,
    checks: [
      { name: 'etcd', endpoints: ALL, check: () => store.fault?.() },
      { name: 'etcd-readiness', endpoints: ['readyz'], check: () => store.fault?.() },
    ],
    sizes: () => ownSizes(options),
    shared: false,
    close: () => store.close(),
  };
}

/** A store that was opened elsewhere has its files in the data folder too, unless it is in memory. */
function ownSizes({ dataDir }: ServerOptions): [string, number][] {
  const bytes = storeFileBytes(resolve(dataDir));
  return bytes === 0 ? [] : [['embedded', bytes]];
}

/** What other releases wrote is read as the one that is served does. */
async function servedNow(store: Store, { catalog, gates, clock }: StorageNeeds): Promise<Store> {
  const isForeign = await writtenByOthers(store, catalog.minor);
  if (isForeign === undefined) return store;
  const { movedStore } = await import('./moved-store.ts');
  const nobody = { name: '', uid: '', groups: [], extra: {} };
  const gateEnabled = (gate: string) => gates.enabled(gate as FeatureGateName);
  const { minor } = catalog;
  return movedStore(store, {
    catalog,
    isForeign,
    rules: () => ({ nowMs: clock.now(), gateEnabled, minor, user: nobody }),
  });
}

async function transformed(store: Store, transformers: ValueTransformers): Promise<Store> {
  const { TransformedStore } = await import('../store/transformed-store.ts');
  return new TransformedStore(store, transformers);
}

async function openShared({
  options,
  clock,
  log,
  catalog,
  gates,
  transformers,
  dialEtcd,
  observeEtcdCall: observeCall,
}: StorageNeeds): Promise<Storage> {
  const need = { flag: '--etcd-servers', packages: GRPC_PACKAGES };
  const { openEtcd } = await withPackages(need, () => import('./etcd/open-etcd.ts'));
  let registry: Registry | undefined;
  const gateEnabled = (gate: string) => gates.enabled(gate as FeatureGateName);
  const needs = {
    options,
    clock,
    log,
    catalog,
    gateEnabled,
    transformers,
    dialEtcd,
    observeCall,
    registry: () => registry,
  };
  const backends: EtcdBackend[] = [];
  const open = async (servers: readonly string[]): Promise<EtcdBackend> => {
    const backend = await openEtcd(needs, servers);
    backends.push(backend);
    return backend;
  };
  const close = async () => {
    for (const backend of backends) backend.stop();
    await Promise.all(backends.map(({ store }) => store.close()));
  };
  try {
    const main = await open(options.etcdServers);
    const elsewhere = await openOverrides(options, open);
    return {
      registry: (more) => {
        const storeOf = ({ group, resource }: ResourceDefinition) => elsewhere.get(`${group}/${resource}`)?.store;
        registry = new Registry({ ...more, store: main.store, storeOf });
        return registry;
      },
      store: main.store,
      checks: etcdChecks(backends),
      sizes: () => sizesOf(backends),
      shared: true,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function* sizesOf(backends: readonly EtcdBackend[]): Iterable<readonly [string, number]> {
  for (const [index, { size }] of backends.entries()) {
    if (size.bytes !== undefined) yield [`etcd-${index}`, size.bytes];
  }
}

/** Storage metrics, once it is open; none for storage in memory. */
export function storageFacts(
  options: ServerOptions,
  storage: () => Storage,
): Partial<Pick<MetricSources, 'countsObjects' | 'storageSizes'>> {
  if (options.etcdServers.length === 0) {
    return options.store === 'memory' ? {} : { storageSizes: () => storage().sizes() };
  }
  return { countsObjects: options.etcdCountMetricPollPeriodMs > 0, storageSizes: () => storage().sizes() };
}

/** A store for each distinct set of servers, by the resources stored there. */
async function openOverrides(
  { etcdServersOverrides }: ServerOptions,
  open: (servers: readonly string[]) => Promise<EtcdBackend>,
): Promise<Map<string, EtcdBackend>> {
  const byServers = new Map<string, EtcdBackend>();
  const byResource = new Map<string, EtcdBackend>();
  for (const text of etcdServersOverrides) {
    const override = parseOverride(text);
    if (override === undefined) continue;
    const { group, resource, servers } = override;
    const name = [...servers].sort().join(';');
    const backend = byServers.get(name) ?? (await open(servers));
    byServers.set(name, backend);
    byResource.set(`${group}/${resource}`, backend);
  }
  return byResource;
}

/** With kube-apiserver's names: the first store is `etcd`, the others are numbered. */
function etcdChecks(backends: readonly EtcdBackend[]): HealthCheck[] {
  return backends.flatMap(({ health, readiness }, index) => [
    {
      name: index === 0 ? 'etcd' : `etcd-override-${index - 1}`,
      group: 'etcd',
      endpoints: ALL,
      check: () => health.ask(),
    },
    {
      name: index === 0 ? 'etcd-readiness' : `etcd-override-readiness-${index - 1}`,
      group: 'etcd-readiness',
      endpoints: ['readyz'] as const,
      check: () => readiness.ask(),
    },
  ]);
}
