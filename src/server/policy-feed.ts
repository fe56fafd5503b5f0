// The index of admission policies and their bindings, in sync with stored objects, so that a policy takes effect before
// its write is acknowledged.

import { MutatingPolicy } from '../admission/policies/mutating-policy.ts';
import { type AdmissionPolicy, Policy } from '../admission/policies/policy.ts';
import { PolicyIndex } from '../admission/policies/policy-index.ts';
import { lenientExpressions, storedExpressions } from '../expressions/environments.ts';
import type { FeatureGates } from '../lifecycle/feature-gates.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { Registry } from '../verbs/registry.ts';
import { followObjects } from './follow-objects.ts';
import type { AdmissionManifests } from './manifests/admission-manifests.ts';

const GROUP = 'admissionregistration.k8s.io';

export interface AdmissionPolicies {
  readonly policies: PolicyIndex<Policy>;
  /** Empty while the gate is disabled. */
  readonly mutatingPolicies: PolicyIndex<MutatingPolicy>;
}

interface Sources {
  readonly catalog: Catalog;
  readonly registry: Registry;
  readonly gates: FeatureGates;
  readonly manifests: AdmissionManifests;
}

/** The indexes, complete; they are kept in sync until the caches close. */
export async function followPolicies({ gates, manifests, ...sources }: Sources): Promise<AdmissionPolicies> {
  const { minor } = sources.catalog;
  const environments = (gates.enabled('StrictCostEnforcementForVAP') ? storedExpressions : lenientExpressions)(minor);
  const policies = new PolicyIndex((object) => new Policy(object, environments), manifests.ValidatingAdmissionPolicy);
  const mutatingPolicies = new PolicyIndex(
    (object) => new MutatingPolicy(object, storedExpressions(minor)),
    manifests.MutatingAdmissionPolicy,
  );
  const followed = [follow(policies, 'validatingadmissionpolic', sources)];
  if (gates.enabled('MutatingAdmissionPolicy')) {
    followed.push(follow(mutatingPolicies, 'mutatingadmissionpolic', sources));
  }
  await Promise.all(followed);
  return { policies, mutatingPolicies };
}

/** @param stem of the names of both resources */
async function follow<P extends AdmissionPolicy>(
  index: PolicyIndex<P>,
  stem: string,
  { catalog, registry }: Pick<Sources, 'catalog' | 'registry'>,
): Promise<void> {
  await Promise.all([
    followObjects(catalog, registry, {
      group: GROUP,
      resource: `${stem}ies`,
      set: (policy) => index.setPolicy(policy),
      delete: (_, name) => index.deletePolicy(name),
    }),
    followObjects(catalog, registry, {
      group: GROUP,
      resource: `${stem}ybindings`,
      set: (binding) => index.setBinding(binding),
      delete: (_, name) => index.deleteBinding(name),
    }),
  ]);
}
