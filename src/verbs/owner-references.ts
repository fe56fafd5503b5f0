// Removal of duplicate owner references, with a warning to the client.

import type { ApiObject, OwnerReference } from '../api/object.ts';
import type { ResourceRequest } from './resource-request.ts';

const ADVICE =
  'API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your ' +
  'requests; duplicate UID(s) observed: ';

/** Removes references in a body that equal another. Modifies the object. */
export function dropRepeatedOwners(request: ResourceRequest, object: ApiObject): void {
  dropRepeated(request, object, '');
}

/** The same after mutating admission; patches are only checked then. */
export function dropOwnersRepeatedByAdmission(request: ResourceRequest, object: ApiObject): void {
  dropRepeated(request, object, ' after mutating admission happens');
}

function dropRepeated(request: ResourceRequest, { metadata }: ApiObject, when: string): void {
  const owners = metadata.ownerReferences;
  if (owners === undefined || owners.length < 2) return;
  // Nearly all differ in their UIDs, which are faster to compare.
  const first = new Map<string, OwnerReference>();
  const forms = new Set<string>();
  const repeated = owners.filter((owner) => {
    const other = first.get(owner.uid);
    if (other === undefined) {
      first.set(owner.uid, owner);
      return false;
    }
    forms.add(formOf(other));
    return forms.size === forms.add(formOf(owner)).size;
  });
  if (repeated.length === 0) return;
  const gone = new Set(repeated);
  metadata.ownerReferences = owners.filter((owner) => !gone.has(owner));
  request.warnings.push(
    `.metadata.ownerReferences contains duplicate entries${when}; ${ADVICE}${repeated.map(({ uid }) => uid).join(', ')}`,
  );
}

/** A key that equal references share. */
function formOf({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string {
  return JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
}
