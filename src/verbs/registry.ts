// The stored resources of a server: for each one its definition, the store and the watch cache that serves its reads.
// Caches are made on first use and shared by all resources with one storage prefix (core and events.k8s.io events).

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
import type { VerifySignature } from '../resources/validation/certificate-signature.ts';
import type { Store } from '../store/store.ts';
import { assertInClear } from '../store/value-transformer.ts';
import { FormBudget, type KeptForms } from '../watchcache/kept-forms.ts';
import type { Attributes, WatchCache } from '../watchcache/types.ts';
import { createWatchCache } from '../watchcache/watch-cache.ts';
import { Allocations } from './allocation.ts';
import { DecodedObjects } from './decoded-objects.ts';
import type { StoredObject } from './resource-request.ts';
import { metadataIn } from './stored-form.ts';
import { Times } from './times.ts';

export interface ResourceStorage {
  readonly store: Store;
  readonly cache: WatchCache;
}

/** Told of a resource whose cache has just been opened, before anything is read from it or written. Must not throw. */
type OpenListener = (definition: ResourceDefinition, cache: WatchCache) => void;

export interface RegistryOptions {
  readonly store: Store;
  /** Where a resource is kept that is not in `store`. */
  readonly storeOf?: (definition: ResourceDefinition) => Store | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly gates: FeatureGates;
  /** Whether privileged containers may be; true unless given. */
  readonly allowPrivileged?: boolean;
  /** Whether somebody deletes what deleted objects owned, so that deletions may wait for that; true unless given. */
  readonly collectsGarbage?: boolean;
  readonly emulation?: Emulation;
  /** Is told what turns of the event loop are spent on. */
  readonly meter?: TurnMeter;
  /** Who counts calls to the store and lists. */
  readonly series?: StorageSeries;
  /** Who is told what expressions of custom resources take. */
  readonly expressions?: StrategyContext['expressions'];
  /** Who is told where declared rules of validation and those in code differ. */
  readonly declarative?: DeclarativeObserver;
  /** Undefined where nobody can verify signatures: then they are not looked at. */
  readonly verifySignature?: VerifySignature;
}

/** Where namespaces are stored. */
const NAMESPACES = '/registry/namespaces';

