// Validation of PodGroups and CompositePodGroups that Kubernetes does not declare with their types.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import type { KindRules } from '../../definition.ts';
import { validateConditions } from '../../validation/conditions.ts';
import type { Condition } from '../meta/v1-objects.ts';
import type { PodGroup as PodGroupV1alpha2 } from './v1alpha2-objects.ts';
import type { CompositePodGroup } from './v1alpha3-objects.ts';
import type { PodGroup } from './v1beta1-objects.ts';

interface HasConditions {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

function validateStatus({ status }: HasConditions): FieldError[] {
  return validateConditions(status?.conditions ?? [], 'status.conditions');
}

/** The status of a claim is about a claim of the spec. */
function validatePodGroupStatus(podGroup: PodGroup | PodGroupV1alpha2): FieldError[] {
  const { spec, status } = podGroup;
  const known = new Set((spec?.resourceClaims ?? []).map(({ name = '' }) => name));
  const ofClaims = (status?.resourceClaimStatuses ?? []).flatMap(({ name = '' }, index): FieldError[] => {
    if (known.has(name)) return [];
    const why = 'must match the name of an entry in `spec.resourceClaims`';
    return [fieldError.invalid(`status.resourceClaimStatuses[${index}].name`, name, why)];
  });
  return [...validateStatus(podGroup), ...ofClaims];
}

/** A group within another one belongs to the Workload of that one. */
function validateNewPodGroup({ spec }: PodGroup): FieldError[] {
  if (spec?.parentCompositePodGroupName === undefined || spec.workloadRef !== undefined) return [];
  return [fieldError.required('spec.workloadRef', 'must be set when parentCompositePodGroupName is set')];
}

export const podGroupRulesV1alpha2: KindRules<PodGroupV1alpha2> = {
  subresources: { status: { validateUpdate: validatePodGroupStatus } },
};

export const podGroupRules: KindRules<PodGroup> = {
  validateCreate: validateNewPodGroup,
  subresources: { status: { validateUpdate: validatePodGroupStatus } },
};

export const compositePodGroupRules: KindRules<CompositePodGroup> = {
  subresources: { status: { validateUpdate: validateStatus } },
};
