// What simulated nodes and their pods use, in the formats of the kubelet's /stats/summary and /metrics/resource.

import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { isRunning } from './container-life.ts';
import type { PodRun } from './pod-run.ts';
import { type ContainerUsage, NODE_OWN, usageOf } from './usage.ts';

/** A pod with its state. */
export interface MeasuredPod {
  readonly pod: Pod;
  readonly run: PodRun;
}

interface Usage extends ContainerUsage {
  readonly startedMs: number;
}

const NANO_PER_MILLI = 1_000_000;

/** The body of /metrics/resource. */
export function resourceMetrics(pods: readonly MeasuredPod[], { nowMs, nodeStartedMs }: Measured): string {
  const lines: Record<string, string[]> = { containerCpu: [], containerMemory: [], podCpu: [], podMemory: [] };
  let node = { ...NODE_OWN };
  for (const { pod, run } of pods) {
    const place = `pod="${pod.metadata.name}",namespace="${pod.metadata.namespace}"`;
    const usages = usagesOf(pod, run);
    for (const { name, milliCpu, memoryBytes, startedMs } of usages) {
      const labels = `{container="${name}",${place.split(',').reverse().join(',')}}`;
      lines['containerCpu']!.push(
        `container_cpu_usage_seconds_total${labels} ${seconds(milliCpu, nowMs - startedMs)} ${nowMs}`,
      );
      lines['containerMemory']!.push(`container_memory_working_set_bytes${labels} ${memoryBytes} ${nowMs}`);
    }
    const total = sum(usages);
    node = sum([node, total]);
    const labels = `{${place.split(',').reverse().join(',')}}`;
    lines['podCpu']!.push(
      `pod_cpu_usage_seconds_total${labels} ${seconds(total.milliCpu, nowMs - run.startedMs)} ${nowMs}`,
    );
    lines['podMemory']!.push(`pod_memory_working_set_bytes${labels} ${total.memoryBytes} ${nowMs}`);
  }
  const help = (name: string, type: string, text: string) => [
    `# HELP ${name} [STABLE] ${text}`,
    `# TYPE ${name} ${type}`,
  ];
  return [
    ...help(
      'container_cpu_usage_seconds_total',
      'counter',
      'Cumulative cpu time consumed by the container in core-seconds',
    ),
    ...lines['containerCpu']!,
    ...help('container_memory_working_set_bytes', 'gauge', 'Current working set of the container in bytes'),
    ...lines['containerMemory']!,
    ...help('node_cpu_usage_seconds_total', 'counter', 'Cumulative cpu time consumed by the node in core-seconds'),
    `node_cpu_usage_seconds_total ${seconds(node.milliCpu, nowMs - nodeStartedMs)} ${nowMs}`,
    ...help('node_memory_working_set_bytes', 'gauge', 'Current working set of the node in bytes'),
    `node_memory_working_set_bytes ${node.memoryBytes} ${nowMs}`,
    ...help('pod_cpu_usage_seconds_total', 'counter', 'Cumulative cpu time consumed by the pod in core-seconds'),
    ...lines['podCpu']!,
    ...help('pod_memory_working_set_bytes', 'gauge', 'Current working set of the pod in bytes'),
    ...lines['podMemory']!,
    ...help('resource_scrape_error', 'gauge', '1 if there was an error while getting container metrics, 0 otherwise'),
    'resource_scrape_error 0',
    '',
  ].join('\n');
}

interface Measured {
  readonly nowMs: number;
  readonly nodeStartedMs: number;
}

/** The body of /stats/summary. */
export function statsSummary(nodeName: string, pods: readonly MeasuredPod[], { nowMs, nodeStartedMs }: Measured) {
  const time = new Date(nowMs).toISOString();
  const stats = ({ milliCpu, memoryBytes }: Omit<Usage, 'name' | 'startedMs'>, sinceMs: number) => ({
    startTime: new Date(sinceMs).toISOString(),
    cpu: {
      time,
      usageNanoCores: milliCpu * NANO_PER_MILLI,
      usageCoreNanoSeconds: Math.round(milliCpu * NANO_PER_MILLI * ((nowMs - sinceMs) / 1000)),
    },
    memory: { time, usageBytes: memoryBytes, workingSetBytes: memoryBytes, rssBytes: memoryBytes },
  });
  const measured = pods.map(({ pod, run }) => ({ pod, run, usages: usagesOf(pod, run) }));
  const node = sum([NODE_OWN, ...measured.flatMap(({ usages }) => usages)]);
  return {
    node: { nodeName, ...stats(node, nodeStartedMs) },
    pods: measured.map(({ pod, run, usages }) => ({
      podRef: { name: pod.metadata.name, namespace: pod.metadata.namespace, uid: pod.metadata.uid },
      ...stats(sum(usages), run.startedMs),
      containers: usages.map((usage) => ({ name: usage.name, ...stats(usage, usage.startedMs) })),
    })),
  };
}

function usagesOf(pod: Pod, run: PodRun): Usage[] {
  return usageOf(pod).flatMap(({ name, milliCpu, memoryBytes }) => {
    const state = run.containers.get(name);
    if (state?.attempt === undefined || !isRunning(state)) return [];
    return [{ name, startedMs: state.attempt.startedMs, milliCpu, memoryBytes }];
  });
}

function sum(usages: readonly Omit<Usage, 'name' | 'startedMs'>[]) {
  return usages.reduce(
    (total, { milliCpu, memoryBytes }) => ({
      milliCpu: total.milliCpu + milliCpu,
      memoryBytes: total.memoryBytes + memoryBytes,
    }),
    { milliCpu: 0, memoryBytes: 0 },
  );
}

function seconds(milliCpu: number, ms: number): string {
  return ((milliCpu / 1000) * (ms / 1000)).toFixed(3);
}
