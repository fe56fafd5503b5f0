// Content that other API servers hold of a namespace that is being deleted: it goes as our own does, and while one of them can't
// be asked nobody knows whether it holds something, so that the namespace waits.

import type { ApiServiceIndex, RemoteApiService } from '../aggregator/api-service-index.ts';
import type { AskApiService } from '../aggregator/ask.ts';
import { discoveryPath } from '../aggregator/probe.ts';
import type { RemoteDiscovery } from '../aggregator/remote-discovery.ts';
import { JsonError, parseJson } from '../api/json-reader.ts';
import type { User } from '../auth/user.ts';
import { listAt, textAt } from '../resources/value.ts';

export interface ForeignServers {
  readonly apiServices: ApiServiceIndex;
  readonly remoteDiscovery: RemoteDiscovery;
  readonly askApiService: AskApiService;
}

export interface ForeignReport {
  /** Objects that are left, by resource as messages name it: `things.x.io`. */
  readonly remaining: Map<string, number>;
  /** Why objects could not be deleted. */
  readonly failures: string[];
  /** Versions of groups whose servers could not be asked: `x.io/v1`. */
  readonly undiscovered: string[];
}

const ACCOUNT: User = {
  name: 'system:serviceaccount:kube-system:namespace-controller',
  uid: '',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
  extra: {},
};

/** Deletes what there is. Failures are part of the report, not thrown. */
export async function emptyForeign(servers: ForeignServers, namespace: string): Promise<ForeignReport> {
  const report: ForeignReport = { remaining: new Map(), failures: [], undiscovered: [] };
  const { apiServices, remoteDiscovery } = servers;
  const seen = new Set<string>();
  for (const apiService of apiServices.remotes()) {
    const known = remoteDiscovery.get(apiService.name);
    if (known === undefined || known.isStale) {
      report.undiscovered.push(`${apiService.group}/${apiService.version}`);
      continue;
    }
    for (const resource of known.resources ?? []) {
      const verbs = listAt(resource, 'verbs');
      if (textAt(resource, 'scope') !== 'Namespaced' || !verbs.includes('list') || !verbs.includes('delete')) continue;
      const name = `${textAt(resource, 'resource')}.${apiService.group}`;
      if (seen.has(name)) continue;
      seen.add(name);
      const path = `${discoveryPath(apiService)}/namespaces/${namespace}/${textAt(resource, 'resource')}`;
      const whole = verbs.includes('deletecollection');
      await emptyResource(servers, { apiService, path, name, whole }, report);
    }
  }
  return report;
}

interface ForeignResource {
  readonly apiService: RemoteApiService;
  readonly path: string;
  readonly name: string;
  /** Whether all objects can be deleted at once. */
  readonly whole: boolean;
}

async function emptyResource(
  { askApiService: ask }: ForeignServers,
  { apiService, path, name, whole }: ForeignResource,
  { remaining, failures }: ForeignReport,
): Promise<void> {
  const remove = async (target: string) => {
    const { status, url } = await ask(apiService, { method: 'DELETE', path: target, user: ACCOUNT });
    if (status > 299 && status !== 404) failures.push(`bad status from ${url}: ${status}`);
  };
  const list = async () => {
    const question = { path, user: ACCOUNT, accept: 'application/json' };
    const { status, url, body } = await ask(apiService, question);
    if (status !== 200) throw new Error(`bad status from ${url}: ${status}`);
    return listAt(parseJson(body), 'items').map((item) => textAt(item, 'metadata', 'name'));
  };
  try {
    const found = await list();
    if (found.length === 0) return;
    if (whole) await remove(path);
    else for (const each of found) await remove(`${path}/${each}`);
    const { length } = await list();
    if (length > 0) remaining.set(name, length);
  } catch (error) {
    failures.push(error instanceof JsonError ? `the answer is not JSON: ${error.message}` : (error as Error).message);
  }
}
