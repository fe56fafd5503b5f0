// How a pod is listed. Its status cell is the one word that tells most of what its containers do, found by the rules
// that kubectl's users know: what keeps init containers, else what the containers say, else the phase.

import type { ApiObject, Json, JsonObject } from '../../../../api/object.ts';
import type { Cell, TableColumns } from '../../../definition.ts';
import { age, cellAt, condition, isTrue, NONE, since, table, wide } from '../../../table.ts';
import { at, isObject, listAt, numberAt, textAt } from '../../../value.ts';

/** What the containers of a pod add up to. */
interface Summary {
  reason: string;
  ready: number;
  restarts: number;
  /** When a container last ended, in ISO form; '' for never. */
  lastEnd: string;
}

export const podTable: TableColumns = {
  ...table(
    ['Ready', 'Status', 'Restarts', 'Age', wide('IP'), wide('Node'), wide('Nominated Node'), wide('Readiness Gates')],
    (pod) => {
      const { reason, ready, restarts, lastEnd } = summary(pod);
      return [
        `${ready}/${listAt(pod, 'spec', 'containers').length + sidecars(pod).size}`,
        reason,
        restartsCell(restarts, lastEnd),
        age(pod),
        textAt(listAt(pod, 'status', 'podIPs')[0], 'ip') || NONE,
        textAt(pod, 'spec', 'nodeName') || NONE,
        textAt(pod, 'status', 'nominatedNodeName') || NONE,
        readinessGates(pod),
      ];
    },
  ),
  conditions: (pod) => ENDED[textAt(pod, 'status', 'phase')],
};

const ENDED: Record<string, JsonObject[]> = {
  Succeeded: [
    { type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' },
  ],
  Failed: [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }],
};

function restartsCell(restarts: number, lastEnd: string): Cell {
  if (restarts === 0 || lastEnd === '') return `${restarts}`;
  const ended = since(lastEnd);
  return (nowMs) => `${restarts} (${cellAt(ended, nowMs)} ago)`;
}

function summary(pod: ApiObject): Summary {
  const out: Summary = { reason: waitingReason(pod), ready: 0, restarts: 0, lastEnd: '' };
  const always = sidecars(pod);
  const initializing = addInitContainers(out, pod, always);
  if (!initializing || isTrue(pod, 'Initialized')) {
    // From here on only sidecars among the init containers count.
    const init = listAt(pod, 'status', 'initContainerStatuses').filter((each) => always.has(textAt(each, 'name')));
    out.restarts = 0;
    out.lastEnd = '';
    for (const container of init) addRestarts(out, container);
    addContainers(out, pod);
  }
  if (pod.metadata.deletionTimestamp !== undefined) {
    const phase = textAt(pod, 'status', 'phase');
    if (textAt(pod, 'status', 'reason') === 'NodeLost') out.reason = 'Unknown';
    else if (phase !== 'Succeeded' && phase !== 'Failed') out.reason = 'Terminating';
  }
  return out;
}

function waitingReason(pod: ApiObject): string {
  if (textAt(condition(pod, 'PodScheduled'), 'reason') === 'SchedulingGated') return 'SchedulingGated';
  return textAt(pod, 'status', 'reason') || textAt(pod, 'status', 'phase');
}

/** The names of init containers that keep running beside the others. */
function sidecars(pod: ApiObject): Set<string> {
  const init = listAt(pod, 'spec', 'initContainers');
  return new Set(init.filter((each) => textAt(each, 'restartPolicy') === 'Always').map((each) => textAt(each, 'name')));
}

/** Goes through the init containers up to the first that is not through; whether there is one. */
function addInitContainers(out: Summary, pod: ApiObject, always: ReadonlySet<string>): boolean {
  const total = listAt(pod, 'spec', 'initContainers').length;
  for (const [index, container] of listAt(pod, 'status', 'initContainerStatuses').entries()) {
    addRestarts(out, container);
    const terminated = at(container, 'state', 'terminated');
    if (isObject(terminated) && numberAt(terminated, 'exitCode') === 0) continue;
    if (always.has(textAt(container, 'name')) && at(container, 'started') === true) {
      if (at(container, 'ready') === true) out.ready++;
      continue;
    }
    const waiting = textAt(container, 'state', 'waiting', 'reason');
    if (isObject(terminated)) out.reason = `Init:${endReason(terminated)}`;
    else if (waiting !== '' && waiting !== 'PodInitializing') out.reason = `Init:${waiting}`;
    else out.reason = `Init:${index}/${total}`;
    return true;
  }
  return false;
}

/** The reason is that of the first container that has one, so the containers are gone through from the last. */
function addContainers(out: Summary, pod: ApiObject): void {
  let running = false;
  for (const container of listAt(pod, 'status', 'containerStatuses').toReversed()) {
    addRestarts(out, container);
    const waiting = textAt(container, 'state', 'waiting', 'reason');
    const terminated = at(container, 'state', 'terminated');
    if (waiting !== '') out.reason = waiting;
    else if (isObject(terminated)) out.reason = endReason(terminated);
    else if (at(container, 'ready') === true && isObject(at(container, 'state', 'running'))) {
      running = true;
      out.ready++;
    }
  }
  if (out.reason === 'Completed' && running) out.reason = isTrue(pod, 'Ready') ? 'Running' : 'NotReady';
}

function addRestarts(out: Summary, container: Json): void {
  out.restarts += numberAt(container, 'restartCount');
  const end = textAt(container, 'lastState', 'terminated', 'finishedAt');
  if (end > out.lastEnd) out.lastEnd = end;
}

function endReason(terminated: JsonObject): string {
  const reason = textAt(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = numberAt(terminated, 'signal');
  return signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode')}` : `Signal:${signal}`;
}

function readinessGates(pod: ApiObject): string {
  const gates = listAt(pod, 'spec', 'readinessGates');
  if (gates.length === 0) return NONE;
  return `${gates.filter((gate) => isTrue(pod, textAt(gate, 'conditionType'))).length}/${gates.length}`;
}
