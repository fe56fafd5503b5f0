// Validation of scheduling constraints: tolerations, affinity, topology spread constraints, scheduling gates.

import { type FieldError, type FieldErrors, fieldError } from '../../../../api/errors.ts';
import { labelFaults, labelValueFaults } from '../../../../api/names.ts';
import { HeldText } from '../../../../api/quoted-value.ts';
import { joined, NONE, ofItems } from '../../../../base/findings.ts';
import { int64Fault } from '../../../../base/go-integer.ts';
import { isSince } from '../../../../lifecycle/version.ts';
import type { StrategyContext } from '../../../definition.ts';
import { faultErrors, validateChoice, validateItems } from '../../../validation/field-rules.ts';
import { keepable, keepableValues } from '../../../validation/kept-faults.ts';
import { validateLabelKey, validateLabelSelector } from '../../../validation/label-selector.ts';
import { validateNodeSelectorTerm, validateRequiredNodeSelector } from '../../../validation/selectors.ts';
import type { LabelSelector } from '../../meta/v1-objects.ts';
import type { PodRules } from './pod-rules.ts';
import type {
  Affinity,
  PodAffinity,
  PodAffinityTerm,
  Toleration,
  TopologySpreadConstraint,
  WeightedPodAffinityTerm,
} from './scheduling-objects.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

export function validateAffinity(affinity: Affinity, field: string, rules: PodRules = {}): FieldError[] {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  const found: FieldError[] = [];
  if (nodeAffinity !== undefined) {
    const here = `${field}.nodeAffinity`;
    const required = nodeAffinity[REQUIRED];
    if (required !== undefined) {
      found.push(...validateRequiredNodeSelector(required, `${here}.${REQUIRED}`, rules));
    }
    const preferred = validateItems(
      nodeAffinity[PREFERRED] ?? [],
      `${here}.${PREFERRED}`,
      ({ weight = 0, preference = {} }, term) => [
        ...validateWeight(weight, term),
        ...validateNodeSelectorTerm(preference, `${term}.preference`, true),
      ],
    );
    found.push(...preferred);
  }
  if (podAffinity !== undefined) found.push(...validatePodAffinity(podAffinity, `${field}.podAffinity`));
  if (podAntiAffinity !== undefined) found.push(...validatePodAffinity(podAntiAffinity, `${field}.podAntiAffinity`));
  return found;
}

function validateWeight(weight: number, field: string): FieldError[] {
  if (weight >= 1 && weight <= 100) return [];
  return [fieldError.invalid(`${field}.weight`, weight, 'must be in the range 1-100')];
}

function validatePodAffinity(affinity: PodAffinity, field: string): FieldError[] {
  const ofPreferred = ({ weight = 0, podAffinityTerm = {} }: WeightedPodAffinityTerm, here: string) => [
    ...validateWeight(weight, here),
    ...validatePodTerm(podAffinityTerm, `${here}.podAffinityTerm`),
  ];
  return [
    ...validateItems(affinity[REQUIRED] ?? [], `${field}.${REQUIRED}`, validatePodTerm),
    ...validateItems(affinity[PREFERRED] ?? [], `${field}.${PREFERRED}`, ofPreferred),
  ];
}

function validatePodTerm(term: PodAffinityTerm, field: string): FieldError[] {
  const { labelSelector, namespaceSelector, topologyKey = '', matchLabelKeys = [], mismatchLabelKeys = [] } = term;
  const found = [
    ...keepableValues('affinity', validateLabelSelector(labelSelector, `${field}.labelSelector`)),
    ...keepableValues('affinity', validateLabelSelector(namespaceSelector, `${field}.namespaceSelector`)),
  ];
  found.push(...ofItems(term.namespaces, (name) => faultErrors(labelFaults(name), name, `${field}.namespace`)));
  found.push(
    ...validateKeys(matchLabelKeys, labelSelector, `${field}.matchLabelKeys`),
    ...validateKeys(mismatchLabelKeys, labelSelector, `${field}.mismatchLabelKeys`),
  );
  found.push(...validateMergedKeys(matchLabelKeys, labelSelector, field));
  const mismatched = new Set(mismatchLabelKeys);
  for (const [index, key] of matchLabelKeys.entries()) {
    if (!mismatched.has(key)) continue;
    const why = 'exists in both matchLabelKeys and mismatchLabelKeys';
    found.push(fieldError.invalid(`${field}.matchLabelKeys[${index}]`, key, why));
  }
  if (topologyKey === '') found.push(fieldError.required(`${field}.topologyKey`, 'can not be empty'));
  return [...found, ...validateLabelKey(topologyKey, `${field}.topologyKey`)];
}

