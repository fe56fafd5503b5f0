// Life of one container on a simulated node: it is started, runs, ends, and starts again after a delay that grows with
// each crash, with the events and texts of the kubelet.

import { formatGoDuration } from '../../base/go-duration.ts';
import { isRestarted } from './container-kinds.ts';
import { type Ending, endingWith } from './container-plan.ts';
import { endPull, pull, start } from './container-start.ts';
import { failProbe } from './failing-probes.ts';
import { fullName } from './image-names.ts';
import { type Attempt, type ContainerRun, LONGEST_BACK_OFF_MS } from './pod-run.ts';
import type { ContainerLook, PodWorld } from './pod-world.ts';

const SIGKILL: Ending = { exitCode: 137, reason: 'Error' };
const SIGTERM: Ending = { exitCode: 143, reason: 'Error' };

export function isRunning({ attempt }: ContainerRun): boolean {
  return attempt !== undefined && attempt.ended === undefined;
}

/** Whether its startup probe has succeeded. */
export function isStarted({ attempt }: ContainerRun, nowMs: number): boolean {
  if (attempt === undefined || attempt.ended !== undefined) return false;
  return attempt.startedUpMs !== undefined && attempt.startedUpMs <= nowMs;
}

/** Whether a container has ended and stays so. */
export function isOver({ run, container, world }: ContainerLook): boolean {
  const { ended, replaced = false } = run.attempt ?? {};
  return ended !== undefined && !replaced && !isRestarted(container, world.pod, ended.exitCode);
}

/** Takes the next step that is due. Returns whether there was one. */
export function stepContainer(look: ContainerLook): boolean {
  const { run, world } = look;
  const { attempt, work } = run;
  if (attempt !== undefined && attempt.ended === undefined) return stepRunning(attempt, look);
  if (isOver(look)) return false;
  if (work === undefined) return begin(look);
  if (work.image !== undefined && work.image !== look.container.spec.image) {
    run.work = run.crashBackOff = run.pullBackOff = undefined;
    return true;
  }
  if (work.untilMs > world.nowMs) return false;
  run.work = undefined;
  if (work.kind === 'pull') endPull(look, work.sinceMs);
  else if (work.kind === 'start') start(look);
  else pull(look);
  return true;
}

/** When the next step of a container is due by itself. */
export function nextStepMs({ attempt, work }: ContainerRun, nowMs: number): number {
  const times = [work?.untilMs];
  if (attempt !== undefined && attempt.ended === undefined) {
    times.push(attempt.endsMs, attempt.stopsMs, attempt.stopsMs === undefined ? attempt.failing?.nextMs : undefined);
    for (const time of [attempt.startedUpMs, attempt.readyMs]) if ((time ?? 0) > nowMs) times.push(time);
  }
  return Math.min(...times.map((time) => time ?? Number.POSITIVE_INFINITY));
}

/** Ends a run that is due to end, by itself or because it was asked to. Returns whether it was. */
export function endIfDue(attempt: Attempt, nowMs: number): boolean {
  const { endsMs, ending, stopsMs, stopping } = attempt;
  if (endsMs !== undefined && endsMs <= Math.min(nowMs, stopsMs ?? nowMs)) {
    attempt.ended = { ...ending, atMs: endsMs };
  } else if (stopsMs !== undefined && stopping !== undefined && stopsMs <= nowMs) {
    attempt.ended = { ...stopping, atMs: nowMs };
  }
  return attempt.ended !== undefined;
}

function stepRunning(attempt: Attempt, look: ContainerLook): boolean {
  const { container, world } = look;
  const { name, kind, spec } = container;
  if (endIfDue(attempt, world.nowMs)) return true;
  if (attempt.stopsMs === undefined && fullName(spec.image ?? '') !== attempt.image) {
    const what = kind === 'sidecar' ? `Init container ${name} definition changed` : '';
    const message = what || `Container ${name} definition changed, will be restarted`;
    killContainer(attempt, look, { graceMs: graceMsOf(world), message });
    attempt.replaced = true;
    return true;
  }
  if (attempt.stopsMs === undefined && attempt.failing !== undefined && attempt.failing.nextMs <= world.nowMs) {
    const kill = failProbe(attempt.failing, look);
    if (kill !== undefined) killContainer(attempt, look, { ...kill, graceMs: kill.graceMs ?? graceMsOf(world) });
    return true;
  }
  if (
    attempt.startedUpMs !== undefined &&
    attempt.toldUnready !== true &&
    attempt.readyMs === undefined &&
    spec.readinessProbe !== undefined
  ) {
    attempt.toldUnready = true;
    world.warn(container, 'Unhealthy', 'Readiness probe failed: the container is not ready');
    return true;
  }
  return false;
}

/** How long the containers of a pod may take to stop. */
export function graceMsOf({ pod }: Pick<PodWorld, 'pod'>): number {
  return Number(pod.spec?.terminationGracePeriodSeconds ?? 30) * 1000;
}

/** Asks a container to stop. It takes the time of its preStop hook, and what its script says. */
export function killContainer(
  attempt: Attempt,
  { container, world }: ContainerLook,
  {
    graceMs,
    message = `Stopping container ${container.name}`,
  }: { readonly graceMs: number; readonly message?: string },
): void {
  if (attempt.stopsMs !== undefined) return;
  const { pod, nowMs, delays, script } = world;
  const { name, kind, spec } = container;
  world.tell(container, 'Killing', message);
  const hookMs = Number(spec.lifecycle?.preStop?.sleep?.seconds ?? 0) * 1000;
  const stopMs = Math.min(hookMs, graceMs) + (script.containers.get(name)?.stopAfterMs ?? delays.stopMs());
  attempt.stopsMs = nowMs + Math.min(stopMs, graceMs);
  // Servers end well when they are asked to; what is to be completed has not been.
  const isServer = kind === 'sidecar' || (kind === 'main' && (pod.spec?.restartPolicy ?? 'Always') === 'Always');
  const ending = isServer ? endingWith(0) : SIGTERM;
  attempt.stopping = stopMs > graceMs ? SIGKILL : ending;
}

/** Begins to start a container, or to wait if it crashed too recently. */
function begin(look: ContainerLook): boolean {
  const { run, world } = look;
  const { crashBackOff } = run;
  const failedMs = run.attempt?.ended?.atMs;
  if (failedMs !== undefined && crashBackOff !== undefined) {
    const hasExpired = failedMs - crashBackOff.sinceMs > 2 * LONGEST_BACK_OFF_MS;
    const untilMs = failedMs + crashBackOff.ms;
    if (!hasExpired && world.nowMs < untilMs) {
      waitForBackOff(look, crashBackOff.ms, untilMs);
      return true;
    }
  }
  pull(look);
  return true;
}

function waitForBackOff({ run, container, world }: ContainerLook, backOffMs: number, untilMs: number): void {
  const { name } = container;
  const { name: podName = '', namespace = '', uid = '' } = world.pod.metadata;
  const where = `${podName}_${namespace}(${uid})`;
  const delay = formatGoDuration(backOffMs);
  world.warn(container, 'BackOff', `Back-off restarting failed container ${name} in pod ${where}`);
  const message = `back-off ${delay} restarting failed container=${name} pod=${where}`;
  run.failure = { reason: 'CrashLoopBackOff', message };
  run.work = { kind: 'wait', untilMs, sinceMs: world.nowMs, image: container.spec.image };
}
