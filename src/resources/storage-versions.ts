// Storage versions of built-in resources: the encoding version, the decodable versions and the served versions.

import { apiVersionOf } from '../api/group-version.ts';
import { compareText } from '../base/compare-text.ts';
import { builtinResourcesIn } from './builtin/resources.ts';
import type { Catalog } from './catalog.ts';
import { versionsOf } from './decodable-versions.ts';
import type { ResourceDefinition } from './definition.ts';
import { hashedIn } from './storage-version-hash.ts';

export interface ResourceName {
  readonly group: string;
  readonly resource: string;
}

/** The storage of one resource, which another group may share. */
export interface PublishedStorage {
  /** The name of its StorageVersion: `apps.deployments`. */
  readonly name: string;
  /** The resource and those with the same objects. */
  readonly resources: readonly ResourceName[];
  readonly encodingVersion: string;
  readonly decodableVersions: readonly string[];
  readonly servedVersions: readonly string[];
}

interface StorageFacts {
  readonly catalog: Catalog;
  /** The oldest minor version of Kubernetes 1 that must be able to read stored objects. */
  readonly minCompatibilityMinor: number;
}

/** Storage versions of the served and stored built-in resources, sorted by group and name. */
export function publishedStorages(facts: StorageFacts): PublishedStorage[] {
  const { catalog } = facts;
  const stored = builtinResourcesIn(catalog.minor)
    .filter(({ group, resource, hashedStorage }) => hashedStorage !== '' && catalog.find(group, resource))
    .sort((one, other) => compareText(one.group, other.group) || compareText(one.resource, other.resource));
  const byPlace = Map.groupBy(stored, ({ storagePrefix }) => storagePrefix);
  return [...byPlace.values()].flatMap((sharing) => published(sharing, facts) ?? []);
}

/** @param sharing definitions of the same objects; the name of the first one is published */
function published(sharing: readonly ResourceDefinition[], facts: StorageFacts): PublishedStorage | undefined {
  const [first] = sharing;
  if (first === undefined) return undefined;
  const { group, resource } = first;
  const encodingVersion = encodingVersionOf(first, facts);
  if (encodingVersion === undefined) throw new Error(`${resource}.${group} is stored in no version that can be read`);
  const versions = facts.catalog.groups.find((each) => each.group === group)?.versions ?? [];
  const served = versions.filter(({ entries }) => entries.some(({ definition }) => definition.resource === resource));
  return {
    name: `${group || 'core'}.${resource}`,
    resources: sharing.map((each) => ({ group: each.group, resource: each.resource })),
    encodingVersion,
    decodableVersions: sharing.flatMap(decodableVersions),
    servedVersions: served.map(({ version }) => apiVersionOf({ group, version })),
  };
}

/** The version whose hash is in discovery. */
function encodingVersionOf(definition: ResourceDefinition, facts: StorageFacts): string | undefined {
  const { group, kind } = definition.storage;
  const wanted = hashedIn(definition, facts.minCompatibilityMinor);
  const version = versionsOf(definition).find((each) => `${group}/${each}/${kind}` === wanted);
  return version && apiVersionOf({ group, version });
}

function decodableVersions(definition: ResourceDefinition): string[] {
  return versionsOf(definition).map((version) => apiVersionOf({ group: definition.group, version }));
}
