// A write by a node, as seen by the rules of NodeRestriction.

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
  /** The name of the writing node. */
  readonly node: string;
  readonly admission: AdmissionRequest;
  readonly needs: NodeRestrictionNeeds;
}

/** The name of the written object. */
export function nameOf({ request, object }: AdmissionRequest): string {
  return request.name || object?.metadata.name || '';
}
