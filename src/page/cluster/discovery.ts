// Resources of the cluster, from discovery, including custom resources.

import { signal } from '@preact/signals';
import { askJson } from './cluster-api.ts';

export interface Resource {
  /** '' for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural name, as used in paths. */
  readonly name: string;
  readonly singular: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
}

interface DiscoveryList {
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly { readonly version: string; readonly resources?: readonly DiscoveredResource[] }[];
  }[];
}

interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind?: { readonly kind?: string };
  readonly scope?: string;
  readonly singularResource?: string;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/**
 * The resources that the cluster serves, each in the preferred version of its group; empty until discovery completes.
 */
export const resources = signal<readonly Resource[]>([]);
/** Every version of every resource. */
export const allVersions = signal<readonly Resource[]>([]);

/** Refreshes discovery. @throws ClusterError */
export async function readDiscovery(): Promise<void> {
  const lists = await Promise.all(
    ['/api', '/apis'].map((path) => askJson<DiscoveryList>(path, { accept: AGGREGATED })),
  );
  const found = lists.flatMap(({ items = [] }) =>
    items.flatMap(({ metadata, versions = [] }) =>
      versions.flatMap(({ version, resources: served = [] }) =>
        served.map((each) => resourceOf(metadata?.name ?? '', version, each)),
      ),
    ),
  );
  allVersions.value = found;
  resources.value = preferred(found).filter(({ verbs }) => verbs.includes('list'));
}

/** Returns the resource that a URL of the page names. */
export function findResource(group: string, version: string, name: string): Resource | undefined {
  return allVersions.value.find((one) => one.group === group && one.version === version && one.name === name);
}

/** Returns the resource of a kind, as owner references and involved objects name it. */
export function resourceOfKind(apiVersion: string, kind: string): Resource | undefined {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const named = allVersions.value.filter((one) => one.group === group && one.kind === kind);
  return named.find((one) => one.version === version) ?? named[0];
}

/**
 * Returns `/api/v1/namespaces/a/pods/b`; without a name the path of the collection, without a namespace that of all
 * namespaces.
 */
export function resourcePath(
  resource: Pick<Resource, 'group' | 'version' | 'namespaced' | 'name'>,
  namespace?: string,
  name?: string,
): string {
  const { group, version, namespaced } = resource;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope =
    namespaced && namespace !== undefined && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const end = name === undefined ? '' : `/${encodeURIComponent(name)}`;
  return `${root}${scope}/${resource.name}${end}`;
}

/** Returns the kind in the plural, as its name in paths has it: `NetworkPolicies`. */
export function pluralOf({ kind, name }: Pick<Resource, 'kind' | 'name'>): string {
  const lower = kind.toLowerCase();
  let shared = 0;
  while (shared < lower.length && lower[shared] === name[shared]) shared++;
  return shared === 0 ? kind : `${kind.slice(0, shared)}${name.slice(shared)}`;
}

export function apiVersionOf({ group, version }: Resource): string {
  return group === '' ? version : `${group}/${version}`;
}

function resourceOf(group: string, version: string, found: DiscoveredResource): Resource {
  return {
    ...{ group, version, name: found.resource, kind: found.responseKind?.kind ?? '' },
    singular: found.singularResource ?? '',
    shortNames: found.shortNames ?? [],
    categories: found.categories ?? [],
    namespaced: found.scope === 'Namespaced',
    verbs: found.verbs ?? [],
    subresources: (found.subresources ?? []).map(({ subresource }) => subresource),
  };
}

/** Versions are listed in the server's order of preference. */
function preferred(found: readonly Resource[]): Resource[] {
  const first = new Map<string, Resource>();
  for (const resource of found) {
    const key = `${resource.group}/${resource.name}`;
    if (!first.has(key)) first.set(key, resource);
  }
  return [...first.values()];
}
