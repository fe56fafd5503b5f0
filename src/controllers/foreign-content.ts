// Content that other API servers hold of a namespace that is being deleted: it goes as our own does, and while one of them can't
// be asked nobody knows whether it holds something, so that the namespace waits.

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
  /** Objects that are left, by resource as messages name it: `things.x.io`. */
  readonly remaining: Map<string, number>;
  /** How many of those each finalizer holds. */
  readonly finalizers: Map<string, number>;
  /** Why objects could not be deleted. */
  readonly failures: string[];
  /** Versions of groups whose servers could not be asked: `x.io/v1`. */
  readonly undiscovered: string[];
}

/** Deletes what there is, on all servers at once. Failures are part of the report, not thrown. */
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
