// Names of the resources that several admission plugins are about, and the comparison with them.

import type { ResourceName } from './object-lookup.ts';

export const PODS: ResourceName = { group: '', resource: 'pods' };
export const NODES: ResourceName = { group: '', resource: 'nodes' };
export const NAMESPACES: ResourceName = { group: '', resource: 'namespaces' };
export const ACCOUNTS: ResourceName = { group: '', resource: 'serviceaccounts' };
export const CLAIMS: ResourceName = { group: '', resource: 'persistentvolumeclaims' };
export const STORAGE_CLASSES: ResourceName = { group: 'storage.k8s.io', resource: 'storageclasses' };
export const POD_GROUPS: ResourceName = { group: 'scheduling.k8s.io', resource: 'podgroups' };

/** Whether a definition, or whatever else names a resource, is for one of these. */
export function isOf(known: ResourceName, { group, resource }: ResourceName): boolean {
  return resource === known.resource && group === known.group;
}
