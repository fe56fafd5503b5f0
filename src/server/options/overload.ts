// Options of overload protection and shutdown.

import type { UnusedFlags } from './unused-flags.ts';

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

interface RequestLimits {
  readonly requestTimeoutMs: number;
  readonly minRequestTimeoutSeconds: number;
  readonly maxRequestsInFlight: number;
  readonly maxMutatingRequestsInFlight: number;
  readonly shutdownDelayMs: number;
}

/** All errors, in kube-apiserver's words and order. */
export function requestLimitProblems(
  options: OverloadOptions & RequestLimits,
  { 'storage-initialization-timeout': storageInitializationMs }: Pick<UnusedFlags, 'storage-initialization-timeout'>,
): string[] {
  const negative = 'can not be negative value';
  // Written so that NaN is rejected too.
  const rules: [holds: boolean, problem: string][] = [
    [options.livezGraceMs >= 0, '--livez-grace-period can not be a negative value'],
    [options.maxRequestsInFlight >= 0, `--max-requests-inflight ${negative}`],
    [options.maxMutatingRequestsInFlight >= 0, `--max-mutating-requests-inflight ${negative}`],
    [options.requestTimeoutMs >= 0, `--request-timeout ${negative}`],
    [
      !(options.goawayChance < 0 || options.goawayChance > 0.02),
      '--goaway-chance can not be less than 0 or greater than 0.02',
    ],
    [options.minRequestTimeoutSeconds >= 0, `--min-request-timeout ${negative}`],
    [storageInitializationMs >= 0, `--storage-initialization-timeout ${negative}`],
    [options.shutdownDelayMs >= 0, `--shutdown-delay-duration ${negative}`],
    [
      options.shutdownWatchTerminationGraceMs >= 0,
      'shutdown-watch-termination-grace-period, if provided, can not be a negative value',
    ],
  ];
  return rules.filter(([holds]) => !holds).map(([, problem]) => problem);
}

/** Priority and fairness needs at least one seat. */
export function seatsProblem(options: OverloadOptions & RequestLimits): string | undefined {
  const { maxRequestsInFlight: reads, maxMutatingRequestsInFlight: writes } = options;
  if (!options.enablePriorityAndFairness || reads + writes > 0) return undefined;
  const both = `MaxRequestsInFlight=${reads} and MaxMutatingRequestsInFlight=${writes}`;
  return `invalid configuration: ${both}; they must add up to something positive`;
}
