// The kinds that policies and webhooks are not asked about: nobody could repair a wrong one otherwise. And those that
// policies alone are not asked about.

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

/** Whether a resource itself says what admission does. */
export function configuresAdmission({ group, resource }: ResourceName): boolean {
  return group === 'admissionregistration.k8s.io' && CONFIGURATIONS.has(`${resource}.${group}`);
}

/** What is asked of access and of tokens goes on whatever policies say. */
const REVIEWS: ReadonlySet<string> = new Set([
  'selfsubjectreviews.authentication.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
]);

/** Whether no policy, validating or mutating, is asked about a resource. */
export function isExemptFromPolicies(name: ResourceName): boolean {
  return configuresAdmission(name) || REVIEWS.has(`${name.resource}.${name.group}`);
}
