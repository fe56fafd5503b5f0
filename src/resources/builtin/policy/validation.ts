// Validation of PodDisruptionBudgets.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import type { KindRules } from '../../definition.ts';
import { validateConditions } from '../../validation/conditions.ts';
import { validateCounts } from '../../validation/counts.ts';
import { validateChoice } from '../../validation/field-rules.ts';
import { DISRUPTION_BUDGET_SPEC, inGoForm } from '../../validation/go-form.ts';
import { validateAtMostAll, validateIntOrPercent } from '../../validation/int-or-percent.ts';
import { keepableValues } from '../../validation/kept-faults.ts';
import { validateLabelSelector } from '../../validation/label-selector.ts';
import type { PodDisruptionBudget } from './v1-objects.ts';

const POLICIES = ['AlwaysAllow', 'IfHealthyBudget'];

function validateDisruptionBudget({ spec }: PodDisruptionBudget): FieldError[] {
  const [available, unavailable] = [spec?.minAvailable, spec?.maxUnavailable];
  const found: FieldError[] = [];
  if (available !== undefined && unavailable !== undefined) {
    const said = inGoForm(spec, DISRUPTION_BUDGET_SPEC);
    found.push(fieldError.invalid('spec', said, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const [member, amount] of [
    ['minAvailable', available],
    ['maxUnavailable', unavailable],
  ] as const) {
    if (amount === undefined) continue;
    found.push(...validateIntOrPercent(amount, `spec.${member}`), ...validateAtMostAll(amount, `spec.${member}`));
  }
  found.push(...keepableValues('selectors', validateLabelSelector(spec?.selector, 'spec.selector')));
  const policy = spec?.unhealthyPodEvictionPolicy;
  if (policy === undefined) return found;
  return [...found, ...validateChoice(policy, POLICIES, 'spec.unhealthyPodEvictionPolicy')];
}

function validateDisruptionBudgetStatus(next: PodDisruptionBudget): FieldError[] {
  const counts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const;
  return [
    ...validateConditions(next.status?.conditions ?? [], 'status.conditions'),
    ...validateCounts(next.status, counts, 'status'),
  ];
}

export const disruptionBudgetRules: KindRules<PodDisruptionBudget> = {
  // Their metadata is only validated by the generic rules.
  checks: { create: ['content', 'creation'], update: ['content'] },
  anyFinalizer: true,
  validate: validateDisruptionBudget,
  subresources: { status: { checks: { update: ['change'] }, validateUpdate: validateDisruptionBudgetStatus } },
};
