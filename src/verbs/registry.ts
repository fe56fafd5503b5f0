// The stored resources of a server: for each, its definition, its store and the watch cache that serves its reads.
// Caches are created on first use and shared by all resources with one storage prefix (events of core and
// events.k8s.io).

import type { Buffer } from 'node:buffer';
import { parseJson } from '../api/json-reader.ts';
import type { ApiObject, ObjectMeta } from '../api/object.ts';
import type { User } from '../auth/user.ts';
import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import { ShortTurns } from '../base/short-turns.ts';
import type { Soon } from '../base/soon.ts';
import type { TurnMeter } from '../base/turn-meter.ts';
import type { FeatureGateName } from '../lifecycle/feature-gate-table.ts';
import type { FeatureGates } from '../lifecycle/feature-gates.ts';
import type { StorageSeries } from '../lifecycle/storage-series.ts';
import type { Emulation } from '../lifecycle/version.ts';
import type { DeclarativeObserver, ResourceDefinition, StrategyContext } from '../resources/definition.ts';
import { StrategyMemory } from '../resources/strategy-memory.ts';
import type { VerifySignature } from '../resources/validation/certificate-signature.ts';
import type { IpFamily } from '../resources/validation/ip-addresses.ts';
import type { DeclaredValidation } from '../schema/declared/validation.ts';
import { type Store, StoreTimeoutError } from '../store/store.ts';
import { assertInClear } from '../store/value-transformer.ts';
import { FormBudget, type KeptForms } from '../watchcache/kept-forms.ts';
import { StoredReads } from '../watchcache/stored-reads.ts';
import type { Attributes, WatchCache } from '../watchcache/types.ts';
import { createWatchCache } from '../watchcache/watch-cache.ts';
import { Allocations } from './allocation.ts';
import { storeTimeout } from './caught-up.ts';
import { DecodedObjects } from './decoded-objects.ts';
import type { StoredObject } from './resource-request.ts';
import { metadataIn } from './stored-form.ts';
import { validLabels } from './stored-labels.ts';
import { Times } from './times.ts';

export interface ResourceStorage {
  /** One of the resources with this storage. */
  readonly definition: ResourceDefinition;
  readonly store: Store;
  readonly cache: WatchCache;
  /** Reads past the cache. */
  readonly stored: StoredReads;
}

/** Called for a resource whose cache has just been opened, before anything is read or written. Must not throw. */
type OpenListener = (definition: ResourceDefinition, cache: WatchCache) => void;

export interface RegistryOptions {
  readonly store: Store;
  /** The store of a resource that is not kept in `store`. */
  readonly storeOf?: (definition: ResourceDefinition) => Store | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly gates: FeatureGates;
  /** Bytes of cached forms of objects; all of the limit by default. */
  readonly keptFormBytes?: number;
  /** Whether privileged containers are allowed; true by default. */
  readonly allowPrivileged?: boolean;
  /** The default IP family of services; IPv4 by default. */
  readonly serviceFamily?: IpFamily | undefined;
  /** Whether reads may be older than the store, as those from a watch cache are; true by default. */
  readonly watchCache?: boolean;
  /** Whether a garbage collector runs, so that deletions may wait for it; true by default. */
  readonly collectsGarbage?: boolean;
  readonly emulation?: Emulation;
  /** Receives descriptions of turns of the event loop. */
  readonly meter?: Pick<TurnMeter, 'enter'>;
  /** Metrics of store calls and lists. */
  readonly series?: StorageSeries;
  /** Metrics of CEL evaluation for custom resources. */
  readonly expressions?: StrategyContext['expressions'];
  /** Receives mismatches of declarative and hand-written validation. */
  readonly declarative?: DeclarativeObserver;
  /** The declared rules of the release, if it enforces them. */
  readonly declared?: DeclaredValidation | undefined;
  /** Undefined if signatures cannot be verified: then they are not checked. */
  readonly verifySignature?: VerifySignature;
}

/** The storage of namespaces. */
const NAMESPACES = '/registry/namespaces';

