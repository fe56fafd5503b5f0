// Metrics read at scrape time: of the process, the resources, the build, and the registry itself. The sources are
// supplied by the caller.

import type { Clock } from '../base/clock.ts';
import type { FeatureGates } from './feature-gates.ts';
import type { MetricRegistry, MetricRules, Sample } from './metrics.ts';
import { type Emulation, gitVersionOf, type Runtime, versionDocument } from './version.ts';

/** The sources of values read at scrape time. */
export interface MetricSources {
  readonly clock: Clock;
  readonly gates: FeatureGates;
  readonly emulation: Emulation;
  readonly runtime: Runtime;
  readonly rules?: MetricRules;
  process(): ProcessFacts;
  /** One entry for each served resource. */
  resources(): Iterable<ResourceFacts>;
  /** Whether objects are counted; true by default. */
  readonly countsObjects?: boolean;
  /** Size of the files of each store; undefined if there are none. */
  storageSizes?(): Iterable<readonly [store: string, bytes: number]>;
}

export interface ProcessFacts {
  /** User and system time of the process. */
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  readonly virtualBytes: number;
  /** Since the Unix epoch. */
  readonly startSeconds: number;
  readonly openFiles: number;
  readonly maxFiles: number;
}

export interface ResourceFacts {
  /** '' for the core group. */
  readonly group: string;
  readonly resource: string;
  readonly objects: number;
  /** Size of all its stored objects. */
  readonly bytes: number;
  /** The revision up to which the watch cache is complete. */
  readonly revision: number;
  /** Events in the watch cache. */
  readonly historyEvents: number;
  /** Events sent by the store since the server started. */
  readonly receivedEvents: number;
}

/** Declares all of them. */
export function collectMetrics(registry: MetricRegistry, sources: MetricSources): void {
  collectResources(registry, sources);
  collectProcess(registry, sources.process);
  collectServer(registry, sources);
  collectRegistry(registry);
}

function collectStorageSizes(registry: MetricRegistry, sizes: NonNullable<MetricSources['storageSizes']>): void {
  const help = 'Size of the storage database file physically allocated in bytes.';
  const metric = {
    name: 'apiserver_storage_size_bytes',
    help,
    stability: 'STABLE',
    labels: ['storage_cluster_id'],
    sharedByThreads: true,
  } as const;
  registry.collected(metric, 'gauge', () =>
    Iterator.from(sizes()).map(([store, value]) => ({ labels: { storage_cluster_id: store }, value })),
  );
  registry.collected(
    {
      name: 'apiserver_storage_db_total_size_in_bytes',
      help,
      stability: 'ALPHA',
      labels: ['endpoint'],
      deprecatedIn: '1.28.0',
      sharedByThreads: true,
    },
    'gauge',
    () => Iterator.from(sizes()).map(([store, value]) => ({ labels: { endpoint: store }, value })),
  );
}

function collectResources(registry: MetricRegistry, sources: MetricSources): void {
  const { countsObjects = true, storageSizes } = sources;
  const resources = () => sources.resources();
  if (storageSizes !== undefined) collectStorageSizes(registry, storageSizes);
  const gauges: [name: string, help: string, value: (facts: ResourceFacts) => number][] = [
    ['apiserver_resource_objects', 'Stored objects, by resource.', (facts) => facts.objects],
    ['apiserver_resource_size_estimate_bytes', 'Size of stored objects in bytes, by resource.', (facts) => facts.bytes],
    [
      'apiserver_watch_cache_resource_version',
      'Current resource version of the watch cache.',
      (facts) => facts.revision,
    ],
    ['watch_cache_capacity', 'Events in the watch cache.', (facts) => facts.historyEvents],
  ];
  const received = (facts: ResourceFacts) => facts.receivedEvents;
  const counters: typeof gauges = [
    ['apiserver_watch_cache_events_received_total', 'Events received by the watch cache.', received],
    ['apiserver_watch_cache_events_dispatched_total', 'Events dispatched by the watch cache.', received],
    ['apiserver_storage_events_received_total', 'Events received from the store.', received],
  ];
  for (const [name, help, value] of [...(countsObjects ? gauges : gauges.slice(1)), ...counters]) {
    const type = name.endsWith('_total') ? 'counter' : 'gauge';
    const labels = ['group', 'resource'] as const;
    registry.collected({ name, help, stability: 'ALPHA', labels, sharedByThreads: true }, type, () =>
      Iterator.from(resources()).map((facts) => ({
        labels: { group: facts.group, resource: facts.resource },
        value: value(facts),
      })),
    );
  }
  registry.collected(
    {
      name: 'apiserver_storage_objects',
      help: '[DEPRECATED, consider using apiserver_resource_objects instead] Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.',
      stability: 'STABLE',
      labels: ['resource'],
      sharedByThreads: true,
    },
    'gauge',
    () =>
      Iterator.from(resources()).map(({ group, resource, objects }) => ({
        labels: { resource: group === '' ? resource : `${resource}.${group}` },
        value: objects,
      })),
  );
}