export class Registry {
  /** Where most resources are kept. */
  readonly store: Store;
  /** What long work is done in, so that others have their turn meanwhile. */
  readonly turns: ShortTurns;
  readonly clock: Clock;
  readonly times: Times;
  readonly random: Random;
  /** Whether a feature gate is on. */
  readonly gateEnabled: (gate: string) => boolean;
  readonly #allowPrivileged: boolean;
  /** Whether deletions may wait for what becomes of the objects' dependents. */
  readonly collectsGarbage: boolean;
  /** The labels of a namespace, which every write into one has looked at before. */
  readonly namespaceLabels = (name: string) =>
    this.#storages.get(NAMESPACES)?.cache.get(`${NAMESPACES}/${name}`)?.labels;
  /** Objects written or read for writing lately; shared, not to be changed. */
  readonly decoded = new DecodedObjects();
  /** What the server gives out to objects of some resources. */
  readonly allocations = new Allocations();
  /** What forms of objects take that are kept beside their bytes. */
  readonly formBudget: FormBudget;
  readonly #minCompatibilityMinor: number | undefined;
  /** Who counts calls to the store and lists; undefined for nobody. */
  readonly series: StorageSeries | undefined;
  readonly #expressions: StrategyContext['expressions'];
  readonly #declarative: DeclarativeObserver | undefined;
  readonly #verifySignature: VerifySignature | undefined;
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
    this.formBudget = new FormBudget(options.clock);
    this.random = options.random;
    this.#allowPrivileged = options.allowPrivileged ?? true;
    this.collectsGarbage = options.collectsGarbage ?? true;
    this.#declarative = options.declarative;
    this.#expressions = options.expressions;
    this.series = options.series;
    this.#verifySignature = options.verifySignature;
    this.#minCompatibilityMinor = options.emulation?.minCompatibilityMinor;
    this.gateEnabled = (gate) => options.gates.enabled(gate as FeatureGateName);
  }

  /** The store that keeps a resource's objects. */
  storeOf(definition: ResourceDefinition): Store {
    return this.#storeOf?.(definition) ?? this.store;
  }

  /** The storage of a resource; synchronous once its cache is there. */
  storage(definition: ResourceDefinition): Soon<ResourceStorage> {
    return this.#storages.get(definition.storagePrefix) ?? this.#open(definition);
  }

  /** The newest version of an object that is known; undefined where there is none, or the cache is not open. */
  known(definition: ResourceDefinition, namespace: string, name: string): StoredObject | undefined {
    return this.#storages.get(definition.storagePrefix)?.cache.get(storageKey(definition, namespace, name));
  }

  /** The forms of a resource's objects that are kept; undefined while its cache is not open. */
  forms({ storagePrefix }: ResourceDefinition): KeptForms | undefined {
    return this.#storages.get(storagePrefix)?.cache.forms;
  }

  /** Calls back for every cache that is opened from now on; the function that is returned ends that. */
  onOpen(listener: OpenListener): () => void {
    this.#openListeners.add(listener);
    return () => this.#openListeners.delete(listener);
  }

  /** Whether the cache of a resource is open: nothing was read or written through the server before it is. */
  isOpen(definition: ResourceDefinition): boolean {
    return this.#storages.has(definition.storagePrefix);
  }

  /** How many objects of a resource there are, and their bytes; undefined while its cache is not open. */
  totals({ storagePrefix }: ResourceDefinition): { readonly objects: number; readonly bytes: number } | undefined {
    return this.#storages.get(storagePrefix)?.cache.totals;
  }

  /** Whether there is any object of a resource, in one namespace or in all (''); opens no cache for it. */
  async hasObjects(definition: ResourceDefinition, namespace = ''): Promise<boolean> {
    const cache = this.#storages.get(definition.storagePrefix)?.cache;
    if (cache !== undefined) {
      return cache.snapshot().count({ namespace: namespace || undefined, name: undefined, matches: undefined }) > 0;
    }
    const prefix = namespace === '' ? `${definition.storagePrefix}/` : `${definition.storagePrefix}/${namespace}/`;
    return (await this.storeOf(definition).list(prefix, { limit: 1 })).entries.length > 0;
  }

  /** Objects of a resource as the store has them, from behind the key `after` on; opens no cache for it. */
  async storedPage(
    definition: ResourceDefinition,
    page: { after: string | undefined; limit: number },
  ): Promise<readonly (StoredObject & { key: string })[]> {
    const { after, limit } = page;
    const options = after === undefined ? { limit } : { limit, after };
    const { entries } = await this.storeOf(definition).list(`${definition.storagePrefix}/`, options);
    return entries.map(({ key, value, revision }) => ({ key, bytes: value, revision }));
  }

  /** What a kind's rules may look at in a request of this user. */
  strategyContext(user: User): StrategyContext {
    const { gateEnabled, namespaceLabels } = this;
    const [allowPrivileged, minCompatibilityMinor] = [this.#allowPrivileged, this.#minCompatibilityMinor];
    return {
      nowMs: this.clock.now(),
      newUid: () => this.random.uuid(),
      gateEnabled,
      allowPrivileged,
      minCompatibilityMinor,
      namespaceLabels,
      declarative: this.#declarative,
      expressions: this.#expressions,
      verifySignature: this.#verifySignature,
      user,
    };
  }

  /** Sizes of all caches, by storage prefix. */
  caches(): Iterable<[string, ResourceStorage]> {
    return this.#storages;
  }

  /** Ends the cache of a storage prefix and all its watches; the next who asks gets a new one. */
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
      opening = createWatchCache({
        store,
        prefix: `${prefix}/`,
        namespaced: definition.namespaced,
        turns: this.turns,
        attributes: (_key, bytes) => this.#attributes(definition, bytes),
        clock: this.clock,
        forms: this.formBudget,
      }).then((cache) => {
        const storage = { store, cache };
        this.#storages.set(prefix, storage);
        this.#opening.delete(prefix);
        const seconds = (this.clock.now() - startMs) / 1000;
        this.series?.filled(definition, { objects: cache.totals.objects, seconds });
        for (const listener of this.#openListeners) listener(definition, cache);
        return storage;
      });
      opening.catch(() => this.#opening.delete(prefix));
      this.#opening.set(prefix, opening);
    }
    return opening;
  }

  #attributes(definition: ResourceDefinition, bytes: Buffer): Attributes {
    const { selectableFields } = definition.strategy;
    const known = this.decoded.peek(bytes);
    if (known === undefined) assertReadable(bytes);
    // The rest may be long, as the schemas of a definition are.
    if (selectableFields === undefined) return attributesOf(known?.metadata ?? metadataIn(bytes), undefined);
    const asStored = definition.storedForm === undefined ? known : undefined;
    const object = asStored ?? (parseJson(bytes) as ApiObject);
    return attributesOf(object.metadata, selectableFields(object));
  }
}

/** Throws for bytes that are not an object, as those of a cipher whose configuration is gone. */
function assertReadable(bytes: Buffer): void {
  if (bytes[0] === OPEN_BRACE && bytes.at(-1) === CLOSE_BRACE) return;
  assertInClear(bytes);
  throw new Error('the stored bytes are not an object');
}

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function attributesOf({ name = '', namespace = '', labels }: ObjectMeta, fields: Attributes['fields']): Attributes {
  return { name, namespace, labels, fields };
}

/** The store's key of an object, as kube-apiserver lays keys out. */
export function storageKey(definition: ResourceDefinition, namespace: string, name: string): string {
  return definition.namespaced
    ? `${definition.storagePrefix}/${namespace}/${name}`
    : `${definition.storagePrefix}/${name}`;
}