export class Registry {
  /** The store of most resources. */
  readonly store: Store;
  /** Cooperative slices for long work, so that other requests run in between. */
  readonly turns: ShortTurns;
  readonly clock: Clock;
  readonly times: Times;
  readonly random: Random;
  /** Whether a feature gate is enabled. */
  readonly gateEnabled: (gate: string) => boolean;
  readonly #allowPrivileged: boolean;
  readonly #watchCache: boolean;
  readonly #serviceFamily: IpFamily | undefined;
  /** Whether deletions may wait for garbage collection. */
  readonly collectsGarbage: boolean;
  /** The labels of a namespace, whose existence every write into it has checked. */
  readonly namespaceLabels = (name: string) =>
    this.#storages.get(NAMESPACES)?.cache.get(`${NAMESPACES}/${name}`)?.labels;
  /** Recently written objects, and objects read for writing; shared, must not be modified. */
  readonly decoded = new DecodedObjects();
  /** Allocators for objects of some resources. */
  readonly allocations = new Allocations();
  /** Memory used by cached forms of objects. */
  readonly formBudget: FormBudget;
  readonly #emulation: Emulation | undefined;
  /** Metrics of store calls and lists; undefined for none. */
  readonly series: StorageSeries | undefined;
  readonly #expressions: StrategyContext['expressions'];
  readonly #declarative: DeclarativeObserver | undefined;
  readonly #declared: DeclaredValidation | undefined;
  readonly #verifySignature: VerifySignature | undefined;
  readonly #memory = new StrategyMemory();
  readonly #storeOf: RegistryOptions['storeOf'];
  readonly #storages = new Map<string, ResourceStorage>();
  readonly #opening = new Map<string, Promise<ResourceStorage>>();
  readonly #openListeners = new Set<OpenListener>();

  constructor(options: RegistryOptions) {
    this.store = options.store;
    this.#storeOf = options.storeOf;
    this.clock = options.clock;
    this.turns = new ShortTurns(options.clock, setImmediate, options.meter);
    this.times = new Times(options.clock);
    this.formBudget = new FormBudget(options.clock, options.keptFormBytes);
    this.random = options.random;
    this.#allowPrivileged = options.allowPrivileged ?? true;
    this.#watchCache = options.watchCache ?? true;
    this.#serviceFamily = options.serviceFamily;
    this.collectsGarbage = options.collectsGarbage ?? true;
    this.#declarative = options.declarative;
    this.#declared = options.declared;
    this.#expressions = options.expressions;
    this.series = options.series;
    this.#verifySignature = options.verifySignature;
    this.#emulation = options.emulation;
    this.gateEnabled = (gate) => options.gates.enabled(gate as FeatureGateName);
  }

  /** Whether kube-apiserver reads the objects of a resource from its watch cache. */
  isCached({ expires }: Pick<ResourceDefinition, 'expires'>): boolean {
    return this.#watchCache && expires !== true;
  }

  /** The store of a resource. */
  storeOf(definition: ResourceDefinition): Store {
    return this.#storeOf?.(definition) ?? this.store;
  }

  /** The storage of a resource; synchronous once its cache exists. */
  storage(definition: ResourceDefinition): Soon<ResourceStorage> {
    return this.#storages.get(definition.storagePrefix) ?? this.#open(definition);
  }

  /** The latest known version of an object; undefined if there is none or the cache is not open. */
  known(definition: ResourceDefinition, namespace: string, name: string): StoredObject | undefined {
    return this.#storages.get(definition.storagePrefix)?.cache.get(storageKey(definition, namespace, name));
  }

  /** The cached forms of a resource's objects; undefined while its cache is not open. */
  forms({ storagePrefix }: ResourceDefinition): KeptForms | undefined {
    return this.#storages.get(storagePrefix)?.cache.forms;
  }

  /** Calls back for every cache opened from now on; the returned function unsubscribes. */
  onOpen(listener: OpenListener): () => void {
    this.#openListeners.add(listener);
    return () => this.#openListeners.delete(listener);
  }

  /** Whether the cache of a resource is open: before that, nothing is read or written through the server. */
  isOpen(definition: ResourceDefinition): boolean {
    return this.#storages.has(definition.storagePrefix);
  }

  /** The number of a resource's objects and their size in bytes; undefined while its cache is not open. */
  totals({ storagePrefix }: ResourceDefinition): { readonly objects: number; readonly bytes: number } | undefined {
    return this.#storages.get(storagePrefix)?.cache.totals;
  }

  /** Whether a resource has any object, in a namespace or in all (''); does not open its cache. */
  async hasObjects(definition: ResourceDefinition, namespace = ''): Promise<boolean> {
    const cache = this.#storages.get(definition.storagePrefix)?.cache;
    if (cache !== undefined) {
      return cache.snapshot().count({ namespace: namespace || undefined, name: undefined, matches: undefined }) > 0;
    }
    const prefix = namespace === '' ? `${definition.storagePrefix}/` : `${definition.storagePrefix}/${namespace}/`;
    return (await this.storeOf(definition).list(prefix, { limit: 1 })).entries.length > 0;
  }

  /** Objects of a resource in the store, after the key `after`; does not open its cache. */
  async storedPage(
    definition: ResourceDefinition,
    page: { after: string | undefined; limit: number },
  ): Promise<readonly (StoredObject & { key: string })[]> {
    const { after, limit } = page;
    const options = after === undefined ? { limit } : { limit, after };
    const { entries } = await this.storeOf(definition).list(`${definition.storagePrefix}/`, options);
    return entries.map(({ key, value, revision }) => ({ key, bytes: value, revision }));
  }

