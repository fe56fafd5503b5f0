// Data for the lifecycles view: the server's release, metrics, storage versions, and the managers that wrote objects in
// older versions.

import { ask, askJson } from '../cluster/cluster-api.ts';
import { apiVersionOf, type Resource, resourcePath } from '../cluster/discovery.ts';
import {
  type DeprecatedUse,
  deprecatedUses,
  isLifecycleMetric,
  type OldWriter,
  oldWriters,
  type WrittenMeta,
} from './lifecycles.ts';
import { parseMetrics } from './metrics-text.ts';

const AT_ONCE = 6;
const METADATA = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

/** The release of the server: `1.34`. */
export async function readRelease(): Promise<string> {
  const { major = '1', minor = '0' } = await askJson<{ major?: string; minor?: string }>('/version');
  return `${major}.${Number.parseInt(minor, 10)}`;
}

/** @throws ClusterError if the user may not read the metrics */
export async function readDeprecatedUses(): Promise<DeprecatedUse[]> {
  const text = await (await ask('/metrics', { accept: 'text/plain' })).text();
  return deprecatedUses(parseMetrics(text, isLifecycleMetric));
}

/** Returns the hashes of the storage versions by `group/version/name`; '' if the server publishes none. */
export async function readStorageHashes(all: readonly Resource[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  await atOnce([...new Set(all.map(apiVersionOf))], async (groupVersion) => {
    const path = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
    const list = await askJson<{ resources?: readonly { name: string; storageVersionHash?: string }[] }>(path);
    for (const { name, storageVersionHash = '' } of list.resources ?? []) {
      found.set(`${groupVersion}/${name}`, storageVersionHash);
    }
  });
  return found;
}

/** Returns Kubernetes' hash of a storage version: the start of its SHA-256, in base64. */
export async function storageHash({ group, version, kind }: Resource): Promise<string> {
  const bytes = new TextEncoder().encode(`${group}/${version}/${kind}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return btoa(String.fromCharCode(...digest.slice(0, 8)));
}

export interface SearchProgress {
  readonly writers: readonly OldWriter[];
  readonly kindsLeft: number;
  readonly objects: number;
  /** Kinds that the user may not list. */
  readonly refused: readonly string[];
}

/**
 * Searches the managedFields of all objects for older versions, and reports progress.
 * @param preferred each resource in its preferred version
 */
export async function searchOldWriters(
  { preferred, all }: { readonly preferred: readonly Resource[]; readonly all: readonly Resource[] },
  tell: (progress: SearchProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  let progress: SearchProgress = { writers: [], kindsLeft: preferred.length, objects: 0, refused: [] };
  tell(progress);
  await atOnce(preferred, async (resource) => {
    const isSame = (one: Resource): boolean => one.name === resource.name && one.kind === resource.kind;
    const served = new Set(all.filter(isSame).map(apiVersionOf));
    const current = new Set(preferred.filter(isSame).map(apiVersionOf));
    const metas: WrittenMeta[] = [];
    let refused = progress.refused;
    try {
      for await (const some of metadataOf(resource, signal)) metas.push(...some);
    } catch (error) {
      signal.throwIfAborted();
      refused = [...progress.refused, `${resource.name}: ${(error as Error).message}`];
    }
    progress = {
      writers: [...progress.writers, ...oldWriters(resource, { served, current }, metas)],
      kindsLeft: progress.kindsLeft - 1,
      objects: progress.objects + metas.length,
      refused,
    };
    tell(progress);
  });
}

async function* metadataOf(resource: Resource, signal: AbortSignal): AsyncGenerator<readonly WrittenMeta[]> {
  let next = '';
  do {
    const query = new URLSearchParams({ limit: '500', ...(next !== '' && { continue: next }) });
    const list = await askJson<{ metadata?: { continue?: string }; items?: readonly { metadata: WrittenMeta }[] }>(
      `${resourcePath(resource)}?${query}`,
      { accept: METADATA, signal },
    );
    yield (list.items ?? []).map(({ metadata: { name, namespace, managedFields } }) => ({
      ...{ name, managedFields: managedFields?.map(({ manager, apiVersion }) => ({ manager, apiVersion })) },
      ...(namespace !== undefined && { namespace }),
    }));
    next = list.metadata?.continue ?? '';
  } while (next !== '');
}

async function atOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const worker = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
