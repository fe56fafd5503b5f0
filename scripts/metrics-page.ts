// Writes docs/metrics.md: every metric of the server, and the metrics of kube-apiserver that it omits, with the reason.
// `node scripts/metrics-page.ts` writes the page; a test checks that it is current.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ManualClock } from '../src/base/clock.ts';
import type { MetricHistory } from '../src/lifecycle/declared-metric.ts';
import { FeatureGates } from '../src/lifecycle/feature-gates.ts';
import { METRIC_HISTORY } from '../src/lifecycle/metric-history.ts';
import { isHiddenIn } from '../src/lifecycle/metric-release.ts';
import type { DeclaredMetric } from '../src/lifecycle/metrics.ts';
import { declareServerMetrics } from '../src/lifecycle/server-metrics.ts';
import {
  CURRENT_MINOR,
  DEFAULT_RELEASE,
  emulationOf,
  type KubernetesRelease,
  RELEASES,
} from '../src/lifecycle/version.ts';

const ROOT = join(import.meta.dirname, '..');

/** A metric of kube-apiserver 1.34, as its metrics page shows it. */
export interface KubernetesMetric {
  readonly type: string;
  readonly stability: 'ALPHA' | 'BETA' | 'STABLE';
  /** Undefined if no series was exposed. */
  readonly labels?: readonly string[];
  readonly buckets?: readonly number[];
}

/** Why metrics of kube-apiserver are omitted; the first pattern that matches a name applies. */
const REASONS: readonly (readonly [names: RegExp, reason: string])[] = [
  [
    /^apiserver_flowcontrol_(?:current_r|dispatch_r|latest_s|next_)/,
    'internals of another implementation of virtual time',
  ],
  [/^apiserver_flowcontrol_demand_seats$/, 'its average, deviation and high watermark are available'],
  [/^apiserver_admission_step_admission_duration_seconds_summary$/, 'a summary next to the histogram of the same name'],
  [/^apiserver_cache_list_(?:fetched|returned)/, 'lists do not count their objects'],
  [/^rest_client_exec_plugin/, 'the metric is not recorded for credential plugins'],
  [/^rest_client_transport/, 'connections are pooled per webhook'],
  [/^etcd_(?:bookmark|lease)/, 'all caches share the events of etcd'],
  [/^apiserver_(?:webhooks|kube_aggregator)_x509_/, 'specific to the certificate parser of Go'],
  [/^apiserver_selfrequest/, 'the server does not send requests to itself'],
  [/^apiserver_request_timestamp/, 'the times of managedFields are not compared separately'],
  [/^field_validation_/, 'kube-apiserver declares it without recording anything'],
  [/^apiextensions_openapi_/, 'OpenAPI documents are built on demand; kube-apiserver counts nothing'],
  [/^apiextensions_apiserver_validation_ratcheting/, 'ratcheting is part of validation and not measured separately'],
  [/^apiserver_peer_discovery_sync_/, 'the APIs of peers are read when a request needs them'],
  [/^apiserver_validation_declarative_validation_pa/, 'counted without the identifier of the rule'],
  [/^apiserver_validation_duplicate_/, "internal: a check of kube-apiserver's own code"],
  [/^apiserver_watch_events_dispatch_duration/, 'events pass through other stages'],
  [/^apiserver_watch_(?:filtered_events|shards)_/, 'shards of lists and watches are not counted'],
  [/^informer_/, 'controllers have no queues of informers'],
  [/^apiserver_(?:nodeport|clusterip)_repair/, 'nothing needs repair: the stored services determine what is allocated'],
];

/**
 * Returns every metric that a server may declare, including those of features that are off by default.
 *
 * @param release the release of Kubernetes that it serves
 */
export function allMetrics(release: KubernetesRelease = DEFAULT_RELEASE): DeclaredMetric[] {
  const metrics = declareServerMetrics({
    clock: new ManualClock(),
    gates: new FeatureGates({}),
    emulation: emulationOf(release.minor, release),
    runtime: { nodeVersion: '', platform: '', arch: '' },
    rules: { disabled: [], allowedLabels: {}, showsHidden: true },
    process: () => ({ cpuSeconds: 0, residentBytes: 0, virtualBytes: 0, startSeconds: 0, openFiles: 0, maxFiles: 0 }),
    resources: () => [],
    storageSizes: () => [],
  });
  metrics.auth.webhooks();
  metrics.auth.impersonations();
  metrics.auth.jwt(() => '');
  metrics.admission.manifests();
  return [...metrics.declared()].sort((one, other) => (one.declaration.name < other.declaration.name ? -1 : 1));
}

