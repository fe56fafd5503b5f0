// Conditions of pods with the reasons and messages of the kubelet.

import type { ContainerStatus } from '../../resources/builtin/core/pod/container-status-objects.ts';
import type { Pod, PodCondition } from '../../resources/builtin/core/pod/objects.ts';
import { findCondition } from '../conditions.ts';
import { initContainersOf, mainContainersOf } from './container-kinds.ts';

interface PodFacts {
  readonly pod: Pod;
  readonly phase: string;
  /** Of all containers, by name. */
  readonly statuses: ReadonlyMap<string, ContainerStatus>;
  readonly sandbox: boolean;
}

/** A condition without its times. */
type Finding = Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>;

/** The conditions that belong to the kubelet, in its order. */
export function kubeletConditions(facts: PodFacts): Finding[] {
  const ready = containersReady(facts);
  return [
    { type: 'PodReadyToStartContainers', status: facts.sandbox ? 'True' : 'False' },
    { type: 'Initialized', ...initialized(facts) },
    { type: 'Ready', ...(ready.status === 'True' ? gatesReady(facts.pod) : ready) },
    { type: 'ContainersReady', ...ready },
    { type: 'PodScheduled', status: 'True' },
  ];
}

function containersReady({ pod, phase, statuses }: PodFacts): Omit<Finding, 'type'> {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const sidecars = initContainersOf(pod).filter(({ kind }) => kind === 'sidecar');
  const unready = [...sidecars, ...mainContainersOf(pod)].filter(({ name }) => statuses.get(name)?.ready !== true);
  if (unready.length === 0) return { status: 'True' };
  return {
    status: 'False',
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${names(unready)}]`,
  };
}

function gatesReady({ spec, status }: Pod): Omit<Finding, 'type'> {
  const messages = (spec?.readinessGates ?? []).flatMap(({ conditionType = '' }) => {
    const found = findCondition(status?.conditions, conditionType);
    if (found === undefined)
      return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    if (found.status === 'True') return [];
    return [`the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`];
  });
  if (messages.length === 0) return { status: 'True' };
  return { status: 'False', reason: 'ReadinessGatesNotReady', message: messages.join(', ') };
}

function initialized({ pod, phase, statuses }: PodFacts): Omit<Finding, 'type'> {
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  const wasStarted = mainContainersOf(pod).some(({ name }) => {
    const { running, terminated } = statuses.get(name)?.state ?? {};
    return running !== undefined || terminated !== undefined;
  });
  if (wasStarted) return { status: 'True' };
  const incomplete = initContainersOf(pod).filter(({ name, kind }) => {
    const status = statuses.get(name);
    return kind === 'sidecar' ? status?.started !== true : status?.ready !== true;
  });
  if (incomplete.length === 0) return { status: 'True' };
  return {
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: [${names(incomplete)}]`,
  };
}

/** As Go prints a list. */
function names(containers: readonly { readonly name: string }[]): string {
  return containers.map(({ name }) => name).join(' ');
}
