// Lifecycles of API versions: which are served, deprecated and scheduled for removal, which are requested, and which
// still appear in the managedFields of stored objects.

import { type ApiLifecycle, apiLifecycle } from '../../lifecycle/api-lifecycles.ts';
import type { Resource } from '../cluster/discovery.ts';
import { type Metrics, sumBy } from './metrics-text.ts';

type Stage = 'alpha' | 'beta' | 'GA';

/** `v1beta2` is beta; a version that does not follow this pattern counts as GA. */
export function stageOf(version: string): Stage {
  const [, stage] = /^v\d+(alpha|beta)\d+$/.exec(version) ?? [];
  return stage === undefined ? 'GA' : (stage as Stage);
}

/** A resource in one version. */
export interface ServedVersion {
  readonly resource: Resource;
  readonly stage: Stage;
  /** Whether it is the preferred version of the group. */
  readonly preferred: boolean;
  /** Announced by Kubernetes, for built-in kinds that are or will be deprecated. */
  readonly lifecycle: ApiLifecycle | undefined;
}

/** @param all versions of resources, in the server's order of preference */
export function servedVersions(all: readonly Resource[]): ServedVersion[] {
  const first = new Map<string, string>();
  return all.map((resource) => {
    const { group, version, name, kind } = resource;
    const key = `${group}/${name}`;
    if (!first.has(key)) first.set(key, version);
    return {
      ...{ resource, stage: stageOf(version), preferred: first.get(key) === version },
      lifecycle: apiLifecycle(group === '' ? version : `${group}/${version}`, kind),
    };
  });
}

/** Whether a release, `1.34` or `34+`, has reached the given one. */
export function hasReached(release: string, named: string | undefined): boolean {
  const minor = (text: string): number => Number.parseInt(text.slice(text.indexOf('.') + 1), 10);
  return named !== undefined && minor(named) <= minor(release);
}

/** A deprecated version that was requested since the server started. */
export interface DeprecatedUse {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** `1.38`; '' if no release has been announced. */
  readonly removedIn: string;
  /** Requests, by verb. */
  readonly requests: ReadonlyMap<string, number>;
}

const DEPRECATED = 'apiserver_requested_deprecated_apis';
const REQUESTS = 'apiserver_request_total';

export function isLifecycleMetric(name: string): boolean {
  return name === DEPRECATED || name === REQUESTS;
}

/** Sorted by removal, soonest first. */
export function deprecatedUses(metrics: Metrics): DeprecatedUse[] {
  const asked = (metrics.get(DEPRECATED) ?? []).filter(({ value }) => value > 0);
  const uses = asked.map(({ labels }) => {
    const { group = '', version = '', resource = '', subresource = '', removed_release: removedIn = '' } = labels;
    const requests = sumBy(metrics.get(REQUESTS), (one) =>
      one['group'] === group &&
      one['version'] === version &&
      one['resource'] === resource &&
      (one['subresource'] ?? '') === subresource
        ? (one['verb'] ?? '')
        : undefined,
    );
    return { group, version, resource, subresource, removedIn, requests };
  });
  const order = ({ removedIn, group, resource }: DeprecatedUse): string =>
    [removedIn === '' ? '~' : removedIn.padStart(8), group, resource].join(' ');
  return uses.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** An object's metadata, as far as managedFields need it. */
export interface WrittenMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly managedFields?: readonly { readonly manager?: string; readonly apiVersion?: string }[];
}

/** A manager that wrote objects of a resource in a version other than the preferred one. */
export interface OldWriter {
  readonly resource: Resource;
  readonly apiVersion: string;
  readonly manager: string;
  /** The manager can no longer write in a version that is not served. */
  readonly served: boolean;
  readonly objects: number;
  /** An example object. */
  readonly example: WrittenMeta;
}

/**
 * Returns the entries of managedFields that name an older version.
 * @param preferred the resource in its preferred version
 * @param versions all group versions that serve it, and the preferred ones: events are in two groups
 */
export function oldWriters(
  preferred: Resource,
  versions: { readonly served: ReadonlySet<string>; readonly current: ReadonlySet<string> },
  metas: readonly WrittenMeta[],
): OldWriter[] {
  const found = new Map<string, OldWriter>();
  for (const meta of metas) {
    const entries = (meta.managedFields ?? []).map(({ manager = '', apiVersion = '' }) => ({ manager, apiVersion }));
    const keys = new Map(entries.map((entry) => [`${entry.apiVersion} ${entry.manager}`, entry]));
    for (const [key, { manager, apiVersion }] of keys) {
      if (apiVersion === '' || versions.current.has(apiVersion)) continue;
      const known = found.get(key);
      if (known !== undefined) found.set(key, { ...known, objects: known.objects + 1 });
      else {
        const isServed = versions.served.has(apiVersion);
        found.set(key, { resource: preferred, apiVersion, manager, served: isServed, objects: 1, example: meta });
      }
    }
  }
  return [...found.values()];
}
