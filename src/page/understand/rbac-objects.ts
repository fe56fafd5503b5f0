// All roles and bindings of the cluster, read when a question about them is asked.

import type { ApiObject } from '../../api/object.ts';
import { askJson } from '../cluster/cluster-api.ts';
import type { RbacObjects } from './who-may.ts';

const ROOT = '/apis/rbac.authorization.k8s.io/v1/';
const PAGE = '500';

/** @throws ClusterError if one of them may not be listed: an answer without it would be wrong */
export async function readRbac(signal: AbortSignal): Promise<RbacObjects> {
  const [roles, clusterRoles, roleBindings, clusterRoleBindings] = await Promise.all(
    ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'].map((name) => readAll(name, signal)),
  );
  return {
    ...{ roles: roles!, clusterRoles: clusterRoles! },
    ...{ roleBindings: roleBindings!, clusterRoleBindings: clusterRoleBindings! },
  };
}

async function readAll(name: string, signal: AbortSignal): Promise<readonly ApiObject[]> {
  const found: ApiObject[] = [];
  let next = '';
  do {
    const query = new URLSearchParams({ limit: PAGE, ...(next !== '' && { continue: next }) });
    const list = await askJson<{ metadata?: { continue?: string }; items?: readonly ApiObject[] }>(
      `${ROOT}${name}?${query}`,
      { signal },
    );
    found.push(...(list.items ?? []));
    next = list.metadata?.continue ?? '';
  } while (next !== '');
  return found;
}
