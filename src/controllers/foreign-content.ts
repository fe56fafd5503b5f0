// Content of terminating namespaces on aggregated API servers: it is deleted like local content. While a server is
// unavailable, its content is unknown and the namespace waits.

import type { AskApiService, WatchApiService } from '../aggregator/ask.ts';
import { RemoteError, type RemoteObjects } from '../aggregator/remote-objects.ts';
import {
  qualifiedName,
  type RemoteResource,
  type RemoteServers,
  remoteResources,
} from '../aggregator/remote-resources.ts';
import type { ApiObject } from '../api/object.ts';

export interface ForeignServers extends RemoteServers {
  readonly askApiService: AskApiService;
  readonly watchApiService: WatchApiService;
}

interface ForeignReport {
  /** Remaining objects, by resource as in messages: `things.x.io`. */
  readonly remaining: Map<string, number>;
  /** Number of remaining objects for each finalizer. */
  readonly finalizers: Map<string, number>;
  /** Why objects could not be deleted. */
  readonly failures: string[];
  /** Group versions of unavailable servers: `x.io/v1`. */
  readonly undiscovered: string[];
}

/** Deletes the content on all servers concurrently. Failures are reported, not thrown. */
export async function emptyForeign(
  servers: RemoteServers,
  objects: RemoteObjects,
  namespace: string,
): Promise<ForeignReport> {
  const { apiServices, remoteDiscovery } = servers;
  const isSilent = ({ name }: { name: string }) => remoteDiscovery.get(name)?.isStale !== false;
  const undiscovered = apiServices
    .remotes()
    .filter(isSilent)
    .map(({ group, version }) => `${group}/${version}`);
  const report: ForeignReport = { remaining: new Map(), finalizers: new Map(), failures: [], undiscovered };
  const byServer = Map.groupBy(remoteResources(servers).filter(isDeletable), ({ apiService }) => apiService.name);
  const emptied = [...byServer.values()].map(async (resources) => {
    for (const resource of resources) await emptyResource({ objects, resource, namespace }, report);
  });
  await Promise.all(emptied);
  return report;
}

function isDeletable({ namespaced, verbs }: RemoteResource): boolean {
  return namespaced && verbs.includes('list') && verbs.includes('delete');
}

interface ForeignContent {
  readonly objects: RemoteObjects;
  readonly resource: RemoteResource;
  readonly namespace: string;
}

async function emptyResource(content: ForeignContent, report: ForeignReport): Promise<void> {
  const { objects, resource, namespace } = content;
  const place = { definition: resource, namespace, name: '' };
  try {
    const names: string[] = [];
    for await (const { metadata } of listed(content)) names.push(metadata.name ?? '');
    if (names.length === 0) return;
    const propagationPolicy = 'Background';
    if (resource.verbs.includes('deletecollection')) await objects.delete(place, { propagationPolicy });
    else for (const name of names) await objects.delete({ ...place, name }, { propagationPolicy });
    let count = 0;
    for await (const { metadata } of listed(content)) {
      count++;
      for (const each of metadata.finalizers ?? []) report.finalizers.set(each, (report.finalizers.get(each) ?? 0) + 1);
    }
    if (count > 0) report.remaining.set(qualifiedName(resource), count);
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    report.failures.push(error.message);
  }
}

async function* listed({ objects, resource, namespace }: ForeignContent): AsyncGenerator<ApiObject> {
  for await (const page of objects.list({ definition: resource, namespace, name: '' })) yield* page.objects;
}
