// Metrics flags of `keelson serve`: a row for each.

import type { Flag } from './flag.ts';

export const metricsFlags: readonly Flag[] = [
  {
    name: 'allow-metric-labels',
    type: 'labelValues',
    option: 'allowMetricLabels',
    help: 'Values that a label may have: metric,label=a,b.',
  },
  {
    name: 'allow-metric-labels-manifest',
    type: 'file',
    option: 'allowMetricLabelsManifest',
    help: 'The same from a file in YAML.',
  },
  {
    name: 'show-hidden-metrics-for-version',
    type: 'string',
    option: 'showHiddenMetricsForVersion',
    help: 'Show hidden metrics of this version: the previous minor release.',
  },
  { name: 'disabled-metrics', type: 'strings', option: 'disabledMetrics', help: 'Names of metrics to leave out.' },
];
