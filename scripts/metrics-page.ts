// Writes docs/metrics.md: every metric that the server has, and those of kube-apiserver that it leaves out, with the
// reason. `node scripts/metrics-page.ts` writes the page, a test keeps it current.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ManualClock } from '../src/base/clock.ts';
import { FeatureGates } from '../src/lifecycle/feature-gates.ts';
import type { DeclaredMetric } from '../src/lifecycle/metrics.ts';
import { declareServerMetrics } from '../src/lifecycle/server-metrics.ts';
import { emulationOf } from '../src/lifecycle/version.ts';

const ROOT = join(import.meta.dirname, '..');

/** A metric of kube-apiserver 1.34, as its metrics page shows it. */
export interface KubernetesMetric {
  readonly type: string;
  readonly stability: 'ALPHA' | 'BETA' | 'STABLE';
  /** Undefined where no series was seen. */
  readonly labels?: readonly string[];
  readonly buckets?: readonly number[];
}

/** Why metrics of kube-apiserver are left out; the first that fits a name counts. */
const REASONS: readonly (readonly [names: RegExp, reason: string])[] = [
  [/^apiserver_flowcontrol_(?:current_r|dispatch_r|latest_s|next_)/, 'internals of another way to keep virtual time'],
  [/^apiserver_flowcontrol_demand_seats$/, 'its average, deviation and high watermark are told'],
  [/^apiserver_admission_step_admission_duration_seconds_summary$/, 'a summary beside the histogram of the same name'],
  [/^apiserver_cache_list_(?:fetched|returned)/, 'lists are answered without counting their objects'],
  [/^rest_client_exec_plugin/, 'no programs are run for credentials'],
  [/^rest_client_transport/, 'connections are kept for each webhook'],
  [/^etcd_(?:bookmark|lease)/, 'events of etcd are shared by all caches'],
  [/^apiserver_(?:webhooks|kube_aggregator)_x509_/, 'about certificates as Go reads them'],
  [/^apiserver_selfrequest/, 'the server sends itself no requests'],
  [/^apiserver_storage_consistency/, 'caches are not compared with the store'],
  [/^apiserver_request_timestamp/, 'the times in the records of field managers are not compared by themselves'],
  [/^field_validation_/, 'kube-apiserver declares it and observes nothing'],
  [/^apiextensions_openapi_/, 'OpenAPI documents are made when somebody asks for them; kube-apiserver counts nothing'],
  [/^apiextensions_apiserver_validation_ratcheting/, 'what is new is told from what was there while it is validated'],
  [
    /^apiserver_nodeport_repair/,
    'node ports are never to be repaired: the services that are stored say which are taken',
  ],
];

/** Every metric that a server may declare: also those of what is off by default. */
export function allMetrics(): DeclaredMetric[] {
  const metrics = declareServerMetrics({
    clock: new ManualClock(),
    gates: new FeatureGates({}),
    emulation: emulationOf(34),
    runtime: { nodeVersion: '', platform: '', arch: '' },
    rules: { disabled: [], allowedLabels: {}, showsHidden: true },
    process: () => ({ cpuSeconds: 0, residentBytes: 0, virtualBytes: 0, startSeconds: 0, openFiles: 0, maxFiles: 0 }),
    resources: () => [],
    storageSizes: () => [],
  });
  metrics.auth.webhooks();
  metrics.auth.jwt(() => '');
  return [...metrics.declared()].sort((one, other) => (one.declaration.name < other.declaration.name ? -1 : 1));
}

export function kubernetesMetrics(): Readonly<Record<string, KubernetesMetric>> {
  const path = join(ROOT, 'test/fixtures/kube-apiserver-metrics.json');
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, KubernetesMetric>;
}

/** Why a metric of kube-apiserver is left out; undefined where nobody has said. */
export function reasonOf(name: string): string | undefined {
  return REASONS.find(([names]) => names.test(name))?.[1];
}

/** The page's text. */
export function metricsPage(): string {
  const own = allMetrics();
  const names = new Set(own.map(({ declaration }) => declaration.name));
  const missing = Object.entries(kubernetesMetrics()).filter(([name]) => !names.has(name));
  return [
    '# Metrics',
    '',
    'What `/metrics` tells, under the names, labels, buckets and stability classes of kube-apiserver v1.34 where it has',
    'the metric. `/metrics/slis` tells of health checks (`kubernetes_healthcheck`, `kubernetes_healthchecks_total`).',
    "Families of Go's runtime (`go_*`) and of its gRPC client are left out.",
    '',
    'Written by `scripts/metrics-page.ts`.',
    '',
    '| name | type | stability | labels | what it tells |',
    '|---|---|---|---|---|',
    ...own.map(row),
    '',
    '## Left out',
    '',
    '| name | stability | why |',
    '|---|---|---|',
    ...missing.map(([name, { stability }]) => `| \`${name}\` | ${stability} | ${reasonOf(name) ?? ''} |`),
    '',
  ].join('\n');
}

function row({ declaration, type }: DeclaredMetric): string {
  const { name, stability, labels = [], help, deprecatedIn } = declaration;
  const shown = [...labels].sort().map((label) => `\`${label}\``);
  const deprecated = deprecatedIn === undefined ? '' : ` Deprecated since ${deprecatedIn}, hidden.`;
  return `| \`${name}\` | ${type} | ${stability} | ${shown.join(', ')} | ${help.replaceAll('|', '\\|')}${deprecated} |`;
}

if (import.meta.main) writeFileSync(join(ROOT, 'docs/metrics.md'), metricsPage());
