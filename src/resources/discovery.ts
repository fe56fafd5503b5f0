// Discovery documents, built from the catalog: the legacy documents (groups, one group, one version) and the aggregated
// one.

import { apiVersionOf, type GroupVersion } from '../api/group-version.ts';
import type { JsonObject } from '../api/object.ts';
import { isSince } from '../lifecycle/version.ts';
import type { Catalog, CatalogEntry, CatalogGroup, CatalogVersion } from './catalog.ts';
import type { Subresource } from './definition.ts';

/** The hash of a storage version, `group/version/Kind`: base64 of the first 8 bytes of its SHA-256. */
export type StorageHash = (text: string) => string;

/**
 * `GET /api`: the versions of the core group. `serverAddress` is the address of the server for clients of any address.
 */
export function apiVersions(catalog: Catalog, serverAddress: string): JsonObject {
  const core = catalog.groups.find(({ group }) => group === '');
  return {
    kind: 'APIVersions',
    versions: core?.versions.map(({ version }) => version) ?? [],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** A group and its versions, the preferred one first. */
interface ListedGroup {
  readonly group: string;
  readonly versions: readonly { readonly version: string }[];
}

/** `GET /apis`: all groups except the core group, in order. */
export function apiGroupList(groups: readonly ListedGroup[]): JsonObject {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupFacts) };
}

/** `GET /apis/<group>`; undefined for a group that is not listed. */
export function apiGroup(groups: readonly ListedGroup[], group: string): JsonObject | undefined {
  const found = groups.find((each) => each.group === group);
  return found && { kind: 'APIGroup', apiVersion: 'v1', ...groupFacts(found) };
}

/** `GET /api/v1` or `/apis/<group>/<version>`; undefined for a version that is not served. */
export function apiResourceList(
  catalog: Catalog,
  { group, version }: GroupVersion,
  hash: StorageHash,
): JsonObject | undefined {
  const found = catalog.groups.find((each) => each.group === group)?.versions.find((each) => each.version === version);
  if (found === undefined) return undefined;
  return {
    kind: 'APIResourceList',
    // The core group's document predates the apiVersion of documents.
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group, version }),
    resources: found.entries.flatMap((entry) => listedResources(entry, hash)),
  };
}

/** The aggregated form of `GET /api`. */
export function aggregatedCore(catalog: Catalog): JsonObject {
  return aggregated(
    catalog,
    catalog.groups.filter(({ group }) => group === ''),
  );
}

/** The aggregated form of `GET /apis`. @param foreign returns the form of a version served by another server */
export function aggregatedGroups(
  catalog: Catalog,
  groups: readonly ListedGroup[],
  foreign: (group: string, version: string) => JsonObject | undefined,
): JsonObject {
  const items = groups.map(({ group, versions }) => {
    const own = catalog.published.find((each) => each.group === group)?.versions ?? [];
    const described = versions.flatMap(({ version }): JsonObject[] => {
      const other = foreign(group, version);
      if (other !== undefined) return [other];
      const found = own.find((each) => each.version === version);
      return found === undefined ? [] : [aggregatedVersion(group, found)];
    });
    return { metadata: { name: group, ...unset(catalog) }, versions: described };
  });
  return aggregatedList(items.filter(({ versions }) => versions.length > 0));
}

function groupFacts({ group, versions }: ListedGroup): JsonObject {
  const named = versions.map(({ version }) => ({ groupVersion: apiVersionOf({ group, version }), version }));
  return { name: group, versions: named, preferredVersion: named[0] };
}

function listedResources({ definition }: CatalogEntry, hash: StorageHash): JsonObject[] {
  const { resource, singular, namespaced, kind, verbs, shortNames, categories } = definition;
  const listed: JsonObject = { name: resource, singularName: singular, namespaced, kind, verbs: [...verbs] };
  if (shortNames.length > 0) listed['shortNames'] = [...shortNames];
  if (categories.length > 0) listed['categories'] = [...categories];
  if (definition.hashedStorage !== '' && definition.hidesHash !== true) {
    listed['storageVersionHash'] = hash(definition.hashedStorage);
  }
  const subresources = Object.entries(definition.subresources).map(([name, subresource]) => ({
    name: `${resource}/${name}`,
    singularName: '',
    namespaced,
    ...foreignVersion(subresource),
    kind: subresource.kind,
    verbs: [...subresource.verbs],
  }));
  return [listed, ...subresources];
}

/** The group and version of a subresource's kind, if they differ from the resource's. */
function foreignVersion({ group, version }: Subresource): JsonObject {
  return version === '' ? {} : { group, version };
}

/** The first minor release of Kubernetes 1 that leaves out the time of what was never created. */
const LEAVES_OUT_TIMES = 34;

function unset(catalog: Pick<Catalog, 'minor'>): JsonObject {
  return isSince(catalog, LEAVES_OUT_TIMES) ? {} : { creationTimestamp: null };
}

function aggregated(catalog: Catalog, groups: readonly CatalogGroup[]): JsonObject {
  return aggregatedList(
    groups.map(({ group, versions }) => ({
      metadata: unset(catalog),
      versions: versions.map((version) => aggregatedVersion(group, version)),
    })),
  );
}

function aggregatedList(items: JsonObject[]): JsonObject {
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
}

function aggregatedVersion(group: string, { version, entries }: CatalogVersion): JsonObject {
  return {
    version,
    resources: entries.map((entry) => aggregatedResource(entry, { group, version })),
    freshness: 'Current',
  };
}

function aggregatedResource({ definition }: CatalogEntry, place: { group: string; version: string }): JsonObject {
  // Built-in kinds omit their own group and version, custom resources include them.
  const own = definition.custom ? place : { group: '', version: '' };
  const responseKind = ({ group, version, kind }: Subresource) =>
    version === '' ? { ...own, kind } : { group, version, kind };
  const out: JsonObject = {
    resource: definition.resource,
    responseKind: { ...own, kind: definition.kind },
    scope: definition.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: definition.singular,
    verbs: [...definition.verbs],
  };
  if (definition.shortNames.length > 0) out['shortNames'] = [...definition.shortNames];
  if (definition.categories.length > 0) out['categories'] = [...definition.categories];
  const subresources = Object.entries(definition.subresources);
  if (subresources.length > 0) {
    out['subresources'] = subresources.map(([name, subresource]) => ({
      subresource: name,
      responseKind: responseKind(subresource),
      verbs: [...subresource.verbs],
    }));
  }
  return out;
}
