// Conditions in an object's status, and whether each is good or bad news.

import { textAt } from '../relations/members.ts';

/** A condition in the form that most kinds use. */
interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** RFC 3339, of the last change of the status; '' if unknown. */
  readonly since: string;
}

/** Types for which `True` means trouble. */
const TROUBLE =
  /Pressure|Unavailable|Failure|Failed|Degraded|Stalled|Deadlocked|Disruption|Violation|Content|Finalizers|NonStructural|Dangling/;

/** Returns the conditions in an object's status, in order; none if the status has another shape. */
export function conditionsOf(object: { readonly [member: string]: unknown }): readonly Condition[] {
  const { conditions } = (object['status'] ?? {}) as { conditions?: unknown };
  if (!Array.isArray(conditions)) return [];
  return conditions.flatMap((each: unknown) => {
    const [type, status] = [textAt(each, 'type'), textAt(each, 'status')];
    if (type === '' || status === '') return [];
    const since = textAt(each, 'lastTransitionTime');
    return [{ type, status, reason: textAt(each, 'reason'), message: textAt(each, 'message'), since }];
  });
}

/** Returns 'good', 'bad', 'warn' if unknown, or '' for a problem that is absent. */
export function toneOfCondition({ type, status }: Condition): string {
  const isTrouble = TROUBLE.test(type);
  if (status === 'True') return isTrouble ? 'bad' : 'good';
  if (status === 'False') return isTrouble ? '' : 'bad';
  return 'warn';
}
