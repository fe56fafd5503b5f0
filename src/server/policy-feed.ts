// The index of admission policies and their bindings, in step with what is stored, so that a policy counts from the
// moment its writer is answered.

import { PolicyIndex } from '../admission/policies/policy-index.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { Registry } from '../verbs/registry.ts';
import { followObjects } from './follow-objects.ts';

const GROUP = 'admissionregistration.k8s.io';

/** The index, filled. It follows until the caches close. */
export async function followPolicies(catalog: Catalog, registry: Registry): Promise<PolicyIndex> {
  const index = new PolicyIndex();
  await Promise.all([
    followObjects(catalog, registry, {
      group: GROUP,
      resource: 'validatingadmissionpolicies',
      set: (policy) => index.setPolicy(policy),
      delete: (_, name) => index.deletePolicy(name),
    }),
    followObjects(catalog, registry, {
      group: GROUP,
      resource: 'validatingadmissionpolicybindings',
      set: (binding) => index.setBinding(binding),
      delete: (_, name) => index.deleteBinding(name),
    }),
  ]);
  return index;
}
