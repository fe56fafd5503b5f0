// Facts of the workloads of the API group apps: replicas, how pods are replaced, and what is selected.

import type { WholeObject } from '../cluster/live-table.ts';
import { at, entriesAt, numberAt, textAt } from '../relations/members.ts';
import { type Fact, linkFact } from './fact.ts';
import { selectorText } from './selector-text.ts';

const REVISION = 'deployment.kubernetes.io/revision';

export function deploymentFacts(deployment: WholeObject): readonly Fact[] {
  const rolling = entriesAt(deployment, 'spec', 'strategy', 'rollingUpdate').map(
    ([name, value]) => `${textAt(value)} ${name === 'maxSurge' ? 'surge' : 'unavailable'}`,
  );
  const isPaused = at(deployment, 'spec', 'paused') === true;
  return [
    replicas(deployment, { current: 'updatedReplicas', ready: 'readyReplicas' }),
    { label: 'Rollout', text: isPaused ? 'paused' : '', tone: 'warn' },
    ...observed(deployment),
    { label: 'Strategy', text: [textAt(deployment, 'spec', 'strategy', 'type'), ...rolling].join(', ') },
    { label: 'Revision', text: deployment.metadata.annotations?.[REVISION] ?? '' },
    { label: 'Selector', text: selectorText(at(deployment, 'spec', 'selector')) },
  ];
}

export function replicaSetFacts(set: WholeObject): readonly Fact[] {
  return [
    replicas(set, { ready: 'readyReplicas' }),
    ...observed(set),
    { label: 'Revision', text: set.metadata.annotations?.[REVISION] ?? '' },
    { label: 'Selector', text: selectorText(at(set, 'spec', 'selector')) },
  ];
}

export function statefulSetFacts(set: WholeObject): readonly Fact[] {
  const { namespace = '' } = set.metadata;
  const [now, next] = [textAt(set, 'status', 'currentRevision'), textAt(set, 'status', 'updateRevision')];
  return [
    replicas(set, { current: 'updatedReplicas', ready: 'readyReplicas' }),
    ...observed(set),
    linkFact('Service', { apiVersion: 'v1', kind: 'Service', namespace, name: textAt(set, 'spec', 'serviceName') }),
    { label: 'Update strategy', text: textAt(set, 'spec', 'updateStrategy', 'type') },
    { label: 'Pod management', text: textAt(set, 'spec', 'podManagementPolicy') },
    { label: 'Revision', text: now === next || next === '' ? now : `${now} → ${next}` },
    { label: 'Selector', text: selectorText(at(set, 'spec', 'selector')) },
  ];
}

export function daemonSetFacts(set: WholeObject): readonly Fact[] {
  const count = (name: string): number => numberAt(set, 'status', name);
  const [desired, ready] = [count('desiredNumberScheduled'), count('numberReady')];
  const misscheduled = count('numberMisscheduled');
  const nodes = entriesAt(set, 'spec', 'template', 'spec', 'nodeSelector').map(
    ([name, value]) => `${name}=${textAt(value)}`,
  );
  return [
    {
      label: 'Pods',
      text: `${ready} of ${desired} ready, ${count('updatedNumberScheduled')} up to date`,
      tone: readiness(ready, desired),
    },
    { label: 'Misscheduled', text: misscheduled === 0 ? '' : String(misscheduled), tone: 'warn' },
    ...observed(set),
    { label: 'Update strategy', text: textAt(set, 'spec', 'updateStrategy', 'type') },
    { label: 'Nodes', text: nodes.join(', ') },
    { label: 'Selector', text: selectorText(at(set, 'spec', 'selector')) },
  ];
}

interface Counters {
  /** The count of pods with the present template. */
  readonly current?: string;
  readonly ready: string;
}

function replicas(workload: WholeObject, { current, ready }: Counters): Fact {
  const desired = at(workload, 'spec', 'replicas') === undefined ? 1 : numberAt(workload, 'spec', 'replicas');
  const isReady = numberAt(workload, 'status', ready);
  const upToDate = current === undefined ? '' : `, ${numberAt(workload, 'status', current)} up to date`;
  return { label: 'Replicas', text: `${isReady} of ${desired} ready${upToDate}`, tone: readiness(isReady, desired) };
}

function readiness(ready: number, desired: number): string {
  if (ready >= desired) return desired === 0 ? '' : 'good';
  return ready === 0 ? 'bad' : 'warn';
}

/** The controller may not have seen the last change yet, or not run at all. */
function observed(workload: WholeObject): readonly Fact[] {
  const [generation, seen] = [
    numberAt(workload, 'metadata', 'generation'),
    numberAt(workload, 'status', 'observedGeneration'),
  ];
  if (seen >= generation) return [];
  return [{ label: 'Controller', text: 'has not seen the last change', tone: 'warn' }];
}
