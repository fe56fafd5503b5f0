// All published groups and versions: those of APIServices, of this server and of others, and custom resources that have
// none yet.

import { compareText } from '../base/compare-text.ts';
import { CUSTOM_PRIORITY } from '../resources/builtin/priorities.ts';
import type { Catalog } from '../resources/catalog.ts';
import {
  type ApiServiceEntry,
  type ApiServiceIndex,
  type PublishedGroup,
  publishedGroups,
} from './api-service-index.ts';

/** The group of APIServices, which has none itself and comes first. */
const FIRST = 'apiregistration.k8s.io';

/** All groups except the core group, in published order, including versions without an APIService. */
export function allGroups(catalog: Catalog, index: ApiServiceIndex): PublishedGroup[] {
  const entries = [...index.entries()].filter(
    (entry) => entry.group !== '' && !isFirst(entry, catalog) && isServed(entry, catalog),
  );
  const names = new Set(entries.map(({ name }) => name));
  for (const { group, versions } of catalog.published) {
    for (const { version } of versions) {
      if (group !== '' && !names.has(`${version}.${group}`)) entries.push(ownEntry(group, version));
    }
  }
  return publishedGroups(entries);
}

/**
 * Like `allGroups`, but built-in versions are only included if they have an APIService, and groups of the same priority
 * are in the order of the names of their APIServices.
 */
export function listedGroups(catalog: Catalog, index: ApiServiceIndex): PublishedGroup[] {
  const groups = allGroups(catalog, index).flatMap((each) => {
    if (each.group === FIRST) {
      return { ...each, versions: each.versions.filter(({ version }) => catalog.hasVersion(FIRST, version)) };
    }
    const isListed = ({ name, group }: ApiServiceEntry) => index.get(name) !== undefined || catalog.isCustom(group);
    const versions = each.versions.filter(isListed);
    return versions.length === 0 ? [] : { ...each, versions };
  });
  return groups.sort(
    (one, other) => other.priority - one.priority || compareText(leadingName(one), leadingName(other)),
  );
}

/** Of the APIServices with a group's priority, the one that comes first. */
function leadingName({ priority, versions }: PublishedGroup): string {
  const names = versions.filter(({ groupPriority }) => groupPriority === priority).map(({ name }) => name);
  return names.sort(compareText)[0] ?? '';
}

/** The version that serves APIServices has its place whatever an APIService says of it. */
function isFirst({ group, version }: ApiServiceEntry, catalog: Catalog): boolean {
  return group === FIRST && catalog.hasVersion(group, version);
}

/** Automatic APIServices are deleted with what they stand for, possibly a moment later. */
function isServed({ service, managed, group, version }: ApiServiceEntry, catalog: Catalog): boolean {
  return service !== undefined || !managed || catalog.publishesVersion(group, version);
}

function ownEntry(group: string, version: string): ApiServiceEntry {
  return {
    ...{ name: `${version}.${group}`, group, version, uid: '' },
    groupPriority: group === FIRST ? Number.MAX_SAFE_INTEGER : CUSTOM_PRIORITY.group,
    versionPriority: CUSTOM_PRIORITY.version,
    service: undefined,
    ca: undefined,
    insecure: false,
    available: true,
    probed: true,
    managed: true,
  };
}
