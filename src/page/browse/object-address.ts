// Addresses of objects within the page.

import type { Resource } from '../cluster/discovery.ts';
import { href } from '../shell/router.ts';

/** What stands for the namespace of an object that has none. */
export const NO_NAMESPACE = '-';

export function objectHref(resource: Resource, { namespace, name }: { namespace?: string; name: string }): string {
  const { group, version } = resource;
  return href('r', group === '' ? 'core' : group, version, resource.name, namespace || NO_NAMESPACE, name);
}
