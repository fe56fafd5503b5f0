// Kinds that are exempt from policies and webhooks, because a wrong one could not be repaired otherwise, and those that
// are exempt from policies only.

import type { ResourceName } from './object-lookup.ts';

const CONFIGURATIONS: ReadonlySet<string> = new Set(
  [
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
    'mutatingadmissionpolicies',
    'mutatingadmissionpolicybindings',
    'validatingwebhookconfigurations',
    'mutatingwebhookconfigurations',
  ].map((resource) => `${resource}.admissionregistration.k8s.io`),
);

/** Whether a resource configures admission itself. */
export function configuresAdmission({ group, resource }: ResourceName): boolean {
  return group === 'admissionregistration.k8s.io' && CONFIGURATIONS.has(`${resource}.${group}`);
}

/** Access reviews and tokens are not subject to policies. */
const REVIEWS: ReadonlySet<string> = new Set([
  'selfsubjectreviews.authentication.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
]);

/** Whether a resource is exempt from validating and mutating policies. */
export function isExemptFromPolicies(name: ResourceName): boolean {
  return configuresAdmission(name) || REVIEWS.has(`${name.resource}.${name.group}`);
}
