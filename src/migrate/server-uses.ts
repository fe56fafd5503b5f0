// Uses of old and removed API versions in a cluster: stored versions of definitions, managedFields and clients. Works
// with any Kubernetes server, read-only.

import { qualified } from '../api/group-version.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { apiLifecycle, deprecationWarning, isRemoved } from '../lifecycle/api-lifecycles.ts';

/** Reads a path of the server; the text of its response. Rejects with its error. */
export type Ask = (path: string, accept: string) => Promise<string>;

interface ServerUses {
  /** One line each. */
  readonly found: readonly string[];
  /** What could not be checked, and why. */
  readonly unknown: readonly string[];
}

const JSON_TYPE = 'application/json';
const METADATA = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const PAGE = 500;
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Resource {
  readonly path: string;
  /** Such as `cronjobs.batch`. */
  readonly name: string;
  readonly group: string;
  readonly kind: string;
}

interface Served {
  readonly resources: readonly Resource[];
  /** Names of resources that can only be listed in a version that will be removed. */
  readonly deprecated: readonly string[];
  /** `group/version Kind` of everything that is served. */
  readonly kinds: ReadonlySet<string>;
}

/** @param release the target release: `1.34` */
export async function findServerUses(ask: Ask, release: string): Promise<ServerUses> {
  const found: string[] = [];
  const unknown: string[] = [];
  const look = async (what: string, find: () => Promise<readonly string[]>) => {
    try {
      found.push(...(await find()));
    } catch (error) {
      unknown.push(`${what}: ${(error as Error).message}`);
    }
  };
  // Before anything is listed, so that this command is not reported as a client.
  await look('/metrics', () => oldRequests(ask));
  const served = await discover(ask, release);
  await look('customresourcedefinitions.apiextensions.k8s.io', () => staleStoredVersions(ask));
  for (const resource of served.resources) {
    await look(resource.name, () => oldManagers(ask, { resource, served, release }));
  }
  unknown.push(...served.deprecated.map((name) => `${name}: every version that is served is deprecated`));
  return { found, unknown };
}

async function readJson(ask: Ask, path: string, accept = JSON_TYPE): Promise<JsonObject> {
  return JSON.parse(await ask(path, accept)) as JsonObject;
}

/** Every listable resource once, in the preferred version that is not deprecated. */
async function discover(ask: Ask, release: string): Promise<Served> {
  const groups = (await readJson(ask, '/apis'))['groups'] as unknown as {
    name: string;
    preferredVersion: { groupVersion: string };
    versions: { groupVersion: string }[];
  }[];
  const places = [{ group: '', groupVersion: 'v1', path: '/api/v1' }];
  for (const { name, preferredVersion, versions } of groups) {
    const all = new Set([preferredVersion, ...versions].map((each) => each.groupVersion));
    for (const groupVersion of all) places.push({ group: name, groupVersion, path: `/apis/${groupVersion}` });
  }
  const resources = new Map<string, Resource>();
  const kinds = new Set<string>();
  const deprecated = new Set<string>();
  for (const { group, groupVersion, path } of places) {
    // An aggregated server may be unavailable; the others are checked all the same.
    const list = await readJson(ask, path).catch((): JsonObject => ({}));
    for (const each of (list['resources'] ?? []) as unknown as { name: string; kind: string; verbs: string[] }[]) {
      if (each.name.includes('/')) continue;
      kinds.add(`${groupVersion} ${each.kind}`);
      const name = qualified(each.name, group);
      if (!each.verbs.includes('list') || resources.has(name)) continue;
      if (deprecationWarning(groupVersion, each.kind, release) !== undefined) {
        // Resources with a single version cannot have been written in another.
        if (apiLifecycle(groupVersion, each.kind)?.removed !== undefined) deprecated.add(name);
        continue;
      }
      resources.set(name, { path: `${path}/${each.name}`, name, group, kind: each.kind });
    }
  }
  const names = [...deprecated].filter((name) => !resources.has(name));
  return { resources: [...resources.values()], kinds, deprecated: names };
}

