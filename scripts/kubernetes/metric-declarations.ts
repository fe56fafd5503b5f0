// The writer of src/lifecycle/metric-history.ts: how the metrics of each release differ from those of the release served
// by default.

import { CURRENT_MINOR } from '../../src/lifecycle/version.ts';
import type { MetricFacts, ReleaseMetrics } from './metric-facts.ts';

/** The text of metric-history.ts. @param releases from the one that is served by default on */
export function metricDeclarations(releases: ReadonlyMap<number, ReleaseMetrics>): string {
  const minors = [...releases.keys()].sort((one, other) => one - other);
  const names = [...new Set([...releases.values()].flatMap((metrics) => Object.keys(metrics)))].sort();
  const rows = names.flatMap((name) => {
    const history = historyOf(minors, (minor) => releases.get(minor)?.[name]);
    return history === undefined ? [] : [`  ${name}: ${JSON.stringify(history)},\n`];
  });
  return `// The metrics of later releases of Kubernetes: how they differ from those of the release served by default. Written by
// \`npm run kubernetes\`.

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
  if (first !== CURRENT_MINOR) return { since: first, ...end(last, minors), ...(changes.length > 0 && { changes }) };
  if (changes.length === 0 && last === minors.at(-1)) return undefined;
  const labels = changes.some((change) => 'labels' in change) ? { labels: factsIn(first)?.labels ?? [] } : {};
  return { ...end(last, minors), ...labels, ...(changes.length > 0 && { changes }) };
}

function end(last: number, minors: readonly number[]): { until?: number } {
  return last === minors.at(-1) ? {} : { until: last };
}

const COMPARED = ['stability', 'deprecatedIn', 'labels', 'bounds', 'help'] as const;

function changeOf(before: MetricFacts | undefined, now: MetricFacts | undefined): Partial<MetricFacts> {
  const changed = COMPARED.filter(
    (each) => now?.[each] !== undefined && JSON.stringify(before?.[each]) !== JSON.stringify(now[each]),
  );
  return Object.fromEntries(changed.map((each) => [each, now?.[each]]));
}
