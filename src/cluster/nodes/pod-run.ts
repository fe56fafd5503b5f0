// State of a pod on a simulated node: what a container runtime and a kubelet would remember of it. Plain data, advanced
// by the functions of pod-life.ts and container-life.ts; the status that clients see is derived from it.

import type { ResourceRequirements } from '../../resources/builtin/core/pod/container-objects.ts';
import type { ContainerStatus } from '../../resources/builtin/core/pod/container-status-objects.ts';
import type { Pod, PodCondition } from '../../resources/builtin/core/pod/objects.ts';
import { containersOf } from './container-kinds.ts';
import { containerPlan, type Ending } from './container-plan.ts';
import { type FailingProbe, failingProbe } from './failing-probes.ts';
import type { PodScript } from './pod-script.ts';

/** One run of a container. */
export interface Attempt {
  /** 64 hexadecimal digits. */
  readonly id: string;
  /** With the registry, and by its digest. */
  readonly image: string;
  readonly imageId: string;
  readonly startedMs: number;
  /** When and how it ends by itself; undefined if it runs for ever. */
  endsMs: number | undefined;
  ending: Ending;
  /** Set when it has been asked to stop: when it will have stopped. */
  stopsMs?: number;
  stopping?: Ending;
  /** Set if another run follows whatever the restart policy says. */
  replaced?: boolean;
  /** Set when it has ended. */
  ended?: Ending & { readonly atMs: number };
  /** When its startup and readiness probes succeed; undefined for never. */
  startedUpMs: number | undefined;
  readyMs: number | undefined;
  /** Whether events have told that it is not ready. */
  toldUnready?: boolean;
  /** The probe that fails until the container is killed. */
  failing?: FailingProbe | undefined;
  /** The resources with which it runs. */
  resources: ResourceRequirements;
}

/** What is being done so that a container runs. */
interface Work {
  readonly kind: 'pull' | 'start' | 'wait';
  readonly untilMs: number;
  /** When it began. */
  readonly sinceMs: number;
  /** The image that is not tried again before that; with another one there is nothing to wait for. */
  readonly image?: string | undefined;
}

interface BackOff {
  readonly ms: number;
  readonly sinceMs: number;
}

export interface ContainerRun {
  readonly name: string;
  attempt: Attempt | undefined;
  /** The attempt before. */
  last: Attempt | undefined;
  restarts: number;
  work: Work | undefined;
  /** Why it does not run, as its status says. */
  failure: { readonly reason: string; readonly message: string } | undefined;
  crashBackOff: BackOff | undefined;
  pullBackOff: BackOff | undefined;
}

/** Why a pod ends before its containers do. */
interface Override {
  readonly reason: string;
  readonly message: string;
}

export interface PodRun {
  readonly uid: string;
  readonly startedMs: number;
  readonly containers: Map<string, ContainerRun>;
  address: string | undefined;
  /** Whether the sandbox with the network of the pod exists. */
  sandbox: boolean;
  /** Set once its containers are being stopped: since when, and how long they may take. */
  stopping: { readonly sinceMs: number; graceMs: number } | undefined;
  /** Set if the node ends it. */
  override: Override | undefined;
  /** The condition DisruptionTarget, if the node evicts it. */
  disruption: PodCondition | undefined;
  /** Whether all of its containers have ended for good. */
  ended: boolean;
  /** Set by a test: whether its containers are ready. */
  readiness: boolean | undefined;
  /** Set by a test: how containers that do not run yet end once they do. */
  readonly orders: Map<string, Ending>;
  /** The conditions about resizing, as reported. */
  resize: PodResize;
  /** Volumes about which there has been an event. */
  readonly toldVolumes: Set<string>;
  /** When the next event about missing volumes is due. */
  tellsVolumesMs: number;
}

/** A pod, and what it asks for by resource, as far as it has been asked. */
interface GrantedPod {
  readonly pod: Pod;
  readonly requests: Map<string, bigint>;
}

interface PodResize {
  /** The resources that the node has granted, by container. */
  readonly allocated: Map<string, ResourceRequirements>;
  /** The state of the pod in which the node has granted them; undefined before. */
  granted: GrantedPod | undefined;
  pending: (Override & { readonly generation: number; readonly sinceMs: number }) | undefined;
  inProgress: { readonly generation: number; readonly sinceMs: number; readonly untilMs: number } | undefined;
}

const FIRST_BACK_OFF_MS = 10_000;
export const LONGEST_BACK_OFF_MS = 300_000;

