// Life of a pod on a simulated node: volumes, the sandbox, init containers one after the other, then all others; and its
// end, by itself, by its deadline, by eviction or by deletion.

import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { ephemeralContainersOf, initContainersOf, mainContainersOf, type PodContainer } from './container-kinds.ts';
import {
  endIfDue,
  graceMsOf,
  isOver,
  isRunning,
  isStarted,
  killContainer,
  nextStepMs,
  stepContainer,
} from './container-life.ts';
import { type ContainerRun, type PodRun, runOf } from './pod-run.ts';
import type { PodWorld } from './pod-world.ts';

const DEADLINE = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
};

/**
 * Lets a pod do everything that is due.
 * @returns when something is due next; infinity if nothing is
 */
export function livePod(run: PodRun, world: PodWorld): number {
  while (!run.ended && step(run, world));
  return run.ended ? Number.POSITIVE_INFINITY : nextMs(run, world);
}

/** Takes steps that are due. Returns whether there were any. */
function step(run: PodRun, world: PodWorld): boolean {
  beginToEnd(run, world);
  if (run.stopping !== undefined) return stop(run, world, run.stopping);
  if (!isPrepared(run, world)) return false;
  run.sandbox = true;
  let didSomething = stepAll(ephemeralContainersOf(world.pod), run, world);
  const init = stepInit(run, world);
  didSomething ||= init.didSomething;
  if (init.state === 'done') didSomething = stepAll(mainContainersOf(world.pod), run, world) || didSomething;
  if (!didSomething && (init.state === 'failed' || areOver(run, world))) {
    // Sidecars, and ephemeral containers, do not keep it alive.
    run.stopping = { sinceMs: world.nowMs, graceMs: graceMsOf(world) };
    return true;
  }
  return didSomething;
}

/** Whether its volumes are there, and no other cause keeps it from starting. */
function isPrepared(run: PodRun, world: PodWorld): boolean {
  if (run.sandbox) return true;
  const missing = world.missingVolumes();
  run.tellsVolumesMs = Number.POSITIVE_INFINITY;
  for (const { volume, message, toldAfterMs } of missing) {
    if (run.toldVolumes.has(volume)) continue;
    const tellsMs = run.startedMs + toldAfterMs;
    if (tellsMs > world.nowMs) {
      run.tellsVolumesMs = Math.min(run.tellsVolumesMs, tellsMs);
      continue;
    }
    run.toldVolumes.add(volume);
    world.warn(undefined, 'FailedMount', message);
  }
  return missing.length === 0;
}

/** Steps init containers in order; each one waits for those before it. */
function stepInit(run: PodRun, world: PodWorld) {
  const wasInitialized = mainContainersOf(world.pod).some(
    ({ name }) => run.containers.get(name)?.attempt !== undefined,
  );
  let didSomething = false;
  for (const container of initContainersOf(world.pod)) {
    const each = runOf(run, container.name);
    if (wasInitialized && container.kind === 'init') continue;
    didSomething = stepContainer({ run: each, container, world }) || didSomething;
    if (wasInitialized) continue;
    if (container.kind === 'sidecar') {
      if (!isStarted(each, world.nowMs)) return { state: 'waiting', didSomething };
      continue;
    }
    const ended = each.attempt?.ended;
    if (ended?.exitCode === 0) continue;
    const hasFailed = isOver({ run: each, container, world });
    return { state: hasFailed ? 'failed' : 'waiting', didSomething };
  }
  return { state: 'done', didSomething };
}

/** Steps containers that do not wait for each other, except that only one of them is being started at a time. */
function stepAll(containers: readonly PodContainer[], run: PodRun, world: PodWorld): boolean {
  let didSomething = false;
  let isStarting = false;
  for (const container of containers) {
    const look = { run: runOf(run, container.name), container, world };
    if (isStarting && !isRunning(look.run)) continue;
    do didSomething = stepContainer(look) || didSomething;
    while (isBeingStarted(look.run) && look.run.work!.untilMs <= world.nowMs);
    isStarting ||= isBeingStarted(look.run);
  }
  return didSomething;
}

function isBeingStarted({ work }: ContainerRun): boolean {
  return work !== undefined && work.kind !== 'wait';
}

function areOver(run: PodRun, world: PodWorld): boolean {
  const mains = mainContainersOf(world.pod);
  return mains.every((container) => isOver({ run: runOf(run, container.name), container, world }));
}

/** Begins to stop the containers of a pod that is deleted, or has exceeded its deadline. */
function beginToEnd(run: PodRun, world: PodWorld): void {
  const { pod, nowMs } = world;
  if (pod.metadata.deletionTimestamp !== undefined) {
    const graceMs = Math.max(1, pod.metadata.deletionGracePeriodSeconds ?? 30) * 1000;
    // A second deletion may leave less time.
    if (run.stopping === undefined) run.stopping = { sinceMs: nowMs, graceMs };
    else run.stopping.graceMs = Math.min(run.stopping.graceMs, graceMs);
    return;
  }
  if (run.stopping !== undefined || deadlineMs(run, pod) > nowMs) return;
  world.tell(undefined, DEADLINE.reason, DEADLINE.message);
  run.override = DEADLINE;
  run.stopping = { sinceMs: nowMs, graceMs: graceMsOf({ pod }) };
}

/** Stops all containers: sidecars after the others, the last one first. */
function stop(run: PodRun, world: PodWorld, { sinceMs, graceMs }: NonNullable<PodRun['stopping']>): boolean {
  const { pod, nowMs } = world;
  const limitMs = sinceMs + graceMs;
  const init = initContainersOf(pod);
  const sidecars = init.filter(({ kind }) => kind === 'sidecar').reverse();
  const others = [
    ...init.filter(({ kind }) => kind === 'init'),
    ...mainContainersOf(pod),
    ...ephemeralContainersOf(pod),
  ];
  let waits = false;
  for (const container of [...others, ...sidecars]) {
    const each = runOf(run, container.name);
    const { attempt } = each;
    each.work = undefined;
    if (attempt === undefined || attempt.ended !== undefined) continue;
    killContainer(attempt, { run: each, container, world }, { graceMs });
    attempt.stopsMs = Math.min(attempt.stopsMs ?? limitMs, limitMs);
    const isNext = container.kind !== 'sidecar' || !waits || nowMs >= limitMs;
    if (isNext && endIfDue(attempt, nowMs)) continue;
    waits = true;
  }
  if (waits) return false;
  run.sandbox = false;
  run.ended = true;
  return true;
}

function nextMs(run: PodRun, world: PodWorld): number {
  const { pod, nowMs } = world;
  const times = run.containers.values().map((each) => nextStepMs(each, nowMs));
  if (run.stopping === undefined) return Math.min(deadlineMs(run, pod), run.tellsVolumesMs, ...times);
  const { sinceMs, graceMs } = run.stopping;
  const isAnyLeft = run.containers.values().some(isRunning);
  return isAnyLeft ? Math.min(sinceMs + graceMs, ...times.filter((time) => time > nowMs)) : Number.POSITIVE_INFINITY;
}

function deadlineMs({ startedMs }: PodRun, { spec }: Pod): number {
  const seconds = spec?.activeDeadlineSeconds;
  // Times in the status have whole seconds.
  return seconds === undefined
    ? Number.POSITIVE_INFINITY
    : Math.floor(startedMs / 1000) * 1000 + Number(seconds) * 1000;
}
