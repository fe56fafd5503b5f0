// The status that a hollow kubelet reports for a pod: pods of jobs end, with the exit status in their command; all
// others run and are ready.

import type { V1Container, V1ContainerStatus, V1Pod, V1PodCondition, V1PodStatus } from '@kubernetes/client-node';

export interface HollowPlace {
  readonly hostIP: string;
  readonly podIP: string;
  readonly at: Date;
}

const ENDED = new Set(['Succeeded', 'Failed']);
/** The state of a killed container. */
const KILLED = 137;

/** Returns the status for a pod bound to a node; undefined if there is nothing to report. */
export function podStatus(pod: V1Pod, place: HollowPlace): Partial<V1PodStatus> | undefined {
  if (ENDED.has(pod.status?.phase ?? '')) return undefined;
  const containers = pod.spec!.containers;
  const deleting = pod.metadata?.deletionTimestamp !== undefined;
  const codes = containers.map((container) => (deleting ? KILLED : exitCode(container, pod.spec!.restartPolicy)));
  const over = codes.every((code) => code !== undefined);
  const phase = !over ? 'Running' : codes.every((code) => code === 0) ? 'Succeeded' : 'Failed';
  const startTime = pod.status?.startTime ?? place.at;
  return {
    phase,
    ...(pod.metadata?.generation !== undefined && { observedGeneration: pod.metadata.generation }),
    ...{ hostIP: place.hostIP, hostIPs: [{ ip: place.hostIP }], podIP: place.podIP, podIPs: [{ ip: place.podIP }] },
    startTime,
    conditions: conditions(pod, over, place.at),
    initContainerStatuses: (pod.spec!.initContainers ?? []).map((one) =>
      containerStatus(one, one.restartPolicy === 'Always' && !over ? undefined : 0, startTime),
    ),
    containerStatuses: containers.map((one, index) => containerStatus(one, codes[index], startTime)),
    ephemeralContainerStatuses: (pod.spec!.ephemeralContainers ?? []).map((one) =>
      containerStatus(one as V1Container, undefined, startTime),
    ),
  };
}

/** Returns the exit status of a container that ends at once; undefined if it keeps running. */
function exitCode({ command = [], args = [] }: V1Container, restartPolicy?: string): number | undefined {
  if (restartPolicy === 'Always') return undefined;
  const words = [...command, ...args];
  const named = /^\s*exit (\d+)\s*$/.exec(words.at(-1) ?? '');
  if (named !== null) return Number(named[1]);
  return words.length === 0 || /\b(sleep|pause|tail)\b/.test(words.join(' ')) ? undefined : 0;
}

function containerStatus({ name, image = '' }: V1Container, code: number | undefined, at: Date): V1ContainerStatus {
  const containerID = `hollow://${name}`;
  const terminated = { exitCode: code ?? 0, reason: code === 0 ? 'Completed' : 'Error', containerID };
  const state =
    code === undefined
      ? { running: { startedAt: at } }
      : { terminated: { ...terminated, startedAt: at, finishedAt: at } };
  const running = code === undefined;
  return {
    name,
    image,
    imageID: `hollow://${image}`,
    containerID,
    ready: running,
    started: running,
    restartCount: 0,
    state,
  };
}

function conditions(pod: V1Pod, over: boolean, at: Date): V1PodCondition[] {
  const stored = pod.status?.conditions ?? [];
  const isTrue = (type: string) => stored.some((one) => one.type === type && one.status === 'True');
  const open = pod.spec?.readinessGates?.every(({ conditionType }) => isTrue(conditionType)) ?? true;
  const condition = (type: string, holds: boolean) => {
    const status = holds ? 'True' : 'False';
    const before = stored.find((one) => one.type === type && one.status === status);
    const reason = holds ? {} : { reason: over ? 'PodCompleted' : 'ReadinessGatesNotReady' };
    return { type, status, ...reason, lastTransitionTime: before?.lastTransitionTime ?? at };
  };
  return [
    condition('PodReadyToStartContainers', !over),
    condition('Initialized', true),
    condition('ContainersReady', !over),
    condition('Ready', !over && open),
  ];
}