export function newPodRun(uid: string, nowMs: number): PodRun {
  return {
    uid,
    startedMs: nowMs,
    containers: new Map(),
    address: undefined,
    sandbox: false,
    stopping: undefined,
    override: undefined,
    disruption: undefined,
    ended: false,
    readiness: undefined,
    orders: new Map(),
    resize: { allocated: new Map(), granted: undefined, pending: undefined, inProgress: undefined },
    toldVolumes: new Set(),
    tellsVolumesMs: Number.POSITIVE_INFINITY,
  };
}

export function runOf(run: PodRun, name: string): ContainerRun {
  let found = run.containers.get(name);
  if (found === undefined) {
    found = {
      ...{ name, attempt: undefined, last: undefined, restarts: 0, work: undefined, failure: undefined },
      ...{ crashBackOff: undefined, pullBackOff: undefined },
    };
    run.containers.set(name, found);
  }
  return found;
}

/** The next back-off after this one: doubled, unless nothing has failed for a long time. */
export function nextBackOff(before: BackOff | undefined, failedMs: number, nowMs: number): BackOff {
  const isNew = before === undefined || failedMs - before.sinceMs > 2 * LONGEST_BACK_OFF_MS;
  return { ms: isNew ? FIRST_BACK_OFF_MS : Math.min(before.ms * 2, LONGEST_BACK_OFF_MS), sinceMs: nowMs };
}

/** The state of a pod that another process has begun, from its status. */
export function restoredPodRun(pod: Pod, script: PodScript, nowMs: number): PodRun {
  const { status = {}, metadata } = pod;
  const started = Date.parse(status.startTime ?? '');
  const run = newPodRun(metadata.uid ?? '', Number.isNaN(started) ? nowMs : started);
  run.address = status.podIP;
  run.ended = status.phase === 'Succeeded' || status.phase === 'Failed';
  run.sandbox = !run.ended && status.podIP !== undefined;
  const known = new Map(containersOf(pod).map((each) => [each.name, each]));
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = status;
  for (const each of [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses]) {
    const container = known.get(each.name ?? '');
    if (container === undefined) continue;
    const { attempt } = restoreContainer(runOf(run, container.name), each);
    if (attempt === undefined || attempt.ended !== undefined) continue;
    const scripted = script.containers.get(container.name);
    const { runMs, ending } = containerPlan(pod, container, scripted);
    attempt.endsMs = runMs === undefined ? undefined : attempt.startedMs + runMs;
    attempt.ending = ending;
    attempt.failing = failingProbe(container, scripted, attempt.startedMs);
    if (attempt.failing?.kind === 'startup') Object.assign(attempt, { startedUpMs: undefined, readyMs: undefined });
  }
  return run;
}

function restoreContainer(run: ContainerRun, status: ContainerStatus): ContainerRun {
  const { state = {}, lastState = {}, restartCount = 0 } = status;
  run.restarts = restartCount;
  const last = lastState.terminated === undefined ? undefined : endedAttempt(status, lastState.terminated);
  if (state.running !== undefined) {
    run.attempt = attemptOf(status, status.containerID, state.running.startedAt);
    run.last = last;
  } else if (state.terminated !== undefined) {
    run.attempt = endedAttempt(status, state.terminated);
    run.last = last;
  } else {
    run.attempt = last;
  }
  const failedMs = run.attempt?.ended?.atMs;
  if (failedMs === undefined || restartCount === 0) return run;
  const ms = Math.min(FIRST_BACK_OFF_MS * 2 ** (restartCount - 1), LONGEST_BACK_OFF_MS);
  run.crashBackOff = { ms, sinceMs: failedMs };
  return run;
}

function endedAttempt(
  status: ContainerStatus,
  {
    exitCode = 0,
    reason = '',
    containerID,
    startedAt,
    finishedAt,
  }: NonNullable<NonNullable<ContainerStatus['state']>['terminated']>,
): Attempt {
  const attempt = attemptOf(status, containerID, startedAt);
  attempt.ended = { exitCode, reason, atMs: Date.parse(finishedAt ?? '') || attempt.startedMs };
  return attempt;
}

function attemptOf(status: ContainerStatus, containerId = '', startedAt?: string | null): Attempt {
  const startedMs = Date.parse(startedAt ?? '') || 0;
  return {
    id: containerId.slice(containerId.indexOf('://') + 3),
    image: status.image ?? '',
    imageId: status.imageID ?? '',
    startedMs,
    endsMs: undefined,
    ending: { exitCode: 0, reason: 'Completed' },
    startedUpMs: startedMs,
    readyMs: startedMs,
    resources: status.resources ?? {},
  };
}
