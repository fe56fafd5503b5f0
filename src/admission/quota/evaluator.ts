// Quota evaluator of one resource: which of its amounts they use, how much of each, and whether they are within its
// scopes.

import type { ApiObject } from '../../api/object.ts';
import type { AdmissionRequest } from '../chain.ts';
import { type Amounts, ONE } from './amounts.ts';

/** One of the conditions under which a quota counts an object; all must hold. */
export interface ScopeRequirement {
  readonly scope: string;
  readonly operator: string;
  readonly values: readonly string[];
}

export interface Evaluator {
  /** Whether such a write may use more than before. */
  charges(write: AdmissionRequest): boolean;
  /** Whether an amount that a quota limits is used by objects of this resource. */
  counts(name: string): boolean;
  /** Why an object can't be counted: `must specify limits.cpu for: app`; '' when it can. */
  complaint(object: ApiObject, limited: readonly string[]): string;
  isWithin(object: ApiObject, requirement: ScopeRequirement): boolean;
  usage(object: ApiObject): Amounts;
}

/** Whether a value, if there is any, is what an operator asks for: as labels are selected. */
export function satisfies({ operator, values }: ScopeRequirement, value: string): boolean {
  switch (operator) {
    case 'Exists':
      return value !== '';
    case 'DoesNotExist':
      return value === '';
    case 'In':
      return value !== '' && values.includes(value);
    case 'NotIn':
      return !values.includes(value);
    default:
      return false;
  }
}

/** Each object counts one under each of these names; no quota with scopes counts it. */
export function countEvaluator(names: readonly string[]): Evaluator {
  const usage: ReadonlyMap<string, typeof ONE> = new Map(names.map((name) => [name, ONE]));
  return {
    charges: ({ operation, request }) => operation === 'create' && request.subresource === '',
    counts: (name) => usage.has(name),
    complaint: () => '',
    isWithin: () => false,
    usage: () => new Map(usage),
  };
}
