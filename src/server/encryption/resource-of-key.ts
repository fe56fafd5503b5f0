// The resource of a stored key, in the form used by encryption rules.

import { qualified } from '../../api/group-version.ts';
import type { ResourceDefinition } from '../../resources/definition.ts';

const ROOT = '/registry/';
/** Groups whose objects are stored with those of another group, which rules name. */
const SECOND_GROUPS: readonly string[] = ['events.k8s.io', 'extensions'];

/**
 * Maps keys to `secrets`, `deployments.apps` and so on; undefined for keys that are not API objects, such as port
 * allocations and leases of servers.
 */
export function resourceOfKey(definitions: Iterable<ResourceDefinition>): (key: string) => string | undefined {
  const byFolder = new Map<string, string>();
  for (const { group, resource, storagePrefix } of definitions) {
    if (SECOND_GROUPS.includes(group)) continue;
    byFolder.set(storagePrefix.slice(ROOT.length), qualified(resource, group));
  }
  return (key) => {
    if (!key.startsWith(ROOT)) return undefined;
    const first = key.indexOf('/', ROOT.length);
    const second = key.indexOf('/', first + 1);
    if (first < 0 || second < 0) return first < 0 ? undefined : byFolder.get(key.slice(ROOT.length, first));
    const folder = key.slice(ROOT.length, first);
    const known = byFolder.get(folder) ?? byFolder.get(key.slice(ROOT.length, second));
    if (known !== undefined) return known;
    // Custom resources: their group, which contains a dot, and their plural name.
    return folder.includes('.') ? `${key.slice(first + 1, second)}.${folder}` : undefined;
  };
}