export function kubernetesMetrics(): Readonly<Record<string, KubernetesMetric>> {
  const path = join(ROOT, 'test/fixtures/kube-apiserver-metrics.json');
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, KubernetesMetric>;
}

/** Returns why a metric of kube-apiserver is omitted; undefined if no reason is recorded. */
export function reasonOf(name: string): string | undefined {
  return REASONS.find(([names]) => names.test(name))?.[1];
}

/** Returns the text of the page. */
export function metricsPage(): string {
  const own = allMetrics();
  const names = new Set(own.map(({ declaration }) => declaration.name));
  const later = laterMetrics();
  const missing = Object.entries(kubernetesMetrics()).filter(([name]) => !names.has(name));
  return [
    '# Metrics',
    '',
    'The metrics of `/metrics`, with the names, labels, buckets and stability classes of kube-apiserver v1.34 where it has',
    'the metric. `/metrics/slis` has those of health checks (`kubernetes_healthcheck`, `kubernetes_healthchecks_total`).',
    "Metrics of Go's runtime (`go_*`) and of its gRPC client are omitted.",
    '',
    'Generated by `scripts/metrics-page.ts`.',
    '',
    '| name | type | stability | labels | description |',
    '|---|---|---|---|---|',
    ...own.map(row),
    '',
    '## Omitted',
    '',
    '| name | stability | why |',
    '|---|---|---|',
    ...missing.map(([name, { stability }]) => `| \`${name}\` | ${stability} | ${reasonOf(name) ?? ''} |`),
    '',
    '## Other releases',
    '',
    'With `--kubernetes-version`, these metrics are as in that release; before 1.29, as in 1.29:',
    '',
    '| name | differences |',
    '|---|---|',
    ...Object.entries(METRIC_HISTORY).flatMap(([name, history]) => {
      const found = names.has(name) || later.has(name) ? differences(history, later.get(name)) : [];
      return found.length === 0 ? [] : [`| \`${name}\` | ${found.join('; ')} |`];
    }),
    '',
    'Omitted of those that came with a later release:',
    '',
    '| name | since | why |',
    '|---|---|---|',
    ...laterOmitted().map((name) => {
      return `| \`${name}\` | 1.${METRIC_HISTORY[name]?.since} | ${reasonOf(name) ?? ''} |`;
    }),
    '',
  ].join('\n');
}

/** Metrics that kube-apiserver has from a later release on and this server does not. */
export function laterOmitted(): string[] {
  const own = laterNames();
  return Object.entries(METRIC_HISTORY).flatMap(([name, { since }]) =>
    since === undefined || since <= CURRENT_MINOR || own.has(name) ? [] : [name],
  );
}

/** The names of the metrics of a server that serves the newest release. */
function laterNames(): ReadonlySet<string> {
  return new Set(laterMetrics().keys());
}

/** The metrics of that server by name. */
function laterMetrics(): ReadonlyMap<string, DeclaredMetric> {
  return new Map(allMetrics(RELEASES.at(-1)).map((metric) => [metric.declaration.name, metric]));
}

/** What changes in a metric, the oldest first. @param metric as the newest release has it */
function differences({ since, until, changes = [] }: MetricHistory, metric: DeclaredMetric | undefined): string[] {
  const hiding = metric && RELEASES.find(({ minor }) => isHiddenIn(minor, metric.declaration));
  return [
    ...(since === undefined ? [] : [`new in 1.${since}`]),
    ...changes.flatMap(({ since: from, stability, deprecatedIn, labels, bounds }) => {
      const parts = [
        ...(stability === undefined ? [] : [stability]),
        ...(deprecatedIn === undefined ? [] : ['deprecated']),
        ...(labels === undefined ? [] : [`labels ${labels.map((label) => `\`${label}\``).join(', ')}`]),
        ...(bounds === undefined ? [] : [`buckets up to ${bounds.at(-1)}`]),
      ];
      return parts.length === 0 ? [] : [`1.${from}: ${parts.join(', ')}`];
    }),
    ...(hiding === undefined ? [] : [`1.${hiding.minor}: hidden`]),
    ...(until === undefined ? [] : [`gone after 1.${until}`]),
  ];
}

function row({ declaration, type }: DeclaredMetric): string {
  const { name, stability, labels = [], help, deprecatedIn } = declaration;
  const shown = [...labels].sort().map((label) => `\`${label}\``);
  const deprecated = deprecatedIn === undefined ? '' : ` Deprecated since ${deprecatedIn}, hidden.`;
  return `| \`${name}\` | ${type} | ${stability} | ${shown.join(', ')} | ${help.replaceAll('|', '\\|')}${deprecated} |`;
}

if (import.meta.main) writeFileSync(join(ROOT, 'docs/metrics.md'), metricsPage());
