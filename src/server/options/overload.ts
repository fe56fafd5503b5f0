// Options by which the server protects itself from more requests than it can serve, and by which it stops.

export interface OverloadOptions {
  /** Whether requests are classified and queued; else two plain limits hold, for reads and for writes. */
  readonly enablePriorityAndFairness: boolean;
  /** The chance that an HTTP/2 request makes its connection end, so that clients spread over servers. */
  readonly goawayChance: number;
  /** Of each direction of a connection to a pod, a node or a service that has left HTTP; 0 for no bound. */
  readonly maxConnectionBytesPerSec: number;
  /** Whether clients are told to come again while the server stops and waits for requests in flight. */
  readonly shutdownSendRetryAfter: boolean;
  /** How long the server waits for watches to end when it stops; 0: they are ended with everything else. */
  readonly shutdownWatchTerminationGraceMs: number;
  /** How long /livez bears with what has not started yet. */
  readonly livezGraceMs: number;
}

export const defaultOverloadOptions: OverloadOptions = {
  enablePriorityAndFairness: true,
  goawayChance: 0,
  maxConnectionBytesPerSec: 0,
  shutdownSendRetryAfter: false,
  shutdownWatchTerminationGraceMs: 0,
  livezGraceMs: 0,
};

/** The two limits that, taken together, are the server's seats. */
interface InFlightLimits {
  readonly maxRequestsInFlight: number;
  readonly maxMutatingRequestsInFlight: number;
}

/** Everything that is wrong with them, in kube-apiserver's words. */
export function overloadProblems(options: OverloadOptions & InFlightLimits): string[] {
  const problems: string[] = [];
  if (!(options.goawayChance >= 0 && options.goawayChance <= 0.02)) {
    problems.push('--goaway-chance can not be less than 0 or greater than 0.02');
  }
  if (!(options.livezGraceMs >= 0)) problems.push('--livez-grace-period can not be a negative value');
  if (!(options.shutdownWatchTerminationGraceMs >= 0)) {
    problems.push('shutdown-watch-termination-grace-period, if provided, can not be a negative value');
  }
  const { maxRequestsInFlight: reads, maxMutatingRequestsInFlight: writes } = options;
  if (options.enablePriorityAndFairness && reads >= 0 && writes >= 0 && reads + writes === 0) {
    const both = `MaxRequestsInFlight=${reads} and MaxMutatingRequestsInFlight=${writes}`;
    problems.push(`invalid configuration: ${both}; they must add up to something positive`);
  }
  return problems;
}
