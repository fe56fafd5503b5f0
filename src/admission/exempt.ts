// Resources that are exempt from admission webhooks and from admission policies, because a wrong webhook or policy could
// not be repaired otherwise.

import { isReview } from '../resources/builtin/admissionregistration/reviews.ts';
import type { ResourceName } from './object-lookup.ts';

/** Resources by API group. */
type Resources = ReadonlyMap<string, readonly string[]>;

const POLICIES = [
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
];

const EXEMPT_FROM_WEBHOOKS: Resources = new Map([
  ['admissionregistration.k8s.io', [...POLICIES, 'validatingwebhookconfigurations', 'mutatingwebhookconfigurations']],
]);

const EXEMPT_FROM_POLICIES: Resources = new Map([['admissionregistration.k8s.io', POLICIES]]);

/**
 * Whether mutating and validating webhooks are not called for a resource: policies, bindings and webhooks.
 * @param exemptsReviews whether reviews of tokens and access are exempt too: the gate
 *   ExcludeAdmissionWebhookVirtualResources
 */
export function isExemptFromWebhooks({ group, resource }: ResourceName, exemptsReviews: boolean): boolean {
  if (exemptsReviews && isReview({ group, resource })) return true;
  return EXEMPT_FROM_WEBHOOKS.get(group)?.includes(resource) ?? false;
}

/**
 * Whether mutating and validating policies do not apply to a resource: policies, bindings and reviews of tokens and
 * access. They do apply to webhook configurations.
 */
export function isExemptFromPolicies({ group, resource }: ResourceName): boolean {
  return isReview({ group, resource }) || (EXEMPT_FROM_POLICIES.get(group)?.includes(resource) ?? false);
}
