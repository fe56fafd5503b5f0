// The containers of a pod in the order in which they start, with what distinguishes init containers, sidecars and
// ephemeral containers.

import type { Container, EphemeralContainer } from '../../resources/builtin/core/pod/container-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';

type ContainerKind = 'init' | 'sidecar' | 'main' | 'ephemeral';

export interface PodContainer {
  readonly name: string;
  readonly kind: ContainerKind;
  readonly spec: Container | EphemeralContainer;
  /** As events name it: `spec.containers{web}`. */
  readonly fieldPath: string;
}

/** Init containers and sidecars, in order. */
export function initContainersOf({ spec }: Pod): PodContainer[] {
  return (spec?.initContainers ?? []).map((each) =>
    podContainer(each, each.restartPolicy === 'Always' ? 'sidecar' : 'init', 'initContainers'),
  );
}

export function mainContainersOf({ spec }: Pod): PodContainer[] {
  return (spec?.containers ?? []).map((each) => podContainer(each, 'main', 'containers'));
}

export function ephemeralContainersOf({ spec }: Pod): PodContainer[] {
  return (spec?.ephemeralContainers ?? []).map((each) => podContainer(each, 'ephemeral', 'ephemeralContainers'));
}

export function containersOf(pod: Pod): PodContainer[] {
  return [...initContainersOf(pod), ...mainContainersOf(pod), ...ephemeralContainersOf(pod)];
}

/** Whether a container that has ended starts again. */
export function isRestarted({ kind }: PodContainer, { spec }: Pod, exitCode: number): boolean {
  if (kind === 'sidecar') return true;
  if (kind === 'ephemeral') return false;
  const policy = spec?.restartPolicy ?? 'Always';
  if (kind === 'init') return exitCode !== 0 && policy !== 'Never';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

function podContainer(spec: Container | EphemeralContainer, kind: ContainerKind, list: string): PodContainer {
  const { name = '' } = spec;
  return { name, kind, spec, fieldPath: `spec.${list}{${name}}` };
}
