// Validation of Workloads in 1.35, which declares no rules: pod groups of one policy each, which cannot be changed.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { labelFaults, pathSegmentFaults, subdomainFaults } from '../../../api/names.ts';
import type { KindRules } from '../../definition.ts';
import { faultErrors, validateImmutable, validateItems, validateMostItems } from '../../validation/field-rules.ts';
import { inGoForm, TYPED_LOCAL_REFERENCE, WORKLOAD_POD_GROUP } from '../../validation/go-form.ts';
import type { PodGroup, PodGroupPolicy, TypedLocalObjectReference, Workload } from './v1alpha1-objects.ts';

const MOST_GROUPS = 8;

function validateWorkload({ spec }: Workload): FieldError[] {
  const groups = spec?.podGroups ?? [];
  const field = 'spec.podGroups';
  const found = spec?.controllerRef === undefined ? [] : validateReference(spec.controllerRef, 'spec.controllerRef');
  if (groups.length === 0) return [...found, fieldError.required(field, 'must have at least one item')];
  if (groups.length > MOST_GROUPS) return [...found, ...validateMostItems(groups, MOST_GROUPS, field)];
  const seen = new Set<string>();
  return [...found, ...validateItems(groups, field, (each, place) => validateGroup(each, place, seen))];
}

function validateReference({ apiGroup = '', kind = '', name = '' }: TypedLocalObjectReference, field: string) {
  const segment = (text: string, place: string) =>
    text === '' ? [fieldError.required(place)] : faultErrors(pathSegmentFaults(text), text, place);
  return [
    ...(apiGroup === '' ? [] : faultErrors(subdomainFaults(apiGroup), apiGroup, `${field}.apiGroup`)),
    ...segment(kind, `${field}.kind`),
    ...segment(name, `${field}.name`),
  ];
}

function validateGroup({ name = '', policy = {} }: PodGroup, field: string, seen: Set<string>): FieldError[] {
  const repeated = seen.has(name) ? [fieldError.duplicate(`${field}.name`, name)] : [];
  seen.add(name);
  const ofName = faultErrors(labelFaults(name), name, `${field}.name`);
  return [...ofName, ...repeated, ...validatePolicy(policy, `${field}.policy`)];
}

function validatePolicy(policy: PodGroupPolicy, field: string): FieldError[] {
  const given = (['basic', 'gang'] as const).filter((each) => policy[each] !== undefined).map((each) => `\`${each}\``);
  const rule = 'exactly one of `basic`, `gang` is required';
  if (given.length === 0) return [fieldError.required(field, rule)];
  if (given.length > 1) {
    return [fieldError.invalid(field, `{${given.join(', ')}}`, `${rule}, but multiple fields are set`)];
  }
  const count = policy.gang === undefined ? 1 : (policy.gang.minCount ?? 0);
  return count > 0 ? [] : [fieldError.invalid(`${field}.gang.minCount`, count, 'must be greater than 0')];
}

/** Kubernetes reports these fields without their path. */
function validateChange({ spec: next }: Workload, { spec: previous }: Workload): FieldError[] {
  const reference = (spec: Workload['spec']) => inGoForm(spec?.controllerRef, TYPED_LOCAL_REFERENCE);
  const groups = (spec: Workload['spec']) => (spec?.podGroups ?? []).map((each) => inGoForm(each, WORKLOAD_POD_GROUP));
  return [
    ...(previous?.controllerRef === undefined
      ? []
      : validateImmutable(reference(next), reference(previous), 'controllerRef')),
    ...validateImmutable(groups(next), groups(previous), 'podGroups'),
  ];
}

export const workloadRulesV1alpha1: KindRules<Workload> = {
  checks: { update: ['metadataChange', 'content', 'change'] },
  validate: validateWorkload,
  validateUpdate: validateChange,
};
