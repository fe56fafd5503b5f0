// A write of a node, as the rules of NodeRestriction look at it.

import type { Authorizer } from '../../auth/authz/authorizer.ts';
import type { FeatureGateName } from '../../lifecycle/feature-gate-table.ts';
import type { AdmissionRequest } from '../chain.ts';
import type { ObjectLookup } from '../object-lookup.ts';

export interface NodeRestrictionNeeds {
  readonly objects: ObjectLookup;
  readonly authorizer: Authorizer;
  readonly gateEnabled: (gate: FeatureGateName) => boolean;
}

export interface NodeWrite {
  /** The name of the node that writes. */
  readonly node: string;
  readonly admission: AdmissionRequest;
  readonly needs: NodeRestrictionNeeds;
}

/** The name of the object that is written. */
export function nameOf({ request, object }: AdmissionRequest): string {
  return request.name || object?.metadata.name || '';
}
