// Logs of simulated containers: a line for each thing that happened to them.

import { parseGoDuration } from '../../base/go-duration.ts';
import type { ContainerStatus } from '../../resources/builtin/core/pod/container-status-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { containersOf } from './container-kinds.ts';
import type { Attempt, ContainerRun, PodRun } from './pod-run.ts';

interface LogLine {
  readonly atMs: number;
  readonly text: string;
}

/** What a client wants of a log. */
export interface LogOptions {
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly sinceMs: number;
  readonly tailLines: number | undefined;
}

/** A pod as its node knows it. */
interface Known {
  readonly pod: Pod;
  readonly run: PodRun;
}

/** A run of a container whose log is asked for. */
export interface Logged {
  readonly pod: Pod;
  readonly name: string;
  readonly attempt: Attempt;
}

/** Why there is no log; the message is the kubelet's. */
export class LogError extends Error {
  override name = 'LogError';
}

export function logOptions(query: URLSearchParams, nowMs: number): LogOptions {
  const seconds = query.get('sinceSeconds');
  const since = seconds === null ? Date.parse(query.get('sinceTime') ?? '') : nowMs - parseGoDuration(`${seconds}s`);
  const tail = query.get('tailLines');
  return {
    previous: query.get('previous') === 'true',
    timestamps: query.get('timestamps') === 'true',
    sinceMs: Number.isNaN(since) ? 0 : since,
    tailLines: tail === null ? undefined : Number(tail),
  };
}

/** The run of a container whose log is asked for. @throws LogError */
export function loggedAttempt({ pod, run }: Known, name: string, previous: boolean): Attempt {
  const podName = pod.metadata.name;
  const status = statusOf(pod, name);
  if (status === undefined) throw new LogError(`container "${name}" in pod "${podName}" is not available`);
  const state = run.containers.get(name);
  const attempts = [state?.attempt, state?.last];
  if (previous) {
    const id = idIn(status.lastState?.terminated?.containerID);
    const found = attempts.find((each) => each !== undefined && each.id === id);
    if (found !== undefined) return found;
    throw new LogError(`previous terminated container "${name}" in pod "${podName}" not found`);
  }
  if (state?.attempt !== undefined) return state.attempt;
  throw new LogError(`container "${name}" in pod "${podName}" is waiting to start: ${waitingText(state, status)}`);
}

/**
 * The lines that a client wants, as text.
 * @param after lines that it has already
 */
export function logText(logged: Logged, options: LogOptions, after = 0): string {
  const { sinceMs, timestamps, tailLines } = options;
  const wanted = logLines(logged)
    .slice(after)
    .filter(({ atMs }) => atMs >= sinceMs);
  const isCut = tailLines !== undefined && after === 0;
  const tail = isCut ? wanted.slice(Math.max(0, wanted.length - tailLines)) : wanted;
  return tail.map((line) => `${timestamps ? `${nanoTime(line.atMs)} ` : ''}${line.text}\n`).join('');
}

/** All lines of a run. */
export function logLines({ pod, name, attempt }: Logged): LogLine[] {
  const container = containersOf(pod).find((each) => each.name === name);
  const command = [...(container?.spec.command ?? []), ...(container?.spec.args ?? [])].join(' ');
  const what = command === '' ? 'its entry point' : command;
  const lines = [{ atMs: attempt.startedMs, text: `simulated container ${name} of ${attempt.image} started: ${what}` }];
  const { ended } = attempt;
  if (ended !== undefined) {
    lines.push({
      atMs: ended.atMs,
      text: `simulated container ${name} ended: ${ended.reason}, exit code ${ended.exitCode}`,
    });
  }
  return lines;
}

function statusOf({ status }: Pod, name: string): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status ?? {};
  return [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].find(
    (each) => each.name === name,
  );
}

function waitingText(state: ContainerRun | undefined, status: ContainerStatus): string {
  const reason = state?.failure?.reason ?? status.state?.waiting?.reason;
  if (reason === 'ErrImagePull') return "image can't be pulled";
  return reason === 'ImagePullBackOff' ? 'trying and failing to pull image' : (reason ?? 'no logs yet');
}

function idIn(containerId: string | undefined): string | undefined {
  return containerId?.slice(containerId.indexOf('://') + 3);
}

function nanoTime(ms: number): string {
  return new Date(ms).toISOString().replace(/Z$/, '000000Z');
}
