// Status of a pod that a simulated kubelet reports, derived from the state of the pod and merged with what others have
// written.

import { timestamp } from '../../api/timestamp.ts';
import { isSince } from '../../lifecycle/version.ts';
import type { ContainerStatus } from '../../resources/builtin/core/pod/container-status-objects.ts';
import type { Pod, PodCondition, PodStatus } from '../../resources/builtin/core/pod/objects.ts';
import { findCondition } from '../conditions.ts';
import { ephemeralContainersOf, initContainersOf, mainContainersOf, type PodContainer } from './container-kinds.ts';
import { containerStatus, endedStatus } from './container-status.ts';
import { kubeletConditions } from './pod-conditions.ts';
import { podPhase } from './pod-phase.ts';
import type { PodRun } from './pod-run.ts';
import { resizeConditions } from './resize-conditions.ts';

interface StatusFacts {
  readonly nowMs: number;
  /** The minor release of Kubernetes. */
  readonly minor: number;
  readonly hostAddress: string;
}

const OWN: ReadonlySet<string> = new Set([
  ...['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'],
  ...['PodResizePending', 'PodResizeInProgress'],
]);

/** @param pod with the status that it has now */
export function podStatus(pod: Pod, run: PodRun, { nowMs, minor, hostAddress }: StatusFacts): PodStatus {
  const before = pod.status ?? {};
  const statusOf = (container: PodContainer) =>
    containerStatus(container, run.containers.get(container.name), { pod, run, nowMs, minor });
  let init = initContainersOf(pod).map(statusOf);
  let mains = mainContainersOf(pod).map(statusOf);
  const ephemeral = ephemeralContainersOf(pod).map(statusOf);
  const phase = phaseOf(pod, run, byName([...init, ...mains]));
  if (run.ended) {
    if (hasInitialized(pod, init)) mains = mains.map(endedStatus);
    const begun = Math.max(
      1,
      init.findLastIndex(({ state, lastState }) => !state?.waiting || lastState?.terminated) + 1,
    );
    init = init.map((each, index) => (index < begun ? endedStatus(each) : each));
  }
  const facts = { pod, phase, statuses: byName([...init, ...mains]), sandbox: run.sandbox };
  const generation = isSince({ minor }, 34) ? { observedGeneration: pod.metadata.generation ?? 0 } : {};
  const own = kubeletConditions(facts).map((each) =>
    dated({ ...each, ...generation, lastProbeTime: null }, before.conditions, nowMs),
  );
  const { override } = run;
  const isOverridden = run.ended && override !== undefined;
  return {
    ...before,
    ...generation,
    phase,
    conditions: [
      ...foreignConditions(run, before.conditions, nowMs),
      ...resizeConditions(run, { ...generation, nowMs, before: before.conditions }),
      ...own,
    ],
    ...(isOverridden ? { reason: override.reason, message: override.message } : {}),
    hostIP: hostAddress,
    hostIPs: [{ ip: hostAddress }],
    ...(run.address === undefined ? {} : { podIP: run.address, podIPs: [{ ip: run.address }] }),
    startTime: before.startTime ?? timestamp(run.startedMs),
    ...listed('initContainerStatuses', init),
    ...listed('containerStatuses', mains.sort(byNameOrder)),
    ...listed('ephemeralContainerStatuses', ephemeral.sort(byNameOrder)),
  };
}

function phaseOf(pod: Pod, run: PodRun, statuses: ReadonlyMap<string, ContainerStatus>): string {
  const before = pod.status?.phase;
  if (before === 'Succeeded' || before === 'Failed') return before;
  const phase = podPhase(pod, statuses, run.ended);
  if (run.ended) return run.override !== undefined || phase !== 'Succeeded' ? 'Failed' : phase;
  // A pod ends only with its last container.
  return phase === 'Succeeded' || phase === 'Failed' ? (before ?? 'Pending') : phase;
}

/** Whether any regular container can have run. */
function hasInitialized({ spec }: Pod, init: readonly ContainerStatus[]): boolean {
  const last = init.at(-1);
  if (last === undefined) return true;
  const isSidecar = spec?.initContainers?.at(-1)?.restartPolicy === 'Always';
  return isSidecar
    ? last.state?.running !== undefined && last.started === true
    : last.state?.terminated?.exitCode === 0;
}

/** Conditions of others stay; that of an eviction is added when the pod has ended. */
function foreignConditions(run: PodRun, before: readonly PodCondition[] = [], nowMs: number): PodCondition[] {
  const { disruption } = run;
  const others = before.filter(({ type }) => !OWN.has(type ?? ''));
  if (disruption === undefined || !run.ended) return others;
  return [...others.filter(({ type }) => type !== disruption.type), dated(disruption, before, nowMs)];
}

/** The condition with the time of the last change of its status. */
function dated(condition: PodCondition, before: readonly PodCondition[] | undefined, nowMs: number): PodCondition {
  const earlier = findCondition(before, condition.type ?? '');
  const isSame = earlier?.status === condition.status;
  return { ...condition, lastTransitionTime: (isSame ? earlier?.lastTransitionTime : undefined) ?? timestamp(nowMs) };
}

function byName(statuses: readonly ContainerStatus[]): Map<string, ContainerStatus> {
  return new Map(statuses.map((each) => [each.name ?? '', each]));
}

function byNameOrder(one: ContainerStatus, other: ContainerStatus): number {
  return (one.name ?? '') < (other.name ?? '') ? -1 : 1;
}

function listed(field: string, statuses: readonly ContainerStatus[]): PodStatus {
  return statuses.length === 0 ? {} : { [field]: statuses };
}

/** The status of a pod that its node has not admitted. */
export function rejectedStatus(
  pod: Pod,
  { reason, message }: { readonly reason: string; readonly message: string },
  { nowMs, minor }: Pick<StatusFacts, 'nowMs' | 'minor'>,
): PodStatus {
  const before = pod.status ?? {};
  const conditions = (before.conditions ?? []).filter(({ type }) => !OWN.has(type ?? ''));
  return {
    ...before,
    ...(isSince({ minor }, 34) ? { observedGeneration: pod.metadata.generation ?? 0 } : {}),
    phase: 'Failed',
    conditions,
    reason,
    message: `Pod was rejected: ${message}`,
    startTime: before.startTime ?? timestamp(nowMs),
  };
}
