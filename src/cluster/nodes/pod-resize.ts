// Resizing of pods while they run: the node grants what fits, and gives it to the containers.

import { equalJson } from '../../api/json-equal.ts';
import { stringifyJson } from '../../api/json-writer.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { ResourceRequirements } from '../../resources/builtin/core/pod/container-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { initContainersOf, mainContainersOf, type PodContainer } from './container-kinds.ts';
import { graceMsOf, isRunning, killContainer } from './container-life.ts';
import { type AdmittedPods, rejectionOf } from './pod-admission.ts';
import { amountOf, podRequest } from './pod-amounts.ts';
import { type PodRun, runOf } from './pod-run.ts';
import type { PodWorld } from './pod-world.ts';

const NONE: ResourceRequirements = Object.freeze({});

interface ResizeNeeds {
  readonly node: Node;
  /** The other pods that the node has admitted, with what it has granted them. */
  readonly others: () => AdmittedPods;
}

/** Grants a pod what its spec asks for. */
export function allocateAll(run: PodRun, pod: Pod): void {
  for (const { name, spec } of resizable(pod)) run.resize.allocated.set(name, spec.resources ?? NONE);
  run.resize.granted = { pod, requests: new Map() };
}

/** What a node has granted a pod of a resource. */
export function grantedRequest({ resize: { granted } }: PodRun, resource: string): bigint {
  if (granted === undefined) return 0n;
  const { pod, requests } = granted;
  let amount = requests.get(resource);
  if (amount === undefined) requests.set(resource, (amount = podRequest(pod, resource)));
  return amount;
}

/**
 * Resizes a pod if its spec asks for other resources than it has.
 * @returns when it will have been resized; infinity if nothing is under way
 */
export function resizePod(run: PodRun, world: PodWorld, { node, others }: ResizeNeeds): number {
  const { pod, nowMs, delays } = world;
  const { resize } = run;
  const asked = resizable(pod).filter(({ name, spec }) => {
    const allocated = resize.allocated.get(name);
    return allocated !== undefined && !equalJson(allocated, spec.resources ?? NONE);
  });
  if (asked.length === 0) {
    resize.pending = undefined;
  } else {
    const generation = pod.metadata.generation ?? 0;
    const refusal = refusalOf(pod, node, others);
    resize.pending = refusal === undefined ? undefined : { ...refusal, generation, sinceMs: nowMs };
    if (refusal === undefined) {
      allocateAll(run, pod);
      resize.inProgress = { generation, sinceMs: nowMs, untilMs: nowMs + delays.startMs() };
    }
  }
  if (resize.inProgress === undefined) return Number.POSITIVE_INFINITY;
  if (resize.inProgress.untilMs > nowMs) return resize.inProgress.untilMs;
  resize.inProgress = undefined;
  actuate(run, world);
  world.tell(undefined, 'ResizeCompleted', `Pod resize completed: ${summary(pod)}`);
  return Number.POSITIVE_INFINITY;
}

/** Gives running containers what they have been granted; some must be restarted for that. */
function actuate(run: PodRun, world: PodWorld): void {
  for (const container of resizable(world.pod)) {
    const each = runOf(run, container.name);
    const { attempt } = each;
    const wanted = run.resize.allocated.get(container.name) ?? NONE;
    if (attempt === undefined || !isRunning(each) || equalJson(attempt.resources, wanted)) continue;
    const restarts = (container.spec.resizePolicy ?? []).some(
      ({ resourceName = '', restartPolicy }) =>
        restartPolicy === 'RestartContainer' && differs(attempt.resources, wanted, resourceName),
    );
    attempt.resources = wanted;
    if (!restarts) continue;
    const message = `Container ${container.name} resize requires restart`;
    killContainer(attempt, { run: each, container, world }, { graceMs: graceMsOf(world), message });
    attempt.replaced = true;
  }
}

function differs(one: ResourceRequirements, other: ResourceRequirements, resource: string): boolean {
  return (['requests', 'limits'] as const).some(
    (kind) => amountOf(resource, one[kind]?.[resource]) !== amountOf(resource, other[kind]?.[resource]),
  );
}

function refusalOf(pod: Pod, node: Node, others: () => AdmittedPods) {
  for (const resource of ['memory', 'cpu']) {
    const requested = podRequest(pod, resource);
    const capacity = amountOf(resource, node.status?.allocatable?.[resource]);
    if (requested <= capacity) continue;
    const message = `Node didn't have enough capacity: ${resource}, requested: ${requested}, capacity: ${capacity}`;
    return { reason: 'Infeasible', message };
  }
  const rejection = rejectionOf(pod, { ...node, status: { ...node.status, conditions: [] } }, others());
  return rejection === undefined ? undefined : { reason: 'Deferred', message: rejection.message };
}

function resizable(pod: Pod): PodContainer[] {
  return [...initContainersOf(pod).filter(({ kind }) => kind === 'sidecar'), ...mainContainersOf(pod)];
}

function summary(pod: Pod): string {
  const of = ({ name, spec }: PodContainer) => ({ name, resources: spec.resources ?? NONE });
  const init = initContainersOf(pod).map(of);
  return stringifyJson({
    ...(init.length === 0 ? {} : { initContainers: init }),
    containers: mainContainersOf(pod).map(of),
  });
}
