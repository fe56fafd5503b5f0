// What the containers of simulated pods use: a share of what they request, or what their annotations say. For all who
// measure: the kubelet, the metrics API, and the controller that scales by it.

import { ownMember } from '../../api/own-member.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { AnnotationReader } from './annotations.ts';
import { initContainersOf, mainContainersOf, type PodContainer } from './container-kinds.ts';
import { amountOf } from './pod-amounts.ts';

export interface ContainerUsage {
  readonly name: string;
  readonly milliCpu: number;
  readonly memoryBytes: number;
}

/** The annotations that say what is used of a resource. */
export const USAGES: readonly { readonly key: string; readonly resource: string }[] = [
  { key: 'cpu-usage', resource: 'cpu' },
  { key: 'memory-usage', resource: 'memory' },
];

/** The shares of what is requested, in percent, and what is used by a container that requests nothing. */
const SHARES = {
  cpu: { percent: 50, idle: 1 },
  memory: { percent: 60, idle: 8 << 20 },
} as const;

/** What a node uses beside its pods. */
export const NODE_OWN = { milliCpu: 50, memoryBytes: 512 << 20 };

/** The usage of each container that stays, were it running. */
export function usageOf(pod: Pod): ContainerUsage[] {
  const reader = new AnnotationReader(pod.metadata.annotations);
  const staying = [...initContainersOf(pod).filter(({ kind }) => kind === 'sidecar'), ...mainContainersOf(pod)];
  return staying.map((container) => ({
    name: container.name,
    milliCpu: amountUsed(reader, container, 'cpu'),
    memoryBytes: amountUsed(reader, container, 'memory'),
  }));
}

/** The usage of the containers that run, by the status of their pod. */
export function runningUsageOf(pod: Pod): ContainerUsage[] {
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const statuses = [...containerStatuses, ...initContainerStatuses];
  const running = new Set(statuses.filter(({ state }) => state?.running !== undefined).map(({ name }) => name));
  return running.size === 0 ? [] : usageOf(pod).filter(({ name }) => running.has(name));
}

function amountUsed(reader: AnnotationReader, { name, kind, spec }: PodContainer, resource: 'cpu' | 'memory'): number {
  const key = `${resource}-usage`;
  const said =
    reader.amount(`${key}.${name}`, resource) ?? (kind === 'main' ? reader.amount(key, resource) : undefined);
  if (said !== undefined) return said;
  const requested = amountOf(resource, ownMember(spec.resources?.requests, resource));
  const { percent, idle } = SHARES[resource];
  return Number((requested * BigInt(percent)) / 100n) || idle;
}
