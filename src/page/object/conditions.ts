// Conditions in an object's status, and whether each is good or bad news.

/** A condition in the form that most kinds use. */
interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** Types for which `True` means trouble. */
const TROUBLE =
  /Pressure|Unavailable|Failure|Failed|Degraded|Stalled|Deadlocked|Disruption|Violation|Content|Finalizers|NonStructural|Dangling/;

/** Returns the conditions in an object's status, in order; none if the status has another shape. */
export function conditionsOf(object: { readonly [member: string]: unknown }): readonly Condition[] {
  const { conditions } = (object['status'] ?? {}) as { conditions?: unknown };
  if (!Array.isArray(conditions)) return [];
  return conditions.flatMap((each: Partial<Record<keyof Condition, unknown>> | null) => {
    if (typeof each?.type !== 'string' || typeof each.status !== 'string') return [];
    const [reason, message] = [each.reason, each.message].map((text) => (typeof text === 'string' ? text : ''));
    return [{ type: each.type, status: each.status, reason: reason!, message: message! }];
  });
}

/** Returns 'good', 'bad', 'warn' if unknown, or '' for a problem that is absent. */
export function toneOfCondition({ type, status }: Condition): string {
  const isTrouble = TROUBLE.test(type);
  if (status === 'True') return isTrouble ? 'bad' : 'good';
  if (status === 'False') return isTrouble ? '' : 'bad';
  return 'warn';
}
