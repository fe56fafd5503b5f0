// Histogram buckets of the metrics of priority and fairness, as in Kubernetes.

export const waitSeconds: readonly number[] = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

export const queueLengths: readonly number[] = [0, 10, 25, 50, 100, 250, 500, 1000];

export const watcherCounts: readonly number[] = [0, 1, 10, 100, 1000, 10_000];

export const estimatedSeats: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 100];

/** Fractions of a limit. */
export const utilizationBounds = {
  seats: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
  requests: [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1],
  readsAndWrites: [0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
  demand: [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6],
} as const;
