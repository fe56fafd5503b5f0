// Resources that are exempt from admission webhooks and from admission policies, because a wrong webhook or policy could
// not be repaired otherwise. Those that manifests declare can be: they apply to admission configuration too.

import { isReview } from '../resources/builtin/admissionregistration/reviews.ts';
import type { ResourceName } from './object-lookup.ts';

/** Resources by API group. */
type Resources = ReadonlyMap<string, readonly string[]>;

/** From which webhooks or policies a resource is exempt: all, or those of the API; undefined for none. */
type Exemption = 'all' | 'of the API' | undefined;

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
 * Which mutating and validating webhooks are not called for a resource: those of the API for policies, bindings and
 * webhooks.
 * @param exemptsReviews whether reviews of tokens and access are exempt from all: the gate
 *   ExcludeAdmissionWebhookVirtualResources
 */
export function exemptionFromWebhooks({ group, resource }: ResourceName, exemptsReviews: boolean): Exemption {
  if (exemptsReviews && isReview({ group, resource })) return 'all';
  return EXEMPT_FROM_WEBHOOKS.get(group)?.includes(resource) ? 'of the API' : undefined;
}

/**
 * Which mutating and validating policies do not apply to a resource: those of the API to policies and bindings, none to
 * reviews of tokens and access. They do apply to webhook configurations.
 */
export function exemptionFromPolicies({ group, resource }: ResourceName): Exemption {
  if (isReview({ group, resource })) return 'all';
  return EXEMPT_FROM_POLICIES.get(group)?.includes(resource) ? 'of the API' : undefined;
}
