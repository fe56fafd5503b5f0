// Requests of actions to the cluster.

import { ask, askJson } from '../cluster/cluster-api.ts';
import { type Resource, resourcePath } from '../cluster/discovery.ts';
import type { ApiObject } from '../object/live-object.ts';
import type { Change } from './changes.ts';

/** The name under which the console's actions appear among the managers of fields. */
const MANAGER = 'fieldManager=keelson-console';

/** Sends a change of an object, or of one of its subresources. @throws ClusterError */
export function change(path: string, { contentType, body }: Change): Promise<ApiObject> {
  return askJson<ApiObject>(`${path}?${MANAGER}`, { method: 'PATCH', contentType, body });
}

/** Creates an object. @throws ClusterError */
export function create(resource: Resource, namespace: string, body: object): Promise<ApiObject> {
  return askJson<ApiObject>(`${resourcePath(resource, namespace)}?${MANAGER}`, { method: 'POST', body });
}

/** Asks for the eviction of a pod; budgets may refuse it for now (429). @throws ClusterError */
export async function evict(namespace: string, name: string): Promise<void> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/eviction`;
  await ask(path, {
    method: 'POST',
    body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } },
  });
}
