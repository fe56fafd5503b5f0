// Removal of duplicate owner references, with a warning to the client.

import { equalJson } from '../api/json-equal.ts';
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
  const kept = new Map<string, OwnerReference[]>();
  const isRepeated = (owner: OwnerReference): boolean => {
    const others = kept.get(owner.uid);
    if (others === undefined) kept.set(owner.uid, [owner]);
    else if (others.some((other) => equalJson(owner, other))) return true;
    else others.push(owner);
    return false;
  };
  const repeated = owners.filter(isRepeated);
  if (repeated.length === 0) return;
  const gone = new Set(repeated);
  metadata.ownerReferences = owners.filter((owner) => !gone.has(owner));
  const when = admitted ? ' after mutating admission happens' : '';
  request.warnings.push(
    `.metadata.ownerReferences contains duplicate entries${when}; ${ADVICE}${repeated.map(({ uid }) => uid).join(', ')}`,
  );
}
