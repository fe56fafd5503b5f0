// Status of a container, as the kubelet derives it from what the runtime reports.

import { timestamp } from '../../api/timestamp.ts';
import { isSince } from '../../lifecycle/version.ts';
import type { VolumeMount } from '../../resources/builtin/core/pod/container-objects.ts';
import type {
  ContainerState,
  ContainerStatus,
  ContainerUser,
  VolumeMountStatus,
} from '../../resources/builtin/core/pod/container-status-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { PodContainer } from './container-kinds.ts';
import type { Attempt, ContainerRun, PodRun } from './pod-run.ts';

interface StatusContext {
  readonly pod: Pod;
  readonly run: PodRun;
  readonly nowMs: number;
  /** The minor release of Kubernetes. */
  readonly minor: number;
}

const NEVER_FOUND = {
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  message: 'The container could not be located when the pod was terminated',
};

export function containerStatus(
  container: PodContainer,
  state: ContainerRun | undefined,
  context: StatusContext,
): ContainerStatus {
  const { pod, minor } = context;
  const { name, spec } = container;
  const attempt = state?.attempt;
  const mounts = isSince({ minor }, 31) ? (spec.volumeMounts ?? []).map(mountStatus) : [];
  const volumeMounts = mounts.length === 0 ? {} : { volumeMounts: mounts };
  if (attempt === undefined) {
    return {
      name,
      state: { waiting: state?.failure ?? { reason: waitingReason(pod) } },
      lastState: {},
      ready: false,
      restartCount: 0,
      image: spec.image ?? '',
      imageID: '',
      started: false,
      ...volumeMounts,
    };
  }
  const started = isStartedUp(attempt, context.nowMs);
  return {
    name,
    ...states(state, attempt),
    ready: isReady(container, attempt, context),
    restartCount: state?.restarts ?? 0,
    image: attempt.image,
    imageID: attempt.imageId,
    containerID: idOf(attempt),
    started,
    ...resources(container, attempt, context),
    ...volumeMounts,
    ...(isSince({ minor }, 33) ? { user: userOf(container, pod) } : {}),
  };
}

/** The status of a container of a pod that has ended: one that never ran counts as failed. */
export function endedStatus(status: ContainerStatus): ContainerStatus {
  if (status.state?.terminated !== undefined) return status;
  return { ...status, state: { terminated: { ...NEVER_FOUND, startedAt: null, finishedAt: null } } };
}

function states(
  state: ContainerRun | undefined,
  attempt: Attempt,
): { readonly state: ContainerState; readonly lastState: ContainerState } {
  const last = state?.last === undefined ? {} : { terminated: terminatedState(state.last) };
  if (attempt.ended === undefined) {
    return { state: { running: { startedAt: timestamp(attempt.startedMs) } }, lastState: last };
  }
  const terminated = terminatedState(attempt);
  if (state?.failure === undefined) return { state: { terminated }, lastState: last };
  return { state: { waiting: state.failure }, lastState: { terminated } };
}

function terminatedState(attempt: Attempt): NonNullable<ContainerState['terminated']> {
  const { exitCode = 0, reason = '', atMs = attempt.startedMs } = attempt.ended ?? {};
  return {
    exitCode,
    reason,
    startedAt: timestamp(attempt.startedMs),
    finishedAt: timestamp(atMs),
    containerID: idOf(attempt),
  };
}

function isReady({ kind }: PodContainer, attempt: Attempt, { nowMs, run }: StatusContext): boolean {
  if (kind === 'init') return attempt.ended?.exitCode === 0;
  if (kind === 'ephemeral' || !isStartedUp(attempt, nowMs)) return false;
  return run.readiness ?? (attempt.readyMs !== undefined && attempt.readyMs <= nowMs);
}

function isStartedUp({ ended, startedUpMs }: Attempt, nowMs: number): boolean {
  return ended === undefined && startedUpMs !== undefined && startedUpMs <= nowMs;
}

/** What the node has granted, and with what the container runs. */
function resources(
  { name, spec, kind }: PodContainer,
  attempt: Attempt,
  { run, minor }: StatusContext,
): Pick<ContainerStatus, 'resources' | 'allocatedResources'> {
  if (kind === 'ephemeral' || !isSince({ minor }, 33)) return {};
  const allocated = run.resize.allocated.get(name) ?? spec.resources ?? {};
  const { requests } = allocated;
  return {
    ...(requests === undefined || Object.keys(requests).length === 0 ? {} : { allocatedResources: requests }),
    resources: attempt.ended === undefined ? attempt.resources : allocated,
  };
}

function mountStatus({ name, mountPath, readOnly, recursiveReadOnly }: VolumeMount): VolumeMountStatus {
  const isRecursive = recursiveReadOnly === 'Enabled' || recursiveReadOnly === 'IfPossible';
  return {
    ...(name === undefined ? {} : { name }),
    ...(mountPath === undefined ? {} : { mountPath }),
    ...(readOnly === true ? { readOnly, recursiveReadOnly: isRecursive ? 'Enabled' : 'Disabled' } : {}),
  };
}

function userOf({ spec }: PodContainer, { spec: podSpec }: Pod): ContainerUser {
  const pod = podSpec?.securityContext;
  const uid = spec.securityContext?.runAsUser ?? pod?.runAsUser ?? 0;
  const gid = spec.securityContext?.runAsGroup ?? pod?.runAsGroup ?? 0;
  const groups = [gid, ...(pod?.supplementalGroups ?? []), ...(pod?.fsGroup === undefined ? [] : [pod.fsGroup])];
  return { linux: { uid, gid, supplementalGroups: [...new Set(groups)] } };
}

function waitingReason({ spec }: Pod): string {
  return (spec?.initContainers ?? []).length > 0 ? 'PodInitializing' : 'ContainerCreating';
}

function idOf({ id }: Attempt): string {
  return `keelson://${id}`;
}
