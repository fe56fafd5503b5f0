// Validation of what a pod says about the group of pods that it belongs to, and about who answers for its eviction.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { labelFaults, subdomainFaults } from '../../../../api/names.ts';
import { faultErrors } from '../../../validation/field-rules.ts';
import { validateOutsideDomains } from '../../../validation/reserved-domains.ts';
import type { PodSchedulingGroup, PodSpec, WorkloadReference } from './objects.ts';

/** Priorities below it are for responders of Kubernetes itself, which no pod names. */
const FIRST_FREE_PRIORITY = 1000;

export function validateGroup(spec: PodSpec, field: string): FieldError[] {
  const { workloadRef, schedulingGroup, evictionResponders = [] } = spec;
  const found = [
    ...(workloadRef === undefined ? [] : validateWorkloadReference(workloadRef, `${field}.workloadRef`)),
    ...(schedulingGroup === undefined ? [] : validateSchedulingGroup(schedulingGroup, `${field}.schedulingGroup`)),
  ];
  if (schedulingGroup !== undefined && evictionResponders.length > 0) {
    found.push(fieldError.forbidden(`${field}.schedulingGroup`, 'may not be set when evictionResponders is set'));
  }
  for (const [index, { name = '', priority }] of evictionResponders.entries()) {
    const here = `${field}.evictionResponders[${index}]`;
    found.push(...validateOutsideDomains(name, `${here}.name`));
    if (priority === undefined || priority === null || priority < 0 || priority >= FIRST_FREE_PRIORITY) continue;
    const why = 'priorities 0-999 are reserved for responders with *.k8s.io suffix';
    found.push(fieldError.invalid(`${here}.priority`, priority, why));
  }
  return found;
}

/** In 1.35. */
function validateWorkloadReference(reference: WorkloadReference, field: string): FieldError[] {
  const { name = '', podGroup = '', podGroupReplicaKey: key = '' } = reference;
  return [
    ...faultErrors(subdomainFaults(name), name, `${field}.name`),
    ...faultErrors(labelFaults(podGroup), podGroup, `${field}.podGroup`),
    ...(key === '' ? [] : faultErrors(labelFaults(key), key, `${field}.podGroupReplicaKey`)),
  ];
}

function validateSchedulingGroup({ podGroupName: name }: PodSchedulingGroup, field: string): FieldError[] {
  const here = `${field}.podGroupName`;
  if (name === undefined) return [fieldError.invalid(here, null, 'must specify one of: `podGroupName`')];
  return faultErrors(subdomainFaults(name), name, here);
}
