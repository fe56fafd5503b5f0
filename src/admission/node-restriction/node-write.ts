// A write by a node, as seen by the rules of NodeRestriction.

import type { AuthorizationAttributes, Authorizer, Decision } from '../../auth/authz/authorizer.ts';
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

/** A permission that is no request to this server. */
type Permission = Pick<AuthorizationAttributes, 'verb' | 'resource' | 'name'>;

/** Whether the node has a permission in the group and the namespace of its write. */
export async function permission({ admission, needs }: NodeWrite, asked: Permission): Promise<Decision> {
  const { definition, version, namespace, user } = admission.request;
  const { group } = definition;
  const place = { group, version: version.version, namespace, subresource: '' };
  return await needs.authorizer.authorize({ user, isResourceRequest: true, path: '', ...place, ...asked });
}

/** The name of the written object. */
export function nameOf({ request, object }: AdmissionRequest): string {
  return request.name || object?.metadata.name || '';
}