/** Keys whose values are taken from the pod's labels and merged into the selector, which must be present. */
function validateKeys(keys: readonly string[], selector: LabelSelector | undefined, field: string): FieldError[] {
  if (keys.length === 0) return [];
  if (selector === undefined)
    return [fieldError.forbidden(field, 'must not be specified when labelSelector is not set')];
  return keys.flatMap((key, index) => validateLabelKey(key, `${field}[${index}]`));
}

/** By now the selector has a requirement for each key; a second one was in the request. */
function validateMergedKeys(keys: readonly string[], selector: LabelSelector | undefined, field: string): FieldError[] {
  if (keys.length === 0 || selector === undefined) return [];
  const seen = new Set(Object.keys(selector.matchLabels ?? {}));
  const lastPlaces = new Map(keys.map((key, index) => [key, index]));
  const found: FieldError[] = [];
  for (const { key = '' } of selector.matchExpressions ?? []) {
    const place = lastPlaces.get(key);
    if (place !== undefined && seen.has(key)) {
      const why = 'exists in both matchLabelKeys and labelSelector';
      found.push(fieldError.invalid(`${field}[${place}]`, key, why));
    }
    seen.add(key);
  }
  return found;
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** What the comparison of numbers depends on. */
type TolerationRules = Partial<Pick<StrategyContext, 'gateEnabled' | 'minor'>>;

export function validateTolerations(
  tolerations: readonly Toleration[] | undefined,
  field: string,
  rules: TolerationRules,
): FieldErrors {
  return ofItems(tolerations, (toleration, index) => {
    const here = `${field}[${index}]`;
    const { key = '', operator = '', effect = '' } = toleration;
    return joined(
      key === '' ? validateAnyKey(operator, `${here}.operator`) : validateLabelKey(key, `${here}.key`),
      validateTolerationSeconds(toleration, `${here}.effect`),
      isSince(rules, 35) && COMPARISONS.includes(operator)
        ? validateComparison(toleration, rules, here)
        : validateTolerationValue(toleration, `${here}.operator`),
      effect === '' ? NONE : validateChoice(effect, EFFECTS, `${here}.effect`),
    );
  });
}

const COMPARISONS = ['Lt', 'Gt'];
const DECIMAL = /^(?:0|-?[1-9][0-9]*)$/;

/** Tolerations of taints whose value is a number, behind a gate: those that are stored may stay. */
function validateComparison(
  { operator, value = '' }: Toleration,
  { gateEnabled }: TolerationRules,
  field: string,
): FieldError[] {
  if (gateEnabled?.('TaintTolerationComparisonOperators') !== true) {
    const all = ['Equal', 'Exists', ...COMPARISONS];
    return keepable('comparisons', [fieldError.notSupported(`${field}.operator`, operator, all)]);
  }
  const here = `${field}.value`;
  const why = value === '' ? 'must be non-empty' : 'must be a valid decimal integer in canonical form';
  const found = DECIMAL.test(value) ? [] : [fieldError.invalid(here, value, why)];
  const fault = int64Fault(value);
  return fault === undefined ? found : [...found, fieldError.invalid(here, value, fault)];
}

function validateAnyKey(operator: string, field: string): FieldErrors {
  if (operator === 'Exists') return NONE;
  const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
  return [fieldError.invalid(field, operator, why)];
}

function validateTolerationSeconds({ effect = '', tolerationSeconds }: Toleration, field: string): FieldErrors {
  if (tolerationSeconds === undefined || effect === 'NoExecute') return NONE;
  return [fieldError.invalid(field, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")];
}

function validateTolerationValue(toleration: Toleration, field: string): FieldError[] {
  const { operator = '', value = '' } = toleration;
  switch (operator) {
    case '':
    case 'Equal': {
      const faults = labelValueFaults(value);
      return faults.length === 0 ? [] : [fieldError.invalid(field, value, faults.join(';'))];
    }
    case 'Exists':
      if (value === '') return [];
      return [
        fieldError.invalid(field, new HeldText(value, toleration), "value must be empty when `operator` is 'Exists'"),
      ];
    default:
      return [fieldError.notSupported(field, operator, ['Equal', 'Exists'])];
  }
}

const WHEN_UNSATISFIABLE = ['DoNotSchedule', 'ScheduleAnyway'];
const INCLUSION = ['Honor', 'Ignore'];

export function validateSpreadConstraints(
  constraints: readonly TopologySpreadConstraint[] | undefined,
  merged: boolean,
  field: string,
): FieldErrors {
  if (constraints === undefined) return NONE;
  const last = new Map(constraints.map((each, index) => [targetOf(each), index]));
  return ofItems(constraints, (constraint, index) => {
    const here = `${field}[${index}]`;
    const { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '', labelSelector } = constraint;
    const found: FieldError[] = [];
    if (maxSkew <= 0) found.push(fieldError.invalid(`${here}.maxSkew`, maxSkew, 'must be greater than zero'));
    if (topologyKey === '') found.push(fieldError.required(`${here}.topologyKey`, 'can not be empty'));
    found.push(...validateChoice(whenUnsatisfiable, WHEN_UNSATISFIABLE, `${here}.whenUnsatisfiable`));
    const both = targetOf(constraint);
    if ((last.get(both) as number) > index) {
      found.push(fieldError.duplicate(`${here}.{topologyKey, whenUnsatisfiable}`, both));
    }
    found.push(...validateMinDomains(constraint, `${here}.minDomains`));
    for (const member of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
      const policy = constraint[member];
      if (policy !== undefined) found.push(...validateChoice(policy, INCLUSION, `${here}.${member}`));
    }
    return [
      ...found,
      ...validateMatchKeys(constraint.matchLabelKeys ?? [], labelSelector, { merged, field: here }),
      ...keepable('spread selectors', validateLabelSelector(labelSelector, `${here}.labelSelector`)),
    ];
  });
}

/** What no two constraints may have in common. */
function targetOf({ topologyKey = '', whenUnsatisfiable = '' }: TopologySpreadConstraint): string {
  return `{${topologyKey}, ${whenUnsatisfiable}}`;
}

/** Keys that follow the other of the two rules may stay, so that the gate can be switched. */
function validateMatchKeys(
  keys: readonly string[],
  selector: LabelSelector | undefined,
  { merged, field }: { readonly merged: boolean; readonly field: string },
): FieldError[] {
  const [rule, other] = merged ? [validateToMerge, validateApart] : [validateApart, validateToMerge];
  const found = rule(keys, selector, field);
  return found.length > 0 && other(keys, selector, field).length === 0 ? keepable('spread keys', found) : found;
}

/** Of keys that are merged into the selector. */
function validateToMerge(keys: readonly string[], selector: LabelSelector | undefined, field: string): FieldError[] {
  return [...validateKeys(keys, selector, `${field}.matchLabelKeys`), ...validateMergedKeys(keys, selector, field)];
}

/** Of keys that stay outside the selector, which must not contain them. */
function validateApart(keys: readonly string[], selector: LabelSelector | undefined, field: string): FieldError[] {
  if (keys.length === 0) return [];
  const here = `${field}.matchLabelKeys`;
  const inSelector = new Set(Object.keys(selector?.matchLabels ?? {}));
  for (const { key = '' } of selector?.matchExpressions ?? []) inSelector.add(key);
  const found =
    selector === undefined ? [fieldError.forbidden(here, 'must not be specified when labelSelector is not set')] : [];
  for (const [index, key] of keys.entries()) {
    found.push(...validateLabelKey(key, `${here}[${index}]`));
    if (inSelector.has(key)) {
      found.push(fieldError.invalid(`${here}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector'));
    }
  }
  return found;
}

function validateMinDomains({ minDomains, whenUnsatisfiable = '' }: TopologySpreadConstraint, field: string) {
  if (minDomains === undefined) return [];
  const found: FieldError[] = [];
  if (minDomains <= 0) found.push(fieldError.invalid(field, minDomains, 'must be greater than zero'));
  if (whenUnsatisfiable !== 'DoNotSchedule') {
    const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
    found.push(fieldError.invalid(field, minDomains, why));
  }
  return found;
}

export function validateSchedulingGates(
  gates: readonly { readonly name?: string }[] | undefined,
  field: string,
): FieldErrors {
  if (gates === undefined) return NONE;
  const seen = new Set<string>();
  return gates.flatMap(({ name = '' }, index) => {
    const here = `${field}[${index}]`;
    const found = validateLabelKey(name, here);
    if (seen.has(name)) found.push(fieldError.duplicate(here, name));
    seen.add(name);
    return found;
  });
}
