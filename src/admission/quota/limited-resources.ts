// Resources whose consumption is limited by default (ResourceQuotaConfiguration): they can only be consumed if a quota
// covers them, so a namespace without quotas has none.

import { errors } from '../../api/errors.ts';
import type { ApiObject } from '../../api/object.ts';
import { refusal } from '../concerns.ts';
import type { ScopeRequirement } from './evaluator.ts';
import { addedUsage, checkCountable, type Demand, isCounted, limitedNames, scopeRequirements } from './quota-check.ts';

export interface LimitedResource {
  readonly apiGroup: string;
  readonly resource: string;
  /** Substrings of the names of amounts that a quota must limit: `.storageclass.storage.k8s.io/requests.storage`. */
  readonly matchContains: readonly string[];
  /** Scopes that a quota must select with the same requirement. For every resource, as in Kubernetes. */
  readonly matchScopes: readonly ScopeRequirement[];
}

/**
 * Checks that quotas cover what a write consumes of limited resources.
 * @param quotas of the namespace
 * @throws ApiError 403 for an amount that no quota limits, 500 for a scope that none selects, as in kube-apiserver
 */
export function checkCovered(quotas: readonly ApiObject[], demand: Demand, limited: readonly LimitedResource[]): void {
  const { admission, object, evaluator } = demand;
  const names = limitedUsage(demand, limited);
  const scopes = limited.flatMap(({ matchScopes }) => matchScopes.filter((scope) => evaluator.isWithin(object, scope)));
  if (names.length === 0 && scopes.length === 0) return;
  const counting = quotas.filter((quota) => isCounted(quota, demand));
  for (const quota of counting) checkCountable(quota, demand);
  if (addedUsage(demand).size === 0) return;
  const covered = new Set(counting.flatMap((quota) => limitedNames(quota, evaluator)));
  const uncovered = names.filter((name) => !covered.has(name)).sort();
  if (uncovered.length > 0) throw refusal(admission, `insufficient quota to consume: ${uncovered.join(',')}`);
  const selected = quotas.flatMap(scopeRequirements).filter((scope) => evaluator.isWithin(object, scope));
  const open = scopes.filter((scope) => !selected.some((other) => scopeText(other) === scopeText(scope)));
  if (open.length === 0) return;
  throw errors.unexplained(`insufficient quota to match these scopes: [${open.map(scopeText).join(' ')}]`);
}

function limitedUsage({ admission, object, evaluator }: Demand, limited: readonly LimitedResource[]): string[] {
  const { group, resource } = admission.request.definition;
  const parts = limited
    .filter((each) => each.apiGroup === group && each.resource === resource)
    .flatMap(({ matchContains }) => matchContains);
  if (parts.length === 0) return [];
  return [...evaluator.usage(object)].flatMap(([name, amount]) =>
    amount.mantissa > 0n && parts.some((part) => name.includes(part)) ? [name] : [],
  );
}

/** Formatted as in Go. */
function scopeText({ scope, operator, values }: ScopeRequirement): string {
  return `{${scope} ${operator} [${values.join(' ')}]}`;
}
