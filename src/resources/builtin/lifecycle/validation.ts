// Validation of EvictionRequests and Evictions that Kubernetes does not declare with their types.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { isTrue } from '../../conditions.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import { validateConditions } from '../../validation/conditions.ts';
import { validateOutsideDomains } from '../../validation/reserved-domains.ts';
import type { Condition } from '../meta/v1-objects.ts';
import { validateResponders } from './responders.ts';
import { validateTargetResponders } from './target-responders.ts';
import type { Eviction, EvictionRequest } from './v1alpha1-objects.ts';

function validateRequester({ spec }: EvictionRequest): FieldError[] {
  return validateOutsideDomains(spec?.requester ?? '', 'spec.requester');
}

/** Conditions that end an eviction. */
const FINAL = ['TargetEvicted', 'Failed'];

function conditionOf(conditions: readonly Condition[], type: string): Condition | undefined {
  return conditions.find((each) => each.type === type);
}

/** Those that ended the eviction and are to be taken back. */
function reverted(next: readonly Condition[], previous: readonly Condition[]): string[] {
  return previous.flatMap(({ type = '', status, reason }) => {
    if (!FINAL.includes(type) || status !== 'True') return [];
    const now = conditionOf(next, type);
    return now === undefined || now.status === 'False' || now.reason !== reason ? [type] : [];
  });
}

function validateEvictionStatus(eviction: Eviction, before: Eviction, { nowMs }: StrategyContext): FieldError[] {
  const { conditions = [], targetResponders = [], responders = [] } = eviction.status ?? {};
  const field = 'status.conditions';
  const gone = reverted(conditions, before.status?.conditions ?? []);
  const isFinal = FINAL.some((type) => isTrue({ status: { conditions } }, type) || gone.includes(type));
  const value = eviction.status?.conditions ?? null;
  return [
    ...validateConditions(conditions, field),
    ...gone.map((type) => fieldError.invalid(field, value, `${type} condition status cannot be reverted`)),
    ...validateTargetResponders(
      { targetResponders, responders },
      { previous: before.status?.targetResponders ?? [], isFinal, nowMs },
    ),
    ...validateResponders({ targetResponders, responders }, { previous: before.status?.responders ?? [], nowMs }),
  ];
}

export const evictionRequestRules: KindRules<EvictionRequest> = {
  validateCreate: validateRequester,
  subresources: {
    status: { validateUpdate: ({ status }) => validateConditions(status?.conditions ?? [], 'status.conditions') },
  },
};

export const evictionRules: KindRules<Eviction> = {
  subresources: { status: { validateUpdate: validateEvictionStatus } },
};
