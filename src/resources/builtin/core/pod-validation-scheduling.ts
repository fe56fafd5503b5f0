// The rules of where a pod may be placed: tolerations, affinity, how pods spread, and gates that hold a pod back.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { labelFaults, labelValueFaults } from '../../../api/names.ts';
import { faultErrors, validateChoice } from '../../validation/field-rules.ts';
import { validateLabelKey, validateLabelSelector } from '../../validation/label-selector.ts';
import { validateNodeSelector, validateNodeSelectorTerm } from '../../validation/selectors.ts';
import type {
  AffinityShape,
  LabelSelectorShape,
  PodAffinityShape,
  PodAffinityTermShape,
  SpreadConstraintShape,
  TolerationShape,
} from './pod-shape.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

export function validateAffinity(affinity: AffinityShape, field: string): FieldError[] {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  const found: FieldError[] = [];
  if (nodeAffinity !== undefined) {
    const here = `${field}.nodeAffinity`;
    const required = nodeAffinity[REQUIRED];
    if (required !== undefined) found.push(...validateNodeSelector(required, `${here}.${REQUIRED}`));
    for (const [index, { weight = 0, preference = {} }] of (nodeAffinity[PREFERRED] ?? []).entries()) {
      const term = `${here}.${PREFERRED}[${index}]`;
      found.push(...validateWeight(weight, term), ...validateNodeSelectorTerm(preference, `${term}.preference`, true));
    }
  }
  if (podAffinity !== undefined) found.push(...validatePodAffinity(podAffinity, `${field}.podAffinity`));
  if (podAntiAffinity !== undefined) found.push(...validatePodAffinity(podAntiAffinity, `${field}.podAntiAffinity`));
  return found;
}

function validateWeight(weight: number, field: string): FieldError[] {
  if (weight >= 1 && weight <= 100) return [];
  return [fieldError.invalid(`${field}.weight`, weight, 'must be in the range 1-100')];
}

function validatePodAffinity(affinity: PodAffinityShape, field: string): FieldError[] {
  const found: FieldError[] = [];
  for (const [index, term] of (affinity[REQUIRED] ?? []).entries()) {
    found.push(...validatePodTerm(term, `${field}.${REQUIRED}[${index}]`));
  }
  for (const [index, { weight = 0, podAffinityTerm = {} }] of (affinity[PREFERRED] ?? []).entries()) {
    const here = `${field}.${PREFERRED}[${index}]`;
    found.push(...validateWeight(weight, here), ...validatePodTerm(podAffinityTerm, `${here}.podAffinityTerm`));
  }
  return found;
}

function validatePodTerm(term: PodAffinityTermShape, field: string): FieldError[] {
  const { labelSelector, namespaceSelector, topologyKey = '', matchLabelKeys = [], mismatchLabelKeys = [] } = term;
  const found = [
    ...validateLabelSelector(labelSelector, `${field}.labelSelector`),
    ...validateLabelSelector(namespaceSelector, `${field}.namespaceSelector`),
  ];
  for (const name of term.namespaces ?? []) found.push(...faultErrors(labelFaults(name), name, `${field}.namespace`));
  found.push(
    ...validateKeys(matchLabelKeys, labelSelector, `${field}.matchLabelKeys`),
    ...validateKeys(mismatchLabelKeys, labelSelector, `${field}.mismatchLabelKeys`),
  );
  for (const [index, key] of matchLabelKeys.entries()) {
    if (!mismatchLabelKeys.includes(key)) continue;
    const why = 'exists in both matchLabelKeys and mismatchLabelKeys';
    found.push(fieldError.invalid(`${field}.matchLabelKeys[${index}]`, key, why));
  }
  if (topologyKey === '') found.push(fieldError.required(`${field}.topologyKey`, 'can not be empty'));
  return [...found, ...validateLabelKey(topologyKey, `${field}.topologyKey`)];
}

