// Options of overload protection and shutdown.

export interface OverloadOptions {
  /** Whether requests are classified and queued; otherwise there are two plain limits, for reads and for writes. */
  readonly enablePriorityAndFairness: boolean;
  /** The probability that an HTTP/2 request closes its connection, so that clients spread over servers. */
  readonly goawayChance: number;
  /** Limit for each direction of an upgraded connection to a pod, node or service; 0 for none. */
  readonly maxConnectionBytesPerSec: number;
  /** Whether new requests are asked to retry while the server waits for requests in flight during shutdown. */
  readonly shutdownSendRetryAfter: boolean;
  /** How long the server waits for watches during shutdown; 0 ends them with everything else. */
  readonly shutdownWatchTerminationGraceMs: number;
  /** How long /livez tolerates incomplete startup. */
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

/** The two limits whose sum is the number of seats. */
interface InFlightLimits {
  readonly maxRequestsInFlight: number;
  readonly maxMutatingRequestsInFlight: number;
}

/** All errors, in kube-apiserver's words. */
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
