// Owner references that a client sends twice are kept once, and the client is warned.

import { equalJson } from '../api/json-equal.ts';
import type { ApiObject, OwnerReference } from '../api/object.ts';
import type { ResourceRequest } from './resource-request.ts';

const ADVICE =
  'API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your ' +
  'requests; duplicate UID(s) observed: ';

/**
 * Drops references that equal another. Changes the object.
 *
 * @param admitted whether admission has seen the object: patches are looked at only then
 */
export function dropRepeatedOwners(request: ResourceRequest, { metadata }: ApiObject, admitted: boolean): void {
  const owners = metadata.ownerReferences;
  if (owners === undefined || owners.length < 2) return;
  const kept: OwnerReference[] = [];
  const repeated: string[] = [];
  for (const owner of owners) {
    if (kept.some((each) => equalJson(each, owner))) repeated.push(owner.uid);
    else kept.push(owner);
  }
  if (repeated.length === 0) return;
  metadata.ownerReferences = kept;
  const when = admitted ? ' after mutating admission happens' : '';
  request.warnings.push(`.metadata.ownerReferences contains duplicate entries${when}; ${ADVICE}${repeated.join(', ')}`);
}
