// Histogram buckets of Kubernetes' metrics. The quantiles of dashboards depend on them.

/** Requests, and calls of the store, in seconds. */
export const requestSeconds: readonly number[] = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

/** Requests without webhooks and queueing, in seconds. */
export const objectiveSeconds: readonly number[] = requestSeconds.filter((bound) => bound >= 0.05);

/** Waits of reads for the watch cache, in seconds. */
export const freshnessSeconds: readonly number[] = requestSeconds.filter((bound) => bound <= 3);

/** Initializations of the watch cache, in seconds. */
export const initializationSeconds: readonly number[] = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600];

/** Initial events of watches, in seconds until they have been sent. */
export const watchListSeconds: readonly number[] = [
  0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20, 30, 45, 60,
];

/** Authentication and authorization, in seconds. */
export const decisionSeconds: readonly number[] = exponentialBounds(0.001, 2, 15);

/** Filters of the handler chain, in seconds. */
export const filterSeconds: readonly number[] = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30];

/** Remaining validity: half an hour to a year. */
export const remainingSeconds: readonly number[] = [
  ...[0, 1800, 3600, 7200, 21_600, 43_200],
  ...[1, 2, 4, 7, 30, 90, 180, 360].map((days) => days * 86_400),
];

/** Calls of other servers in seconds, and their sizes in bytes. */
export const callSeconds: readonly number[] = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
export const calledBytes: readonly number[] = [
  ...[64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144],
  ...[1, 4, 16].map((mebibytes) => mebibytes * 1_048_576),
];

/** Responses in bytes: a kilobyte to a gigabyte. */
/** Prometheus' default, in seconds. */
export const usualSeconds: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
export const responseBytes: readonly number[] = exponentialBounds(1000, 10, 7);

export const requestBodyBytes: readonly number[] = Array.from({ length: 31 }, (_, index) => 50_000 + 100_000 * index);

export const watchEventBytes: readonly number[] = exponentialBounds(1024, 2, 8);

function exponentialBounds(start: number, factor: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => start * factor ** index);
}
