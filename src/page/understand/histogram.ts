// Histograms and counters between two scrapes: how much was added, and below which value what share of it lies.

import { bound, type Sample, sumBy } from './metrics-text.ts';

/** Counts of a histogram at or below each bound, in the order of the bounds. */
export type Buckets = readonly (readonly [bound: number, count: number])[];

/**
 * What counters grew by, key by key; one that is smaller than before began anew, as after a restart.
 * @param before undefined for the first scrape, of which nothing can be said
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

/** The buckets of several series added up. */
export function bucketsOf(samples: readonly Sample[] = []): Buckets {
  const sums = sumBy(samples, (labels) => labels['le']);
  return [...sums]
    .map(([le, count]) => [bound({ labels: { le }, value: 0 }), count] as const)
    .sort(([one], [other]) => one - other);
}

/** What buckets grew by; all of what they hold where there is nothing before it, or where they began anew. */
export function bucketGrowth(before: Buckets | undefined, after: Buckets): Buckets {
  const known = new Map(before);
  const isNew = (after.at(-1)?.[1] ?? 0) < (before?.at(-1)?.[1] ?? 0);
  return isNew ? after : after.map(([le, count]) => [le, Math.max(0, count - (known.get(le) ?? 0))]);
}

/**
 * The value below which the share `q` of all observations lies, by a straight line within its bucket, as Prometheus
 * estimates it; of the last bucket, which has no end, where it begins. Undefined where nothing was observed.
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