/** Keys whose values are taken from the pod's own labels and added to the selector, which must be there. */
function validateKeys(keys: readonly string[], selector: LabelSelectorShape | undefined, field: string): FieldError[] {
  if (keys.length === 0) return [];
  if (selector === undefined)
    return [fieldError.forbidden(field, 'must not be specified when labelSelector is not set')];
  return keys.flatMap((key, index) => validateLabelKey(key, `${field}[${index}]`));
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateTolerations(tolerations: readonly TolerationShape[], field: string): FieldError[] {
  return tolerations.flatMap((toleration, index) => {
    const here = `${field}[${index}]`;
    const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
    const found = key === '' ? [] : validateLabelKey(key, `${here}.key`);
    if (key === '' && operator !== 'Exists') {
      const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      found.push(fieldError.invalid(`${here}.operator`, operator, why));
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      const why = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      found.push(fieldError.invalid(`${here}.effect`, effect, why));
    }
    found.push(...validateTolerationValue(operator, value, `${here}.operator`));
    return effect === '' ? found : [...found, ...validateChoice(effect, EFFECTS, `${here}.effect`)];
  });
}

function validateTolerationValue(operator: string, value: string, field: string): FieldError[] {
  switch (operator) {
    case '':
    case 'Equal': {
      const faults = labelValueFaults(value);
      return faults.length === 0 ? [] : [fieldError.invalid(field, value, faults.join(';'))];
    }
    case 'Exists':
      if (value === '') return [];
      return [fieldError.invalid(field, value, "value must be empty when `operator` is 'Exists'")];
    default:
      return [fieldError.notSupported(field, operator, ['Equal', 'Exists'])];
  }
}

const WHEN_UNSATISFIABLE = ['DoNotSchedule', 'ScheduleAnyway'];
const INCLUSION = ['Honor', 'Ignore'];

export function validateSpreadConstraints(constraints: readonly SpreadConstraintShape[], field: string): FieldError[] {
  return constraints.flatMap((constraint, index) => {
    const here = `${field}[${index}]`;
    const { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '', labelSelector } = constraint;
    const found: FieldError[] = [];
    if (maxSkew <= 0) found.push(fieldError.invalid(`${here}.maxSkew`, maxSkew, 'must be greater than zero'));
    if (topologyKey === '') found.push(fieldError.required(`${here}.topologyKey`, 'can not be empty'));
    found.push(...validateChoice(whenUnsatisfiable, WHEN_UNSATISFIABLE, `${here}.whenUnsatisfiable`));
    const comesAgain = constraints
      .slice(index + 1)
      .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable);
    if (comesAgain) {
      const both = `{${topologyKey}, ${whenUnsatisfiable}}`;
      found.push(fieldError.duplicate(`${here}.{topologyKey, whenUnsatisfiable}`, both));
    }
    found.push(...validateMinDomains(constraint, `${here}.minDomains`));
    for (const member of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
      const policy = constraint[member];
      if (policy !== undefined) found.push(...validateChoice(policy, INCLUSION, `${here}.${member}`));
    }
    return [
      ...found,
      ...validateKeys(constraint.matchLabelKeys ?? [], labelSelector, `${here}.matchLabelKeys`),
      ...validateLabelSelector(labelSelector, `${here}.labelSelector`),
    ];
  });
}

function validateMinDomains({ minDomains, whenUnsatisfiable = '' }: SpreadConstraintShape, field: string) {
  if (minDomains === undefined) return [];
  const found: FieldError[] = [];
  if (minDomains <= 0) found.push(fieldError.invalid(field, minDomains, 'must be greater than zero'));
  if (whenUnsatisfiable !== 'DoNotSchedule') {
    const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
    found.push(fieldError.invalid(field, minDomains, why));
  }
  return found;
}

export function validateSchedulingGates(gates: readonly { readonly name?: string }[], field: string): FieldError[] {
  const seen = new Set<string>();
  return gates.flatMap(({ name = '' }, index) => {
    const here = `${field}[${index}]`;
    const found = validateLabelKey(name, here);
    if (seen.has(name)) found.push(fieldError.duplicate(here, name));
    seen.add(name);
    return found;
  });
}
