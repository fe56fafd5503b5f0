// Options of coordinated leader election: how the servers of a cluster elect the one among them that chooses the leaders
// of other components.

export interface CoordinationOptions {
  readonly coordinatedLeadershipLeaseDurationMs: number;
  readonly coordinatedLeadershipRenewDeadlineMs: number;
  readonly coordinatedLeadershipRetryPeriodMs: number;
}

export const defaultCoordinationOptions: CoordinationOptions = {
  coordinatedLeadershipLeaseDurationMs: 15_000,
  coordinatedLeadershipRenewDeadlineMs: 10_000,
  coordinatedLeadershipRetryPeriodMs: 2_000,
};

/** In kube-apiserver's words. */
export function coordinationProblems(options: CoordinationOptions): string[] {
  const { coordinatedLeadershipLeaseDurationMs: lease, coordinatedLeadershipRenewDeadlineMs: renewal } = options;
  const flag = (name: string) => `--coordinated-leadership-${name}`;
  const problems: string[] = [];
  if (lease <= renewal) problems.push(`${flag('lease-duration')} must be greater than ${flag('renew-deadline')}`);
  if (renewal <= options.coordinatedLeadershipRetryPeriodMs) {
    problems.push(`${flag('renew-deadline')} must be greater than ${flag('retry-period')}`);
  }
  return problems;
}
