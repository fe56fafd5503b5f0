// The rules of disruption budgets.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import type { ApiObject, JsonObject } from '../../../api/object.ts';
import type { Behaviour } from '../../definition.ts';
import { validateCounts } from '../../validation/counts.ts';
import { validateChoice } from '../../validation/field-rules.ts';
import { validateAtMostAll, validateIntOrPercent } from '../../validation/int-or-percent.ts';
import { selectorAt, validateLabelSelector } from '../../validation/label-selector.ts';
import { at } from '../../value.ts';

const POLICIES = ['AlwaysAllow', 'IfHealthyBudget'];

export function validateDisruptionBudget({ spec }: JsonObject): FieldError[] {
  const [available, unavailable] = [at(spec, 'minAvailable'), at(spec, 'maxUnavailable')];
  const found: FieldError[] = [];
  if (available !== undefined && unavailable !== undefined) {
    found.push(fieldError.invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const [member, amount] of [
    ['minAvailable', available],
    ['maxUnavailable', unavailable],
  ] as const) {
    if (amount === undefined) continue;
    found.push(...validateIntOrPercent(amount, `spec.${member}`), ...validateAtMostAll(amount, `spec.${member}`));
  }
  found.push(...validateLabelSelector(selectorAt(spec, 'selector'), 'spec.selector'));
  const policy = at(spec, 'unhealthyPodEvictionPolicy');
  if (policy === undefined) return found;
  return [...found, ...validateChoice(String(policy), POLICIES, 'spec.unhealthyPodEvictionPolicy')];
}

export function validateDisruptionBudgetStatus(next: ApiObject): FieldError[] {
  const counts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'];
  return validateCounts(next['status'], counts, 'status');
}

export const disruptionBudgetRules: Partial<Behaviour> = {
  // Kubernetes has no rule for their names but that they can stand in a path.
  nameRule: 'pathSegment',
  checksMetadataLast: true,
  updateChecks: ['content'],
  validate: validateDisruptionBudget,
  validateStatusUpdate: validateDisruptionBudgetStatus,
};
