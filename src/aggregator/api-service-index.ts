// The API services as requests need them: who serves a version of a group, and in which order groups and versions are
// published. Kept in step with the stored objects by whoever hands them in.

import type { ApiObject, Json } from '../api/object.ts';
import { at, isObject, listAt, numberAt, textAt } from '../resources/value.ts';
import { compareVersions } from '../resources/version-order.ts';

/** An API service that stands for another server. */
export interface RemoteApiService extends ApiServiceEntry {
  readonly service: ServicePort;
}

export interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

export interface ApiServiceEntry {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
  /** Undefined: this server itself. */
  readonly service: ServicePort | undefined;
  /** PEM of the authorities that vouch for the other server; undefined: those of the system. */
  readonly ca: string | undefined;
  /** Whether nobody has to vouch for it. */
  readonly insecure: boolean;
  /** Whether its condition says so. */
  readonly available: boolean;
  /** Whether this server makes and removes it by itself. */
  readonly managed: boolean;
  /** Tells one object of a name from the next. */
  readonly uid: string;
}

/** A group as API services describe it. */
export interface PublishedGroup {
  readonly group: string;
  /** The highest of its API services: groups with more come first. */
  readonly priority: number;
  /** The preferred one first. */
  readonly versions: readonly ApiServiceEntry[];
}

/** The entry that an object makes. */
export function apiServiceEntry(object: ApiObject): ApiServiceEntry {
  const { spec } = object;
  const service = at(spec, 'service');
  const bundle = textAt(spec, 'caBundle');
  const isAvailable = (each: Json) => textAt(each, 'type') === 'Available' && textAt(each, 'status') === 'True';
  return {
    name: object.metadata.name ?? '',
    group: textAt(spec, 'group'),
    version: textAt(spec, 'version'),
    groupPriority: numberAt(spec, 'groupPriorityMinimum'),
    versionPriority: numberAt(spec, 'versionPriority'),
    service: isObject(service)
      ? {
          namespace: textAt(service, 'namespace'),
          name: textAt(service, 'name'),
          port: numberAt(service, 'port') || DEFAULT_PORT,
        }
      : undefined,
    ca: bundle === '' ? undefined : atob(bundle),
    insecure: at(spec, 'insecureSkipTLSVerify') === true,
    available: listAt(object, 'status', 'conditions').some(isAvailable),
    managed: object.metadata.labels?.['kube-aggregator.kubernetes.io/automanaged'] !== undefined,
    uid: object.metadata.uid ?? '',
  };
}

const DEFAULT_PORT = 443;

export class ApiServiceIndex {
  readonly #entries = new Map<string, ApiServiceEntry>();
  readonly #remote = new Map<string, RemoteApiService>();
  readonly #listeners = new Set<(name: string) => void>();
  #generation = 0;
  #groups: readonly PublishedGroup[] | undefined;

  /** Rises with every change. */
  get generation(): number {
    return this.#generation;
  }

  set(object: ApiObject): void {
    const entry = apiServiceEntry(object);
    this.#forgetRemote(entry.name);
    this.#entries.set(entry.name, entry);
    if (isRemote(entry)) this.#remote.set(`${entry.group}/${entry.version}`, entry);
    this.#changed(entry.name);
  }

  delete(name: string): void {
    this.#forgetRemote(name);
    if (this.#entries.delete(name)) this.#changed(name);
  }

  get(name: string): ApiServiceEntry | undefined {
    return this.#entries.get(name);
  }

  /** Whether another server serves anything at all. */
  get hasRemote(): boolean {
    return this.#remote.size > 0;
  }

  /** The other server that serves a version of a group, if one does. */
  remote(group: string, version: string): RemoteApiService | undefined {
    return this.#remote.size === 0 ? undefined : this.#remote.get(`${group}/${version}`);
  }

  /** The one of the name, if it stands for another server. */
  remoteNamed(name: string): RemoteApiService | undefined {
    const entry = this.#entries.get(name);
    return entry !== undefined && isRemote(entry) ? entry : undefined;
  }

  /** All that stand for other servers, in the order of their names. */
  remotes(): readonly RemoteApiService[] {
    return [...this.#remote.values()].sort((one, other) => compareText(one.name, other.name));
  }

  entries(): Iterable<ApiServiceEntry> {
    return this.#entries.values();
  }

  /** All groups but the core one, in the order in which they are published. */
  groups(): readonly PublishedGroup[] {
    this.#groups ??= publishedGroups([...this.#entries.values()].filter(({ group }) => group !== ''));
    return this.#groups;
  }

  /** Calls back with the name of each API service that changes. @returns what ends that */
  onChange(listener: (name: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #forgetRemote(name: string): void {
    const before = this.#entries.get(name);
    if (before?.service !== undefined) this.#remote.delete(`${before.group}/${before.version}`);
  }

  #changed(name: string): void {
    this.#generation++;
    this.#groups = undefined;
    for (const listener of this.#listeners) listener(name);
  }
}

/** Entries by group: groups by the highest priority in them, then by name; versions by theirs, then by age. */
export function publishedGroups(entries: readonly ApiServiceEntry[]): PublishedGroup[] {
  const byGroup = Map.groupBy(entries, ({ group }) => group);
  const groups = [...byGroup].map(([group, versions]) => ({
    group,
    priority: Math.max(...versions.map(({ groupPriority }) => groupPriority)),
    versions: versions.sort(
      (one, other) => other.versionPriority - one.versionPriority || compareVersions(one.version, other.version),
    ),
  }));
  return groups.sort((one, other) => other.priority - one.priority || compareText(one.group, other.group));
}

function isRemote(entry: ApiServiceEntry): entry is RemoteApiService {
  return entry.service !== undefined;
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