function collectProcess(registry: MetricRegistry, process: () => ProcessFacts): void {
  const collect = (name: string, help: string, value: (facts: ProcessFacts) => number): void => {
    const type = name.endsWith('_total') ? 'counter' : 'gauge';
    registry.collected({ name, help, stability: 'ALPHA', sharedByThreads: true }, type, () => [
      { labels: {}, value: value(process()) },
    ]);
  };
  collect('process_cpu_seconds_total', 'Seconds of processor time used.', (facts) => facts.cpuSeconds);
  collect('process_resident_memory_bytes', 'Resident memory in bytes.', (facts) => facts.residentBytes);
  collect('process_virtual_memory_bytes', 'Virtual memory in bytes.', (facts) => facts.virtualBytes);
  collect(
    'process_start_time_seconds',
    'Start time of the process, in seconds since the Unix epoch.',
    (facts) => facts.startSeconds,
  );
  collect('process_open_fds', 'Open file descriptors.', (facts) => facts.openFiles);
  collect('process_max_fds', 'Maximum number of open file descriptors.', (facts) => facts.maxFiles);
}

function collectServer(registry: MetricRegistry, { gates, emulation, runtime }: MetricSources): void {
  registry.collected(
    {
      name: 'kubernetes_feature_enabled',
      help: 'This metric records the data about the stage and enablement of a k8s feature.',
      stability: 'BETA',
      labels: ['name', 'stage'],
      sharedByThreads: true,
    },
    'gauge',
    () =>
      gates.all().map(({ name, stage, enabled }) => ({
        // Kubernetes leaves the stage of GA features empty.
        labels: { name, stage: stage === 'GA' ? '' : stage },
        value: Number(enabled),
      })),
  );
  const document = versionDocument(runtime, emulation);
  collectInfo(registry, {
    name: 'kubernetes_build_info',
    help: 'Build information: always 1.',
    labels: {
      major: document.major,
      minor: document.minor,
      git_version: gitVersionOf(emulation.binary),
      git_commit: document.gitCommit,
      git_tree_state: document.gitTreeState,
      build_date: document.buildDate,
      go_version: document.goVersion,
      compiler: document.compiler,
      platform: document.platform,
    },
  });
  collectInfo(registry, {
    name: 'version_info',
    help: 'Emulated versions: always 1.',
    labels: {
      component: 'kube',
      binary: `1.${emulation.binary.minor}.${emulation.binary.patch}`,
      emulation: emulation.release,
      min_compat: `1.${emulation.minCompatibilityMinor}`,
    },
  });
}

/** A gauge that is always 1 and carries information in its labels. */
function collectInfo(registry: MetricRegistry, about: Info): void {
  const { name, help, labels } = about;
  const declaration = { name, help, labels: Object.keys(labels), stability: 'ALPHA', sharedByThreads: true } as const;
  registry.collected(declaration, 'gauge', () => [{ labels, value: 1 }]);
}

interface Info {
  readonly name: string;
  readonly help: string;
  readonly labels: Readonly<Record<string, string>>;
}

function collectRegistry(registry: MetricRegistry): void {
  const counts: [name: string, help: string, value: () => number][] = [
    ['disabled_metrics_total', 'The count of disabled metrics.', () => registry.disabled],
    ['hidden_metrics_total', 'The count of hidden metrics.', () => registry.hidden],
  ];
  for (const [name, help, value] of counts) {
    registry.collected({ name, help, stability: 'BETA', sharedByThreads: true }, 'counter', () => [
      { labels: {}, value: value() },
    ]);
  }
  registry.collected(
    {
      name: 'registered_metrics_total',
      help: 'The count of registered metrics broken by stability level and deprecation version.',
      stability: 'BETA',
      labels: ['stability_level', 'deprecated_version'],
      sharedByThreads: true,
    },
    'counter',
    () => countDeclarations(registry),
  );
  registry.collected(
    {
      name: 'cardinality_enforcement_unexpected_categorizations_total',
      help: 'Label values that are not allowed, and series beyond the limit of a metric.',
      stability: 'ALPHA',
    },
    'counter',
    () => [{ labels: {}, value: registry.overflows }],
  );
}

function countDeclarations(registry: MetricRegistry): Iterable<Sample<'stability_level' | 'deprecated_version'>> {
  const groups = Map.groupBy(registry.declarations(), (metric) => `${metric.stability} ${metric.deprecatedIn ?? ''}`);
  return groups.entries().map(([key, metrics]) => {
    const [stability_level, deprecated_version] = key.split(' ') as [string, string];
    return { labels: { stability_level, deprecated_version }, value: metrics.length };
  });
}
