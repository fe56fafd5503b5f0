// The phase of a pod, derived from the states of its containers by the rules of the kubelet.

import type { ContainerStatus } from '../../resources/builtin/core/pod/container-status-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { initContainersOf, mainContainersOf } from './container-kinds.ts';

type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/**
 * @param statuses of all containers, by name
 * @param isTerminal whether all containers have ended for good
 */
export function podPhase(pod: Pod, statuses: ReadonlyMap<string, ContainerStatus>, isTerminal: boolean): Phase {
  const policy = pod.spec?.restartPolicy ?? 'Always';
  const init = initContainersOf(pod);
  const mains = mainContainersOf(pod);
  const regular = init.filter(({ kind }) => kind === 'init').map(({ name }) => statuses.get(name));
  const sidecars = init.filter(({ kind }) => kind === 'sidecar').map(({ name }) => statuses.get(name));
  const main = mains.map(({ name }) => statuses.get(name));
  if (policy === 'Never' && regular.some((each) => (exitOf(each) ?? 0) !== 0)) return 'Failed';
  if (regular.some((each) => exitOf(each) === undefined)) return 'Pending';
  const wasStarted = main.some((each) => each?.state?.running !== undefined || exitOf(each) !== undefined);
  if (!wasStarted && sidecars.some(isPending)) return 'Pending';
  if ([...sidecars, ...main].some((each) => stateOf(each) === 'waiting')) return 'Pending';
  if ([...sidecars, ...main].some((each) => each?.state?.running !== undefined)) return 'Running';
  const codes = main.map(exitOf);
  const hasSucceeded = codes.every((code) => code === 0);
  if (isTerminal) return hasSucceeded ? 'Succeeded' : 'Failed';
  if (policy === 'Always') return 'Running';
  if (hasSucceeded) return 'Succeeded';
  return policy === 'Never' ? 'Failed' : 'Running';
}

/** The exit code of a container that does not run, if it ever did. */
function exitOf(status: ContainerStatus | undefined): number | undefined {
  if (status?.state?.running !== undefined) return undefined;
  return (status?.state?.terminated ?? status?.lastState?.terminated)?.exitCode;
}

function stateOf(status: ContainerStatus | undefined): 'running' | 'stopped' | 'waiting' {
  if (status?.state?.running !== undefined) return 'running';
  return exitOf(status) === undefined ? 'waiting' : 'stopped';
}

/** Whether a sidecar keeps the pod from its first start. */
function isPending(status: ContainerStatus | undefined): boolean {
  const state = stateOf(status);
  return state === 'waiting' || (state === 'running' && status?.started !== true);
}
