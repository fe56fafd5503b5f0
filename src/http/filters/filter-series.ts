// Durations of the filters of the handler chain, as in kube-apiserver's metric.

import type { Histogram, MetricFamily } from '../../lifecycle/metrics.ts';

const FILTERS = ['authentication', 'audit', 'impersonation', 'priorityandfairness', 'authorization'] as const;

/** Kubernetes' name of the filter. */
export type Filter = (typeof FILTERS)[number];

export class FilterSeries {
  readonly #series: Readonly<Partial<Record<Filter, Histogram>>>;

  /** @param fairness whether priority and fairness is enabled; the plain limits have no name in this metric */
  constructor(family: MetricFamily<'filter', Histogram>, fairness: boolean) {
    const filters = FILTERS.filter((filter) => fairness || filter !== 'priorityandfairness');
    this.#series = Object.fromEntries(filters.map((filter) => [filter, family.with({ filter })] as const));
  }

  /** Records the end of a step. @param sinceMs when it began, by the process's clock @returns when it ended */
  passed(filter: Filter, sinceMs: number): number {
    const nowMs = performance.now();
    this.#series[filter]?.observe((nowMs - sinceMs) / 1000);
    return nowMs;
  }
}
