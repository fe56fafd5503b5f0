// Conditions of an object, read from its status: what controllers say of it, and whether that is good news.

/** A condition as most kinds write it. */
interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** Types whose `True` tells of trouble. */
const TROUBLE =
  /Pressure|Unavailable|Failure|Failed|Degraded|Stalled|Deadlocked|Disruption|Violation|Content|Finalizers|NonStructural|Dangling/;

/** The conditions in an object's status, in the order in which they stand there; none for what has another shape. */
export function conditionsOf(object: { readonly [member: string]: unknown }): readonly Condition[] {
  const { conditions } = (object['status'] ?? {}) as { conditions?: unknown };
  if (!Array.isArray(conditions)) return [];
  return conditions.flatMap((each: Partial<Record<keyof Condition, unknown>> | null) => {
    if (typeof each?.type !== 'string' || typeof each.status !== 'string') return [];
    const [reason, message] = [each.reason, each.message].map((text) => (typeof text === 'string' ? text : ''));
    return [{ type: each.type, status: each.status, reason: reason!, message: message! }];
  });
}

/** 'good', 'bad', 'warn' where nobody knows, or '' for trouble that is not there. */
export function toneOfCondition({ type, status }: Condition): string {
  const isTrouble = TROUBLE.test(type);
  if (status === 'True') return isTrouble ? 'bad' : 'good';
  if (status === 'False') return isTrouble ? '' : 'bad';
  return 'warn';
}