  /** The context of strategies in a request of this user. @param warn warns the client */
  strategyContext(user: User, warn?: StrategyContext['warn']): StrategyContext {
    const { gateEnabled, namespaceLabels } = this;
    const [allowPrivileged, emulation] = [this.#allowPrivileged, this.#emulation];
    return {
      nowMs: this.clock.now(),
      newUid: () => this.random.uuid(),
      gateEnabled,
      allowPrivileged,
      serviceFamily: this.#serviceFamily,
      minor: emulation?.binary.minor,
      minCompatibilityMinor: emulation?.minCompatibilityMinor,
      namespaceLabels,
      declarative: this.#declarative,
      declared: this.#declared,
      expressions: this.#expressions,
      verifySignature: this.#verifySignature,
      memory: this.#memory,
      warn,
      user,
    };
  }

  /** Sizes of all caches, by storage prefix. */
  caches(): Iterable<[string, ResourceStorage]> {
    return this.#storages;
  }

  /** Reads again what is stored under the prefixes for which that may have changed. */
  async readAgain(mayDiffer: (prefix: string) => boolean): Promise<void> {
    for (const [prefix, { cache }] of [...this.#storages]) if (mayDiffer(prefix)) await cache.readAgain();
  }

  /** Closes the cache of a storage prefix and all its watches; the next use creates a new one. */
  reopen(prefix: string): void {
    this.#storages.get(prefix)?.cache.close();
    this.#storages.delete(prefix);
  }

  close(): void {
    for (const { cache } of this.#storages.values()) cache.close();
    this.#storages.clear();
  }

  #open(definition: ResourceDefinition): Promise<ResourceStorage> {
    const prefix = definition.storagePrefix;
    let opening = this.#opening.get(prefix);
    if (opening === undefined) {
      const store = this.storeOf(definition);
      const startMs = this.clock.now();
      const reading = {
        ...{ store, prefix: `${prefix}/`, namespaced: definition.namespaced, turns: this.turns },
        attributes: (_key: string, bytes: Buffer) => this.#attributes(definition, bytes),
      };
      opening = createWatchCache({ ...reading, clock: this.clock, forms: this.formBudget }).then((cache) => {
        const storage = { definition, store, cache, stored: new StoredReads({ ...reading, cache }) };
        this.#storages.set(prefix, storage);
        this.#opening.delete(prefix);
        const seconds = (this.clock.now() - startMs) / 1000;
        this.series?.filled(definition, { objects: cache.totals.objects, seconds });
        for (const listener of this.#openListeners) listener(definition, cache);
        return storage;
      });
      // The error that kube-apiserver returns if etcd does not respond.
      opening = opening.catch((error: unknown) => {
        this.series?.failed(definition);
        this.#opening.delete(prefix);
        throw error instanceof StoreTimeoutError ? storeTimeout() : error;
      });
      this.#opening.set(prefix, opening);
    }
    return opening;
  }

  #attributes(definition: ResourceDefinition, bytes: Buffer): Attributes {
    const values = definition.strategy.selection?.values;
    const known = this.decoded.peek(bytes);
    if (known === undefined) assertReadable(bytes);
    // The rest may be long, like the schemas of a definition.
    const { mayBeMistyped } = definition.codec;
    if (values === undefined) return attributesOf(known?.metadata ?? metadataIn(bytes), { mayBeMistyped });
    const asStored = definition.storedForm === undefined ? known : undefined;
    const object = asStored ?? (parseJson(bytes) as ApiObject);
    return attributesOf(object.metadata, { mayBeMistyped, fields: values(object) });
  }
}

/** Throws for bytes that are not an object, such as those of a removed encryption provider. */
function assertReadable(bytes: Buffer): void {
  if (bytes[0] === OPEN_BRACE && bytes.at(-1) === CLOSE_BRACE) return;
  assertInClear(bytes);
  throw new Error('the stored bytes are not an object');
}

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function attributesOf(
  { name = '', namespace = '', labels }: ObjectMeta,
  { mayBeMistyped, fields }: { readonly mayBeMistyped: boolean; readonly fields?: Attributes['fields'] },
): Attributes {
  return { name, namespace, labels: mayBeMistyped ? validLabels(labels) : labels, fields };
}

/** The store key of an object, in kube-apiserver's layout. */
export function storageKey(definition: ResourceDefinition, namespace: string, name: string): string {
  return definition.namespaced
    ? `${definition.storagePrefix}/${namespace}/${name}`
    : `${definition.storagePrefix}/${name}`;
}
