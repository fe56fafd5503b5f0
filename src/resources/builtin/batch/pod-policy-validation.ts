// Validation of pod failure policies and success policies of Jobs.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { firstPlaces } from '../../../base/first-places.ts';
import { part } from '../../../base/resumed.ts';
import { validateCounts } from '../../validation/counts.ts';
import { validateChoice, validateMostBytes, validateMostItems } from '../../validation/field-rules.ts';
import { validateLabelKey } from '../../validation/label-selector.ts';
import { parseIndexes } from './job-indexes.ts';
import type {
  JobSpec,
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
  SuccessPolicy,
  SuccessPolicyRule,
} from './v1-objects.ts';

const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const INDEXES_BYTES = 64 * 1024;
const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const OPERATORS = ['In', 'NotIn'];
const STATUSES = ['False', 'True', 'Unknown'];

/** A required choice; messages list the choices as Go formats strings. */
function validateMade(choice: string, choices: readonly string[], field: string): FieldError[] {
  if (choice !== '') return validateChoice(choice, choices, field);
  return [fieldError.required(field, `valid values: [${choices.map((each) => JSON.stringify(each)).join(' ')}]`)];
}

export function validatePodFailurePolicy(
  policy: PodFailurePolicy,
  spec: JobSpec | undefined,
  field: string,
): FieldError[] {
  const rules = policy.rules ?? [];
  const pod = spec?.template?.spec;
  const names = new Set([...(pod?.containers ?? []), ...(pod?.initContainers ?? [])].map((each) => each.name ?? ''));
  return [
    ...validateMostItems(rules, MAX_RULES, `${field}.rules`),
    ...rules.flatMap((rule, index) => [
      ...validateAction(rule.action ?? '', spec, `${field}.rules[${index}].action`),
      ...validateRequirement(rule, names, `${field}.rules[${index}]`),
    ]),
  ];
}

function validateAction(action: string, spec: JobSpec | undefined, field: string): FieldError[] {
  if (action !== 'FailIndex') return validateMade(action, ACTIONS, field);
  if (spec?.backoffLimitPerIndex !== undefined) return [];
  return [fieldError.invalid(field, action, 'requires the backoffLimitPerIndex to be set')];
}

/** Either exit codes or conditions. */
function validateRequirement(rule: PodFailurePolicyRule, names: ReadonlySet<string>, field: string): FieldError[] {
  // Releases before 1.30 write what is absent as null.
  const codes = rule.onExitCodes ?? undefined;
  const conditions = rule.onPodConditions ?? [];
  const found: FieldError[] = [];
  if (codes !== undefined) found.push(...validateExitCodes(codes, names, `${field}.onExitCodes`));
  found.push(...validateConditions(conditions, `${field}.onPodConditions`));
  if (codes !== undefined && conditions.length > 0) {
    const why = 'specifying both OnExitCodes and OnPodConditions is not supported';
    found.push(fieldError.invalidAsWhole(field, why));
  }
  if (codes === undefined && conditions.length === 0) {
    found.push(fieldError.invalidAsWhole(field, 'specifying one of OnExitCodes and OnPodConditions is required'));
  }
  return found;
}

function validateConditions(
  conditions: readonly PodFailurePolicyOnPodConditionsPattern[],
  field: string,
): FieldError[] {
  return [
    ...validateMostItems(conditions, MAX_RULES, field),
    ...conditions.flatMap((condition, index) => [
      ...validateLabelKey(condition.type ?? '', `${field}[${index}].type`),
      ...validateMade(condition.status ?? '', STATUSES, `${field}[${index}].status`),
    ]),
  ];
}

function validateExitCodes(
  requirement: PodFailurePolicyOnExitCodesRequirement,
  names: ReadonlySet<string>,
  field: string,
): FieldError[] {
  const containerName = requirement.containerName ?? undefined;
  const operator = requirement.operator ?? '';
  const values = requirement.values ?? [];
  const found = validateMade(operator, OPERATORS, `${field}.operator`);
  if (containerName !== undefined && !names.has(containerName)) {
    const why = 'must be one of the container or initContainer names in the pod template';
    found.push(fieldError.invalid(`${field}.containerName`, containerName, why));
  }
  const here = `${field}.values`;
  if (values.length === 0)
    found.push(fieldError.invalid(here, requirement.values ?? null, 'at least one value is required'));
  found.push(...validateMostItems(values, MAX_EXIT_CODES, here));
  const places = firstPlaces(values);
  for (const [index, value] of values.entries()) {
    if (operator === 'In' && value === 0) {
      found.push(fieldError.invalid(`${here}[${index}]`, value, 'must not be 0 for the In operator'));
    }
    if (places.get(value) !== index) found.push(fieldError.duplicate(`${here}[${index}]`, value));
  }
  const ordered = values.every((value, index) => index === 0 || (values[index - 1] as number) <= value);
  return ordered ? found : [...found, fieldError.invalid(here, values, 'must be ordered')];
}

export function validateSuccessPolicy(policy: SuccessPolicy, spec: JobSpec | undefined, field: string): FieldError[] {
  const rules = policy.rules ?? [];
  const here = `${field}.rules`;
  const found = validateMostItems(rules, MAX_RULES, here);
  if (rules.length === 0) {
    const why = 'at least one rules must be specified when the successPolicy is specified';
    found.push(fieldError.required(here, why));
  }
  const completions = spec?.completions ?? 0;
  return [...found, ...rules.flatMap((rule, index) => validateSuccessRule(rule, completions, `${here}[${index}]`))];
}

function validateSuccessRule(rule: SuccessPolicyRule, completions: number, field: string): FieldError[] {
  const [indexes, count] = [rule.succeededIndexes, rule.succeededCount];
  if (indexes === undefined && count === undefined) {
    return [fieldError.required(field, 'at least one of succeededCount or succeededIndexes must be specified')];
  }
  const found: FieldError[] = [];
  // Unparsable indexes count as none.
  let total = 0;
  if (indexes !== undefined) {
    const here = `${field}.succeededIndexes`;
    found.push(...validateMostBytes(indexes, INDEXES_BYTES, here));
    const parsed = part(() => parseIndexes(indexes, completions));
    if (typeof parsed === 'string') {
      found.push(fieldError.invalid(here, indexes, `error parsing succeededIndexes: ${parsed}`));
    } else total = parsed;
  }
  if (count === undefined) return found;
  const here = `${field}.succeededCount`;
  found.push(...validateCounts(rule, ['succeededCount'], field));
  if (Number(count) > completions) {
    const why = `must be less than or equal to ${completions} (the number of specified completions)`;
    found.push(fieldError.invalid(here, count, why));
  }
  if (indexes !== undefined && Number(count) > total) {
    const why = `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`;
    found.push(fieldError.invalid(here, count, why));
  }
  return found;
}
