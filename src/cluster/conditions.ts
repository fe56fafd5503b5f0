// Conditions in statuses: reading one, and setting one so that its time changes only with its status.

interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
}

/** Whether a condition is True. */
export function isSetTrue(conditions: readonly Condition[] | null | undefined, type: string): boolean {
  return conditions?.some((each) => each.type === type && each.status === 'True') ?? false;
}

export function findCondition<T extends Condition>(
  conditions: readonly T[] | null | undefined,
  type: string,
): T | undefined {
  return conditions?.find((each) => each.type === type);
}

/**
 * The conditions with this one set: the time of an earlier one stays if its status does.
 * @param next with the time of a change of its status
 */
export function withCondition<T extends Condition>(conditions: readonly T[] | null | undefined, next: T): T[] {
  const before = findCondition(conditions, next.type ?? '');
  const isSame = before?.status === next.status && before?.lastTransitionTime !== undefined;
  const kept = isSame ? { ...next, lastTransitionTime: before.lastTransitionTime } : next;
  if (before === undefined) return [...(conditions ?? []), kept];
  return (conditions ?? []).map((each) => (each === before ? kept : each));
}
