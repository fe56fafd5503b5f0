// OpenAPI documents of the server: one per group version, one per group, and a few for the server itself. Each is
// described on first request; v2 combines all of them.

import { apiVersionOf } from '../../api/group-version.ts';
import type { Catalog, CatalogEntry, CatalogVersion } from '../catalog.ts';
import type { PathDescription } from './description.ts';
import { resourcePaths } from './resource-paths.ts';
import {
  corePaths,
  groupPaths,
  groupsPaths,
  logPaths,
  openIdDocuments,
  serverVersionPaths,
  versionPaths,
} from './server-paths.ts';

export interface OpenApiDocument {
  /** Its path below /openapi/v3/: `apis/apps/v1`. */
  readonly key: string;
  /** The resources that it describes. */
  readonly entries: readonly CatalogEntry[];
  /** Whether it describes custom resources only. */
  readonly custom: boolean;
  /** Its paths, one by one, because describing all of them may take long. */
  describe(): Iterable<PathDescription>;
}

/**
 * The documents for a state of the catalog, sorted by key. Does not describe any of them yet.
 * @param cbor whether the server supports CBOR
 */
export function openapiDocuments(catalog: Catalog, cbor = false): OpenApiDocument[] {
  const documents = [
    ownDocument('api', corePaths),
    ownDocument('apis', groupsPaths),
    ownDocument('version', serverVersionPaths),
    ...Object.entries(openIdDocuments).map(([key, describe]) => ownDocument(key, describe)),
  ];
  const logs = logPaths(catalog.minor);
  if (logs !== undefined) documents.push(ownDocument('logs', logs));
  for (const { group, versions } of catalog.published) {
    const builtin = versions.some(({ entries }) => !isCustom(entries));
    if (group !== '' && builtin) documents.push(ownDocument(`apis/${group}`, () => groupPaths(group)));
    for (const version of versions) documents.push(versionDocument(group, version, cbor));
  }
  return documents.sort((one, other) => (one.key < other.key ? -1 : 1));
}

function ownDocument(key: string, describe: () => PathDescription[]): OpenApiDocument {
  return { key, entries: [], custom: false, describe };
}

/** The document of a group version. @param cbor whether the server supports CBOR */
export function versionDocument(group: string, { version, entries }: CatalogVersion, cbor: boolean): OpenApiDocument {
  const custom = isCustom(entries);
  return {
    key: `${group === '' ? 'api' : 'apis'}/${apiVersionOf({ group, version })}`,
    entries,
    custom,
    *describe() {
      if (!custom) yield* versionPaths({ group, version }, cbor);
      for (const entry of entries) yield* resourcePaths(entry, cbor);
    },
  };
}

function isCustom(entries: readonly CatalogEntry[]): boolean {
  return entries.every(({ definition }) => definition.custom);
}

/** The description of a resource depends only on these facts and on the program. */
export function publishedFacts({ definition, version }: CatalogEntry): unknown {
  const { group, resource, kind, listKind, namespaced, verbs, subresources, custom, strategy } = definition;
  const names = [group, version.version, resource, kind, listKind];
  return [names, namespaced, verbs, subresources, custom, strategy.selection?.names, version.openapiTag];
}
