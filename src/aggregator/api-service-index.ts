// Index of APIServices for requests: the server of each group version, and the order of groups and versions. Kept in
// sync with stored objects by its owner.

import { isObject } from '../api/is-object.ts';
import type { ApiObject } from '../api/object.ts';
import { compareText } from '../base/compare-text.ts';
import { at, listAt, numberAt, textAt } from '../resources/value.ts';
import { compareVersions } from '../resources/version-order.ts';

/** An APIService for another server. */
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
  /** Undefined for this server itself. */
  readonly service: ServicePort | undefined;
  /** PEM of the CAs for the other server; undefined for the system's. */
  readonly ca: string | undefined;
  /** Whether it is not verified. */
  readonly insecure: boolean;
  /** Whether its Available condition is true. */
  readonly available: boolean;
  /** Whether it has been found out if it is available: from then on, its discovery document is read either way. */
  readonly probed: boolean;
  /** Whether this server creates and deletes it automatically. */
  readonly managed: boolean;
  /** Distinguishes objects with the same name. */
  readonly uid: string;
}

/** A group as described by APIServices. */
export interface PublishedGroup {
  readonly group: string;
  /** The maximum over its APIServices: groups with higher values come first. */
  readonly priority: number;
  /** The preferred one first. */
  readonly versions: readonly ApiServiceEntry[];
}

/** The entry for an object. */
export function apiServiceEntry(object: ApiObject): ApiServiceEntry {
  const { spec } = object;
  const service = at(spec, 'service');
  const bundle = textAt(spec, 'caBundle');
  const available = listAt(object, 'status', 'conditions').find((each) => textAt(each, 'type') === 'Available');
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
    available: textAt(available, 'status') === 'True',
    probed: available !== undefined,
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

  /** Increases with every change. */
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

  /** Whether there is any other server. */
  get hasRemote(): boolean {
    return this.#remote.size > 0;
  }

  /** The other server of a group version, if there is one. */
  remote(group: string, version: string): RemoteApiService | undefined {
    return this.#remote.size === 0 ? undefined : this.#remote.get(`${group}/${version}`);
  }

  /** The APIService with this name, if it is for another server. */
  remoteNamed(name: string): RemoteApiService | undefined {
    const entry = this.#entries.get(name);
    return entry !== undefined && isRemote(entry) ? entry : undefined;
  }

  /** All APIServices for other servers, sorted by name. */
  remotes(): readonly RemoteApiService[] {
    return [...this.#remote.values()].sort((one, other) => compareText(one.name, other.name));
  }

  entries(): Iterable<ApiServiceEntry> {
    return this.#entries.values();
  }

  /** All groups except the core group, in published order. */
  groups(): readonly PublishedGroup[] {
    this.#groups ??= publishedGroups([...this.#entries.values()].filter(({ group }) => group !== ''));
    return this.#groups;
  }

  /** Calls back with the name of each changed APIService. @returns a function that unsubscribes */
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

/** Entries by group: groups by their maximum priority, then by name; versions by theirs, then by age. */
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
