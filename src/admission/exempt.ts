// The kinds that policies and webhooks are not asked about: nobody could repair a wrong one otherwise.

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
