// URLs of objects within the page.

import type { Resource } from '../cluster/discovery.ts';
import { href } from '../shell/router.ts';

/** Takes the place of the namespace for cluster-scoped objects. */
export const NO_NAMESPACE = '-';

export function objectHref(resource: Resource, { namespace, name }: { namespace?: string; name: string }): string {
  const { group, version } = resource;
  return href('r', group === '' ? 'core' : group, version, resource.name, namespace || NO_NAMESPACE, name);
}
