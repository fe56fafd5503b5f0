// Table columns of Pod. The status cell summarizes the containers by the rules known from kubectl: the reason that
// blocks init containers, otherwise that of the containers, otherwise the phase.

import type { JsonObject } from '../../../../api/object.ts';
import { lookup } from '../../../../base/lookup.ts';
import { isSince } from '../../../../lifecycle/version.ts';
import { condition, isTrue } from '../../../conditions.ts';
import type { Cell, TableColumns } from '../../../definition.ts';
import { age, cellAt, NONE, since, table, wide } from '../../../table.ts';
import type { ContainerStateTerminated, ContainerStatus } from './container-status-objects.ts';
import type { Pod } from './objects.ts';

/** Totals over the containers of a pod. */
interface Summary {
  reason: string;
  ready: number;
  restarts: number;
  /** When a container last terminated, in ISO form; '' for never. */
  lastEnd: string;
}

export function podTable(minor: number): TableColumns<Pod> {
  return {
    ...table(
      ['Ready', 'Status', 'Restarts', 'Age', wide('IP'), wide('Node'), wide('Nominated Node'), wide('Readiness Gates')],
      (pod) => {
        const { reason, ready, restarts, lastEnd } = summary(pod, minor);
        return [
          `${ready}/${(pod.spec?.containers ?? []).length + sidecars(pod).size}`,
          reason,
          restartsCell(restarts, lastEnd),
          age(pod),
          ((pod.status?.podIPs ?? [])[0]?.ip ?? '') || NONE,
          (pod.spec?.nodeName ?? '') || NONE,
          (pod.status?.nominatedNodeName ?? '') || NONE,
          readinessGates(pod),
        ];
      },
    ),
    conditions: (pod) => ENDED[pod.status?.phase ?? ''],
  };
}

const ENDED: Record<string, JsonObject[]> = lookup({
  Succeeded: [
    { type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' },
  ],
  Failed: [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }],
});

function restartsCell(restarts: number, lastEnd: string): Cell {
  if (restarts === 0 || lastEnd === '') return `${restarts}`;
  const ended = since(lastEnd);
  return (nowMs) => `${restarts} (${cellAt(ended, nowMs)} ago)`;
}

function summary(pod: Pod, minor: number): Summary {
  const out: Summary = { reason: waitingReason(pod), ready: 0, restarts: 0, lastEnd: '' };
  const always = sidecars(pod);
  const initializing = addInitContainers(out, pod, always);
  if (!initializing || isTrue(pod, 'Initialized')) {
    // From here on only sidecars count among the init containers.
    const init = (pod.status?.initContainerStatuses ?? []).filter((each) => always.has(each.name ?? ''));
    out.restarts = 0;
    out.lastEnd = '';
    for (const container of init) addRestarts(out, container);
    addContainers(out, pod);
  }
  if (pod.metadata.deletionTimestamp !== undefined) {
    const hasEnded = ['Succeeded', 'Failed'].includes(pod.status?.phase ?? '');
    if ((pod.status?.reason ?? '') === 'NodeLost') out.reason = 'Unknown';
    else if (!hasEnded || !isSince({ minor }, 31)) out.reason = 'Terminating';
  }
  return out;
}

function waitingReason(pod: Pod): string {
  if ((condition(pod, 'PodScheduled')?.reason ?? '') === 'SchedulingGated') return 'SchedulingGated';
  return (pod.status?.reason ?? '') || (pod.status?.phase ?? '');
}

/** The names of sidecars. */
function sidecars(pod: Pod): Set<string> {
  const init = pod.spec?.initContainers ?? [];
  return new Set(init.filter((each) => (each.restartPolicy ?? '') === 'Always').map((each) => each.name ?? ''));
}

/** Processes init containers up to the first that has not completed; returns whether there is one. */
function addInitContainers(out: Summary, pod: Pod, always: ReadonlySet<string>): boolean {
  const total = (pod.spec?.initContainers ?? []).length;
  for (const [index, container] of (pod.status?.initContainerStatuses ?? []).entries()) {
    addRestarts(out, container);
    const terminated = container.state?.terminated;
    if (terminated !== undefined && (terminated.exitCode ?? 0) === 0) continue;
    if (always.has(container.name ?? '') && container.started === true) {
      if (container.ready === true) out.ready++;
      continue;
    }
    const waiting = container.state?.waiting?.reason ?? '';
    if (terminated !== undefined) out.reason = `Init:${endReason(terminated)}`;
    else if (waiting !== '' && waiting !== 'PodInitializing') out.reason = `Init:${waiting}`;
    else out.reason = `Init:${index}/${total}`;
    return true;
  }
  return false;
}

/** The reason is that of the first container with one, so containers are processed in reverse. */
function addContainers(out: Summary, pod: Pod): void {
  let running = false;
  for (const container of (pod.status?.containerStatuses ?? []).toReversed()) {
    addRestarts(out, container);
    const waiting = container.state?.waiting?.reason ?? '';
    const terminated = container.state?.terminated;
    if (waiting !== '') out.reason = waiting;
    else if (terminated !== undefined) out.reason = endReason(terminated);
    else if (container.ready === true && container.state?.running !== undefined) {
      running = true;
      out.ready++;
    }
  }
  if (out.reason === 'Completed' && running) out.reason = isTrue(pod, 'Ready') ? 'Running' : 'NotReady';
}

function addRestarts(out: Summary, container: ContainerStatus): void {
  out.restarts += container.restartCount ?? 0;
  const end = container.lastState?.terminated?.finishedAt ?? '';
  if (end > out.lastEnd) out.lastEnd = end;
}

function endReason(terminated: ContainerStateTerminated): string {
  const reason = terminated.reason ?? '';
  if (reason !== '') return reason;
  const signal = terminated.signal ?? 0;
  return signal === 0 ? `ExitCode:${terminated.exitCode ?? 0}` : `Signal:${signal}`;
}

function readinessGates(pod: Pod): string {
  const gates = pod.spec?.readinessGates ?? [];
  if (gates.length === 0) return NONE;
  return `${gates.filter((gate) => isTrue(pod, gate.conditionType ?? '')).length}/${gates.length}`;
}
