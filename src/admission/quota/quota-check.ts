// Check of a write against a ResourceQuota: whether it counts the object, how much the object adds, and whether that
// fits. Works on amounts, independently of their storage.

import type { ApiObject, Json } from '../../api/object.ts';
import { compareQuantities, subtractQuantities } from '../../api/quantity.ts';
import { entriesAt, listAt, textAt } from '../../resources/value.ts';
import type { AdmissionRequest } from '../chain.ts';
import { refusal } from '../concerns.ts';
import { type Amounts, addAmounts, amountsAt, amountsText } from './amounts.ts';
import type { Evaluator, ScopeRequirement } from './evaluator.ts';

/** A write to be charged. */
export interface Demand {
  readonly admission: AdmissionRequest;
  readonly object: ApiObject;
  readonly evaluator: Evaluator;
}

/** Whether a quota counts the object, according to the limits in its status. */
export function isCounted(quota: ApiObject, { object, evaluator }: Demand): boolean {
  return (
    limitedNames(quota, evaluator).length > 0 &&
    scopeRequirements(quota).every((requirement) => evaluator.isWithin(object, requirement))
  );
}

/** The amounts that a quota limits and objects of the resource use. */
export function limitedNames(quota: ApiObject, evaluator: Evaluator): string[] {
  return entriesAt(quota, 'status', 'hard').flatMap(([name]) => (evaluator.counts(name) ? [name] : []));
}

export function scopeRequirements(quota: ApiObject): ScopeRequirement[] {
  const scopes = listAt(quota, 'spec', 'scopes').map((scope) => ({
    scope: String(scope),
    operator: 'Exists',
    values: [],
  }));
  return [...scopes, ...listAt(quota, 'spec', 'scopeSelector', 'matchExpressions').map(scopeRequirement)];
}

/** A ScopedResourceSelectorRequirement. */
export function scopeRequirement(expression: Json): ScopeRequirement {
  return {
    scope: textAt(expression, 'scopeName'),
    operator: textAt(expression, 'operator'),
    values: listAt(expression, 'values').map(String),
  };
}

/** @throws ApiError 403 for an object that a quota can't count, and for a quota whose usage is unknown */
export function checkCountable(quota: ApiObject, { admission, object, evaluator }: Demand): void {
  const limited = limitedNames(quota, evaluator);
  const complaint = evaluator.complaint(object, limited);
  if (complaint !== '') throw refusal(admission, `failed quota: ${quota.metadata.name}: ${complaint}`);
  const used = amountsAt(quota, 'status', 'used');
  if (limited.some((name) => !used.has(name))) {
    const why = `status unknown for quota: ${quota.metadata.name}, resources: ${limited.toSorted().join(',')}`;
    throw refusal(admission, why);
  }
}

/**
 * The usage that the write adds; reduced usage is not refunded here.
 * @param quota to charge: it counted the old object only if it matched it
 */
export function addedUsage({ admission, object, evaluator }: Demand, quota?: ApiObject): Amounts {
  const { previous } = admission;
  const added = evaluator.usage(object);
  const wasCounted =
    previous !== undefined && (quota === undefined || isCounted(quota, { admission, object: previous, evaluator }));
  const before = wasCounted ? evaluator.usage(previous) : undefined;
  for (const [name, amount] of added) {
    const old = before?.get(name);
    const more = old === undefined ? amount : subtractQuantities(amount, old);
    if (more.mantissa > 0n) added.set(name, more);
    else added.delete(name);
  }
  return added;
}

/** The part of the added usage that a quota limits. */
export function chargeOf(quota: ApiObject, added: Amounts): Amounts {
  const charge: Amounts = new Map();
  for (const [name] of entriesAt(quota, 'status', 'hard')) {
    const amount = added.get(name);
    if (amount !== undefined) charge.set(name, amount);
  }
  return charge;
}

/**
 * The usage after a charge.
 * @param used before it
 * @throws ApiError 403 if it exceeds the quota
 */
export function usedAfter(quota: ApiObject, used: Amounts, { charge, demand }: { charge: Amounts; demand: Demand }) {
  const hard = amountsAt(quota, 'status', 'hard');
  const after = addAmounts(new Map(used), charge);
  const exceeded = [...charge.keys()].filter((name) => isMore(after, hard, name)).sort();
  if (exceeded.length === 0) return after;
  const [requested, before, limited] = [charge, used, hard].map((amounts) => amountsText(amounts, exceeded));
  const why = `exceeded quota: ${quota.metadata.name}, requested: ${requested}, used: ${before}, limited: ${limited}`;
  throw refusal(demand.admission, why);
}

function isMore(amounts: Amounts, bounds: Amounts, name: string): boolean {
  const [amount, bound] = [amounts.get(name), bounds.get(name)];
  return amount !== undefined && bound !== undefined && compareQuantities(amount, bound) > 0;
}
