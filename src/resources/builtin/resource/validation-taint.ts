// Validation of device taints, in slices and in DeviceTaintRules.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { labelFaults, labelValueFaults, subdomainFaults } from '../../../api/names.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import { validateConditions } from '../../validation/conditions.ts';
import { faultErrors, validateChoice } from '../../validation/field-rules.ts';
import { validateLabelKey } from '../../validation/label-selector.ts';
import { validateDriverName } from '../core/volume/validation-source.ts';
import { validatePoolName } from './names.ts';
import { selectorCheck } from './selector-expressions.ts';
import type { DeviceTaint, DeviceTaintRule } from './v1alpha3-objects.ts';
import { validateSelectors } from './validation-claim.ts';
import { taintEffects } from './validation-toleration.ts';

export function validateTaint(
  { key = '', value = '', effect = '' }: DeviceTaint,
  field: string,
  release: { readonly minor?: number | undefined },
): FieldError[] {
  const effects = taintEffects(release);
  return [
    ...validateLabelKey(key, `${field}.key`),
    ...(value === '' ? [] : faultErrors(labelValueFaults(value), value, `${field}.value`)),
    ...(effect === '' ? [fieldError.required(`${field}.effect`)] : validateChoice(effect, effects, `${field}.effect`)),
  ];
}

function validateRule(rule: DeviceTaintRule, previous: DeviceTaintRule | undefined, context: StrategyContext) {
  const selector = rule.spec?.deviceSelector;
  const field = 'spec.deviceSelector';
  const found: FieldError[] = [];
  if (selector?.deviceClassName !== undefined) {
    const name = selector.deviceClassName;
    const here = `${field}.deviceClassName`;
    found.push(...(name === '' ? [fieldError.required(here)] : faultErrors(subdomainFaults(name), name, here)));
  }
  if (selector?.driver !== undefined) found.push(...validateDriverName(selector.driver, `${field}.driver`));
  if (selector?.pool !== undefined) found.push(...validatePoolName(selector.pool, `${field}.pool`));
  if (selector?.device !== undefined) {
    found.push(...faultErrors(labelFaults(selector.device), selector.device, `${field}.device`));
  }
  const check = selectorCheck(previous, context);
  found.push(...validateSelectors(selector?.selectors ?? [], `${field}.selectors`, check));
  return [...found, ...validateTaint(rule.spec?.taint ?? {}, 'spec.taint', context)];
}

const MAX_CONDITIONS = 8;

function validateRuleStatus({ status }: DeviceTaintRule): FieldError[] {
  const [conditions, field] = [status?.conditions ?? [], 'status.conditions'];
  const found = validateConditions(conditions, field);
  if (conditions.length > MAX_CONDITIONS) found.push(fieldError.tooMany(field, conditions.length, MAX_CONDITIONS));
  return found;
}

export const deviceTaintRuleRules: KindRules<DeviceTaintRule> = {
  validateCreate: (rule, context) => validateRule(rule, undefined, context),
  validateUpdate: validateRule,
  subresources: { status: { validateUpdate: validateRuleStatus } },
};
