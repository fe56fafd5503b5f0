// Removal of duplicate owner references, with a warning to the client.

import type { ApiObject, OwnerReference } from '../api/object.ts';
import type { ResourceRequest } from './resource-request.ts';

const ADVICE =
  'API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your ' +
  'requests; duplicate UID(s) observed: ';

/**
 * Removes references that equal another. Modifies the object.
 *
 * @param admitted whether admission has seen the object: patches are only checked then
 */
export function dropRepeatedOwners(request: ResourceRequest, { metadata }: ApiObject, admitted: boolean): void {
  const owners = metadata.ownerReferences;
  if (owners === undefined || owners.length < 2) return;
  const seen = new Set<string>();
  const kept: OwnerReference[] = [];
  const repeated: string[] = [];
  for (const owner of owners) {
    const form = formOf(owner);
    if (seen.has(form)) repeated.push(owner.uid);
    else kept.push(owner);
    seen.add(form);
  }
  if (repeated.length === 0) return;
  metadata.ownerReferences = kept;
  const when = admitted ? ' after mutating admission happens' : '';
  request.warnings.push(`.metadata.ownerReferences contains duplicate entries${when}; ${ADVICE}${repeated.join(', ')}`);
}

/** A key that equal references share: they have few fields, all of them strings or booleans. */
function formOf(owner: OwnerReference): string {
  const members = Object.entries(owner).filter(([, value]) => value !== undefined);
  return JSON.stringify(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}
