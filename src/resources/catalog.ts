// Catalog of all served resources, by group, version and name, built-in and custom alike. Requests look up their
// resource here; discovery is derived from it.

import { apiVersionOf } from '../api/group-version.ts';
import { compareText } from '../base/compare-text.ts';
import { deprecationWarning } from '../lifecycle/api-lifecycles.ts';
import type { FeatureGateName } from '../lifecycle/feature-gate-table.ts';
import { CURRENT_MINOR, type Emulation, emulationOf } from '../lifecycle/version.ts';
import { groupPriority, versionPriority } from './builtin/priorities.ts';
import { builtinResourcesIn } from './builtin/resources.ts';
import type { ResourceDefinition, ServedVersion } from './definition.ts';
import type { RemovedVersion } from './removed/removed-versions.ts';
import { type Candidate, type RuntimeConfig, servedCandidates } from './runtime-config.ts';
import { withHashedStorage } from './storage-version-hash.ts';
import { compareVersions } from './version-order.ts';

export interface CatalogEntry {
  readonly definition: ResourceDefinition;
  readonly version: ServedVersion;
}

/** A served group. */
export interface CatalogGroup {
  readonly group: string;
  /** Versions with resources, the preferred one first. */
  readonly versions: readonly CatalogVersion[];
}

export interface CatalogVersion {
  readonly version: string;
  /** Sorted by name. */
  readonly entries: readonly CatalogEntry[];
}

type Resources = Map<string, CatalogEntry>;

export class Catalog {
  /** The minor release of Kubernetes 1 whose kinds are served. */
  readonly minor: number;
  readonly #groups = new Map<string, Map<string, Resources>>();
  /** Custom resources in versions that a built-in group does not have: published, but not served, as in Kubernetes. */
  readonly #unserved = new Map<string, Map<string, Resources>>();
  /** Versions of resources, by `resource.group`, that exist but cannot be served. */
  readonly #blocked = new Map<string, readonly string[]>();
  readonly #followers = new Set<() => void>();
  #generation = 0;

  constructor(minor: number = CURRENT_MINOR) {
    this.minor = minor;
  }
  #sorted: readonly CatalogGroup[] | undefined;
  #published: readonly CatalogGroup[] | undefined;

  /** Increases with every change, so that whatever is derived from the catalog can detect that it is outdated. */
  get generation(): number {
    return this.#generation;
  }

  /** Calls back after every change, which may be a part of several; the returned function ends it. */
  follow(changed: () => void): () => void {
    this.#followers.add(changed);
    return () => void this.#followers.delete(changed);
  }

  /** The served resource with these names. Costs three lookups and no allocation. */
  lookup(group: string, version: string, resource: string): CatalogEntry | undefined {
    return this.#groups.get(group)?.get(version)?.get(resource);
  }

  /** The definition of a resource, whichever of its versions are served. */
  find(group: string, resource: string): ResourceDefinition | undefined {
    for (const resources of this.#groups.get(group)?.values() ?? []) {
      const entry = resources.get(resource);
      if (entry !== undefined) return entry.definition;
    }
    return undefined;
  }

  hasGroup(group: string): boolean {
    return this.#groups.has(group);
  }

  hasVersion(group: string, version: string): boolean {
    return this.#groups.get(group)?.has(version) === true;
  }

  /** Whether a group consists of custom resources only. */
  isCustom(group: string): boolean {
    for (const resources of this.#groups.get(group)?.values() ?? []) {
      for (const { definition } of resources.values()) return definition.custom;
    }
    return false;
  }

  /** All served groups and versions in order of priority. */
  get groups(): readonly CatalogGroup[] {
    this.#sorted ??= sortedGroups(this.#groups, this.minor);
    return this.#sorted;
  }

