// The writer of src/lifecycle/metric-history.ts: the releases that have each metric, and what changes in it.

import type { MetricFacts, ReleaseMetrics } from './metric-facts.ts';

/** The text of metric-history.ts. */
export function metricDeclarations(releases: ReadonlyMap<number, ReleaseMetrics>): string {
  const minors = [...releases.keys()].sort((one, other) => one - other);
  const names = [...new Set([...releases.values()].flatMap((metrics) => Object.keys(metrics)))].sort();
  const rows = names.flatMap((name) => {
    const history = historyOf(minors, (minor) => releases.get(minor)?.[name]);
    return history === undefined ? [] : [`  ${name}: ${JSON.stringify(history)},\n`];
  });
  return `// The metrics of Kubernetes that not all known releases have, or not in the same way. Written by \`npm run kubernetes\`.

import { lookup } from '../base/lookup.ts';
import type { MetricHistory } from './declared-metric.ts';

/** By the name of the metric. */
export const METRIC_HISTORY: Readonly<Record<string, MetricHistory>> = lookup<MetricHistory>({
${rows.join('')}});
`;
}

/** @param factsIn returns the metric in a minor release; undefined if the release does not have it */
function historyOf(minors: readonly number[], factsIn: (minor: number) => MetricFacts | undefined) {
  const there = minors.filter((minor) => factsIn(minor) !== undefined);
  const [first = 0] = there;
  const last = there.at(-1) ?? 0;
  const changes = there.slice(1).flatMap((minor, at) => {
    const change = changeOf(factsIn(there[at] ?? 0), factsIn(minor));
    return Object.keys(change).length === 0 ? [] : [{ since: minor, ...change }];
  });
  const history = {
    ...(first !== minors[0] && { since: first }),
    ...(last !== minors.at(-1) && { until: last }),
    ...beforeChanges({ labels: [], ...factsIn(first) }, changes),
    ...(changes.length > 0 && { changes }),
  };
  return Object.keys(history).length === 0 ? undefined : history;
}

/** What a metric is in its first release, as far as it changes later. */
function beforeChanges(first: Partial<MetricFacts>, changes: readonly object[]): Partial<MetricFacts> {
  const changing = COMPARED.filter((each) => changes.some((change) => each in change));
  return Object.fromEntries(changing.flatMap((each) => (first[each] === undefined ? [] : [[each, first[each]]])));
}

const COMPARED = ['stability', 'deprecatedIn', 'labels', 'bounds', 'help'] as const;

function changeOf(before: MetricFacts | undefined, now: MetricFacts | undefined): Partial<MetricFacts> {
  const changed = COMPARED.filter(
    (each) => now?.[each] !== undefined && JSON.stringify(before?.[each]) !== JSON.stringify(now[each]),
  );
  return Object.fromEntries(changed.map((each) => [each, now?.[each]]));
}
