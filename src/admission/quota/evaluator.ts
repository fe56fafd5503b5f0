// Quota evaluator of one resource: the amounts that its objects use, and the scopes that they match.

import type { ApiObject } from '../../api/object.ts';
import type { AdmissionRequest } from '../chain.ts';
import { type Amounts, ONE } from './amounts.ts';

/** A scope condition of a quota; all must hold for an object to count. */
export interface ScopeRequirement {
  readonly scope: string;
  readonly operator: string;
  readonly values: readonly string[];
}

export interface Evaluator {
  /** Whether such a write may increase usage. */
  charges(write: AdmissionRequest): boolean;
  /** Whether objects of this resource use an amount that a quota limits. */
  counts(name: string): boolean;
  /** Why an object can't be counted: `must specify limits.cpu for: app`; '' if it can. */
  complaint(object: ApiObject, limited: readonly string[]): string;
  isWithin(object: ApiObject, requirement: ScopeRequirement): boolean;
  usage(object: ApiObject): Amounts;
  /** Whether each object uses the same, whatever it contains. */
  readonly isUniform?: true;
}

/** Whether a value, if any, satisfies an operator, with the semantics of label selectors. */
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

/** Each object counts as one under each of these names; quotas with scopes do not count it. */
export function countEvaluator(names: readonly string[]): Evaluator {
  const usage: ReadonlyMap<string, typeof ONE> = new Map(names.map((name) => [name, ONE]));
  return {
    isUniform: true,
    charges: ({ operation, request }) => operation === 'create' && request.subresource === '',
    counts: (name) => usage.has(name),
    complaint: () => '',
    isWithin: () => false,
    usage: () => new Map(usage),
  };
}