async function* itemsOf(ask: Ask, path: string, accept = JSON_TYPE): AsyncIterable<ApiObject> {
  let token = '';
  do {
    const page = await readJson(ask, `${path}?limit=${PAGE}&continue=${encodeURIComponent(token)}`, accept);
    yield* (page['items'] ?? []) as ApiObject[];
    token = String((page['metadata'] as JsonObject | undefined)?.['continue'] ?? '');
  } while (token !== '');
}

/** Definitions whose objects may still be stored in an old version. */
async function staleStoredVersions(ask: Ask): Promise<string[]> {
  const lines: string[] = [];
  for await (const { metadata, spec, status } of itemsOf(ask, DEFINITIONS)) {
    const versions = (spec as { versions: { name: string; storage: boolean }[] }).versions;
    const storage = versions.find((each) => each.storage)?.name;
    const { storedVersions = [] } = status as { storedVersions?: string[] };
    const others = storedVersions.filter((name) => name !== storage);
    if (others.length === 0) continue;
    const advice = `write every object once, then take ${others.join(', ')} out of status.storedVersions`;
    lines.push(`stored: ${metadata.name}: objects may be stored in ${others.join(', ')}, not ${storage}: ${advice}`);
  }
  return lines;
}

interface Entry {
  readonly manager: string;
  readonly apiVersion: string;
}

interface Managed {
  readonly manager: string;
  readonly apiVersion: string;
  readonly first: string;
  count: number;
}

/** managedFields entries in versions that were removed or are not served here. */
async function oldManagers(
  ask: Ask,
  { resource, served, release }: { resource: Resource; served: Served; release: string },
): Promise<string[]> {
  const seen = new Map<string, Managed>();
  for await (const { metadata } of itemsOf(ask, resource.path, METADATA)) {
    const { name, namespace, managedFields = [] } = metadata;
    const place = namespace === undefined ? String(name) : `${namespace}/${name}`;
    const told = new Set<Managed>();
    for (const { apiVersion, manager } of managedFields as unknown as Entry[]) {
      const isServed = served.kinds.has(`${apiVersion} ${resource.kind}`);
      // Scales and other subresources have managedFields in versions of other groups.
      if (groupOf(apiVersion) !== resource.group) continue;
      if (isServed && !isRemoved(apiVersion, resource.kind, release)) continue;
      const key = `${apiVersion} ${manager}`;
      const use = seen.get(key) ?? { manager, apiVersion, first: place, count: 0 };
      seen.set(key, use);
      told.add(use);
    }
    for (const use of told) use.count++;
  }
  return [...seen.values()].map(({ manager, apiVersion, first, count }) => {
    const written = `written by ${manager} in ${apiVersion}${sinceWhen(apiVersion, resource.kind)}`;
    return `fields: ${resource.name}: ${written}: ${first}${count === 1 ? '' : ` and ${count - 1} more`}`;
  });
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

function sinceWhen(apiVersion: string, kind: string): string {
  const removed = apiLifecycle(apiVersion, kind)?.removed;
  return removed === undefined ? '' : ` (unavailable in v${removed}+)`;
}

/** Requests of clients since the server started, from its metrics. */
async function oldRequests(ask: Ask): Promise<string[]> {
  const lines: string[] = [];
  for (const line of (await ask('/metrics', 'text/plain')).split('\n')) {
    if (!line.startsWith('apiserver_requested_deprecated_apis{') || !line.endsWith(' 1')) continue;
    const labels = labelsOf(line);
    const { group = '', version = '', resource = '', subresource = '', removed_release: removed = '' } = labels;
    const until = removed === '' ? '' : ` (unavailable in v${removed}+)`;
    const name = subresource === '' ? resource : `${resource}/${subresource}`;
    lines.push(`clients: request ${group === '' ? version : `${group}/${version}`} ${name}${until}`);
  }
  return lines.sort();
}

/** The labels of a metric line, `name{a="b",c="d"} 1`, whose values contain no quotes. */
function labelsOf(line: string): Record<string, string> {
  const inside = line.slice(line.indexOf('{') + 1, line.lastIndexOf('}'));
  const pairs = inside.split('",').map((pair) => pair.split('="') as [name: string, value?: string]);
  return Object.fromEntries(pairs.map(([name, value = '']) => [name.trim(), value.replace('"', '')]));
}
