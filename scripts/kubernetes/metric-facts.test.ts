import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { METRIC_HISTORY } from '../../src/lifecycle/metric-history.ts';
import { metricDeclarations } from './metric-declarations.ts';
import { metricsOf, type ReleaseMetrics } from './metric-facts.ts';

const SOURCE = `
const (
	namespace = "apiserver"
	group     = "group"
)

var (
	sizes = metrics.NewHistogramVec(
		&metrics.HistogramOpts{
			Namespace:         namespace,
			Name:              "sizes",
			Help:              "Sizes {in bytes}, " + \`by "group".\`,
			Buckets:           []float64{0.5, 1.0,
				2},
			DeprecatedVersion: "1.36.0",
			StabilityLevel:    metrics.BETA,
		},
		[]string{group, "resource"},
	)
	plain = metrics.NewCounter(&metrics.CounterOpts{Subsystem: "plain",
		Name: "total",
	})
	made = metrics.NewGauge(&metrics.GaugeOpts{
		Name: opts.Name,
	})
	info = metrics.NewDesc(
		metrics.BuildFQName(namespace, "config", "info"),
		"The hash.",
		[]string{"hash", group}, nil, metrics.ALPHA, "")
)
`;

test('the facts of metrics are read from the sources of their package', () => {
  assert.deepEqual(Object.fromEntries(metricsOf([SOURCE])), {
    apiserver_sizes: {
      type: 'histogram',
      stability: 'BETA',
      deprecatedIn: '1.36.0',
      bounds: [0.5, 1, 2],
      help: 'Sizes {in bytes}, by "group".',
      labels: ['group', 'resource'],
    },
    plain_total: { type: 'counter', stability: 'ALPHA' },
    apiserver_config_info: { type: 'custom', stability: 'ALPHA', labels: ['group', 'hash'] },
  });
});

/** The entries of a written history. */
function entries(text: string): Record<string, unknown> {
  const rows = [...text.matchAll(/^ {2}(\w+): (\{.*\}),$/gm)];
  return Object.fromEntries(rows.map(([, name = '', value = '']) => [name, JSON.parse(value)]));
}

test('the history of a metric has its first and last release and what changes in between', () => {
  const same = { type: 'counter', stability: 'ALPHA' };
  const written = metricDeclarations(
    new Map<number, ReleaseMetrics>([
      [34, { same, gone: same, grown: { ...same, labels: ['a'] } }],
      [35, { same, fresh: same, grown: { ...same, labels: ['a', 'b'] } }],
      [36, { same, fresh: { ...same, stability: 'BETA', help: 'It.' }, grown: { ...same, labels: ['a', 'b'] } }],
    ]),
  );
  assert.deepEqual(entries(written), {
    fresh: { since: 35, stability: 'ALPHA', changes: [{ since: 36, stability: 'BETA', help: 'It.' }] },
    gone: { until: 34 },
    grown: { labels: ['a'], changes: [{ since: 35, labels: ['a', 'b'] }] },
  });
});

test('the history of metrics is the one that the table tells', () => {
  const folder = join(import.meta.dirname, 'table');
  const releases = readdirSync(folder).flatMap((file) => {
    const [, minor] = /^metrics-1\.(\d+)\.json$/.exec(file) ?? [];
    if (minor === undefined) return [];
    return [[Number(minor), JSON.parse(readFileSync(join(folder, file), 'utf8')) as ReleaseMetrics] as const];
  });
  assert.deepEqual(JSON.parse(JSON.stringify(METRIC_HISTORY)), entries(metricDeclarations(new Map(releases))));
});