  /** The groups and versions in discovery and OpenAPI: those served, and custom versions of built-in groups. */
  get published(): readonly CatalogGroup[] {
    if (this.#unserved.size === 0) return this.groups;
    if (this.#published === undefined) {
      const groups = new Map(this.#groups);
      for (const [group, versions] of this.#unserved) {
        groups.set(group, new Map([...versions, ...(this.#groups.get(group) ?? [])]));
      }
      this.#published = sortedGroups(groups, this.minor);
    }
    return this.#published;
  }

  publishesVersion(group: string, version: string): boolean {
    return this.hasVersion(group, version) || this.#unserved.get(group)?.has(version) === true;
  }

  /** Whether a resource shares the place of its objects with a built-in one. */
  overlapsBuiltin({ group, resource, storagePrefix }: ResourceDefinition): boolean {
    const found = this.find(group, resource);
    return found !== undefined && !found.custom && found.storagePrefix === storagePrefix;
  }

  /** Every resource in every served version. */
  *entries(): Generator<CatalogEntry> {
    for (const { versions } of this.groups) for (const { entries } of versions) yield* entries;
  }

  /** Every served resource, without duplicates. */
  get definitions(): readonly ResourceDefinition[] {
    const entries = this.groups.flatMap(({ versions }) => versions.flatMap((version) => version.entries));
    const byName = new Map<string, ResourceDefinition>();
    for (const { definition } of entries) {
      const name = `${definition.group}/${definition.resource}`;
      if (!byName.has(name)) byName.set(name, definition);
    }
    return [...byName.values()];
  }

  /**
   * Serves a built-in resource.
   *
   * @param versions to serve; all by default.
   */
  add(definition: ResourceDefinition, versions: readonly ServedVersion[] = definition.versions): void {
    this.addEntries(versions.map((version) => ({ definition, version })));
  }

  /**
   * Serves a resource with a separate definition for each version, replacing one of the same group and name. A custom
   * resource replaces only a custom one: built-in groups serve nothing else, and their versions publish nothing else.
   */
  addEntries(entries: readonly CatalogEntry[]): void {
    for (const { definition } of entries.slice(0, 1)) this.#drop(definition);
    for (const entry of entries) {
      const { group, resource, custom } = entry.definition;
      const { version } = entry.version;
      const isShadowed = custom && this.hasGroup(group) && !this.isCustom(group);
      if (isShadowed && this.hasVersion(group, version)) continue;
      const groupVersions = getOrAdd(isShadowed ? this.#unserved : this.#groups, group, () => new Map());
      getOrAdd(groupVersions, version, () => new Map<string, CatalogEntry>()).set(resource, entry);
    }
    this.#changed();
  }

  /** Stops serving a resource, and versions and groups that become empty. @param which a custom or a built-in one */
  remove(which: Pick<ResourceDefinition, 'group' | 'resource' | 'custom'>): void {
    this.#drop(which);
    this.#changed();
  }

  /** Marks a resource as existing but not servable, which requests report. @param versions empty to remove the mark */
  block(group: string, resource: string, versions: readonly string[]): void {
    if (versions.length === 0) this.#blocked.delete(`${resource}.${group}`);
    else this.#blocked.set(`${resource}.${group}`, versions);
  }

  isBlocked(group: string, version: string, resource: string): boolean {
    return this.#blocked.get(`${resource}.${group}`)?.includes(version) === true;
  }

  #drop({ group, resource, custom }: Pick<ResourceDefinition, 'group' | 'resource' | 'custom'>): void {
    for (const groups of [this.#groups, this.#unserved]) {
      const versions = groups.get(group);
      for (const [version, resources] of versions ?? []) {
        if (resources.get(resource)?.definition.custom === custom) resources.delete(resource);
        if (resources.size === 0) versions?.delete(version);
      }
      if (versions?.size === 0) groups.delete(group);
    }
  }

  #changed(): void {
    this.#generation++;
    this.#sorted = undefined;
    this.#published = undefined;
    for (const changed of this.#followers) changed();
  }
}

function sortedGroups(groups: ReadonlyMap<string, Map<string, Resources>>, minor: number): CatalogGroup[] {
  return [...groups]
    .map(([group, versions]) => sortedGroup(group, versions, minor))
    .sort((one, other) => compareGroups(one.group, other.group, minor));
}

interface CatalogOptions {
  /** The entries of --runtime-config. */
  readonly runtimeConfig?: RuntimeConfig;
  /** The emulated version; the latest by default. */
  readonly emulation?: Emulation;
  /** Whether a gate is enabled, for resources that depend on one; by default all are. */
  readonly gateEnabled?: (gate: FeatureGateName) => boolean;
  readonly emulationForwardCompatible?: boolean;
  readonly runtimeConfigForwardCompatible?: boolean;
  /** Whether what the emulated release is the first without is served all the same; false by default. */
  readonly oneMoreRelease?: boolean;
  /** Versions removed in v1.34 that may be served; none by default. */
  readonly removedVersions?: readonly RemovedVersion[];
}

/**
 * A catalog of the served built-in resources.
 *
 * @throws RuntimeConfigError for an invalid runtimeConfig
 */
export function createCatalog(options: CatalogOptions = {}): Catalog {
  const { removedVersions = [], emulation = emulationOf(CURRENT_MINOR) } = options;
  const gateEnabled = options.gateEnabled ?? (() => true);
  const places = builtinResourcesIn(emulation.binary.minor).flatMap((definition) =>
    catalogPlaces(
      withHashedStorage(withoutGatedSubresources(definition, gateEnabled), { emulation, gateEnabled }),
      removedVersions,
    ),
  );
  const served = servedCandidates({
    candidates: places.map(({ candidate }) => candidate),
    config: options.runtimeConfig ?? {},
    emulation,
    gateEnabled,
    emulationForwardCompatible: options.emulationForwardCompatible ?? false,
    runtimeConfigForwardCompatible: options.runtimeConfigForwardCompatible ?? false,
    oneMoreRelease: options.oneMoreRelease ?? false,
  });
  const catalog = new Catalog(emulation.binary.minor);
  for (const entries of byResource(places.filter(({ candidate }) => served.has(candidate))))
    catalog.addEntries(entries);
  return catalog;
}

/** A version with the warning for its users, if it is deprecated in the release of its definition. */
function withDeprecation({ group, kind, minor }: ResourceDefinition, version: ServedVersion): ServedVersion {
  const groupVersion = apiVersionOf({ group, version: version.version });
  const deprecation = deprecationWarning(groupVersion, kind, `1.${minor}`);
  return deprecation === undefined ? version : { ...version, deprecation };
}

type GateEnabled = (gate: FeatureGateName) => boolean;

function withoutGatedSubresources(definition: ResourceDefinition, gateEnabled: GateEnabled): ResourceDefinition {
  const all = Object.entries(definition.subresources);
  const served = all.filter(([, { gate }]) => gate === undefined || gateEnabled(gate));
  return served.length === all.length ? definition : { ...definition, subresources: Object.fromEntries(served) };
}

interface CatalogPlace {
  readonly candidate: Candidate;
  readonly entry: CatalogEntry;
}

/** A resource in all its versions; a removed one has its own rules. */
function catalogPlaces(declared: ResourceDefinition, removedVersions: readonly RemovedVersion[]): CatalogPlace[] {
  const { group, resource, kind } = declared;
  const isDeclared = ({ version }: ServedVersion) => declared.versions.some((each) => each.version === version);
  const removed = removedVersions.filter(
    (each) => each.group === group && each.resource === resource && !isDeclared(each.served),
  );
  const own = declared.versions.map((version) => withDeprecation(declared, version));
  const gone = removed.map((each) => ({ ...each, served: withDeprecation(declared, each.served) }));
  const definition = { ...declared, versions: [...own, ...gone.map(({ served }) => served)] };
  const place = (entry: CatalogEntry, isRemoved: boolean): CatalogPlace => {
    const { version, enabledByDefault } = entry.version;
    return { candidate: { group, version, resource, kind, enabledByDefault, removed: isRemoved }, entry };
  };
  return [
    ...own.map((version) => place({ definition, version }, false)),
    ...gone.map(({ served, strategy }) => {
      const other = { ...definition, strategy: { ...definition.strategy, ...strategy } };
      return place({ definition: other, version: served }, true);
    }),
  ];
}

function byResource(places: readonly CatalogPlace[]): Iterable<CatalogEntry[]> {
  const groups = new Map<string, CatalogEntry[]>();
  for (const { candidate, entry } of places) {
    getOrAdd(groups, `${candidate.group}/${candidate.resource}`, () => []).push(entry);
  }
  return groups.values();
}

function sortedGroup(group: string, versions: Map<string, Resources>, minor: number): CatalogGroup {
  const priority = (version: string) => versionPriority({ group, version }, minor);
  const sorted = [...versions].map(([version, resources]) => ({
    version,
    entries: [...resources.values()].sort((one, other) =>
      compareText(one.definition.resource, other.definition.resource),
    ),
  }));
  sorted.sort(
    (one, other) => priority(other.version) - priority(one.version) || compareVersions(one.version, other.version),
  );
  return { group, versions: sorted };
}

function compareGroups(one: string, other: string, minor: number): number {
  // The core group is separate from the others and comes first.
  if (one === '' || other === '') return one === '' ? -1 : 1;
  return groupPriority(other, minor) - groupPriority(one, minor) || compareText(one, other);
}

function getOrAdd<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
