// Histograms and counters between two scrapes: increases and quantiles.

import { bound, type Sample, sumBy } from './metrics-text.ts';

/** Cumulative counts of a histogram for each upper bound, in the order of the bounds. */
export type Buckets = readonly (readonly [bound: number, count: number])[];

/**
 * Returns the increase of counters by key; a counter that decreased was reset, as after a restart.
 * @param before undefined for the first scrape, which has no increase
 */
export function growth(
  before: ReadonlyMap<string, number> | undefined,
  after: ReadonlyMap<string, number>,
): Map<string, number> {
  const grown = new Map<string, number>();
  if (before === undefined) return grown;
  for (const [key, value] of after) {
    const known = before.get(key) ?? 0;
    grown.set(key, value < known ? value : value - known);
  }
  return grown;
}

/** Returns the sum of the buckets of several series. */
export function bucketsOf(samples: readonly Sample[] = []): Buckets {
  const sums = sumBy(samples, (labels) => labels['le']);
  return [...sums]
    .map(([le, count]) => [bound({ labels: { le }, value: 0 }), count] as const)
    .sort(([one], [other]) => one - other);
}

/** Returns the increase of buckets; the full counts if there is no earlier scrape, or after a reset. */
export function bucketGrowth(before: Buckets | undefined, after: Buckets): Buckets {
  const known = new Map(before);
  const isNew = (after.at(-1)?.[1] ?? 0) < (before?.at(-1)?.[1] ?? 0);
  return isNew ? after : after.map(([le, count]) => [le, Math.max(0, count - (known.get(le) ?? 0))]);
}

/**
 * Estimates the `q` quantile by linear interpolation within its bucket, as Prometheus does; for the last bucket, which
 * is unbounded, its lower bound. Undefined if there are no observations.
 * @param q from 0 to 1
 */
export function quantile(q: number, buckets: Buckets): number | undefined {
  const total = buckets.at(-1)?.[1] ?? 0;
  if (total === 0) return undefined;
  const rank = q * total;
  const at = buckets.findIndex(([, count]) => count >= rank);
  const [end, count] = buckets[at]!;
  const [start, below] = at === 0 ? [0, 0] : buckets[at - 1]!;
  if (end === Number.POSITIVE_INFINITY) return start;
  return count === below ? end : start + ((end - start) * (rank - below)) / (count - below);
}
