// Pods of a DaemonSet: on which nodes they are to run, and how they are made to run there.

import { copyJson } from '../../api/json-writer.ts';
import type { Draft } from '../../api/object.ts';
import type { DaemonSet } from '../../resources/builtin/apps/v1-objects.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { Toleration } from '../../resources/builtin/core/pod/scheduling-objects.ts';
import { scaledValue } from '../int-or-percent.ts';
import { matchesRequired } from '../node-selection.ts';
import { tolerates } from '../taints.ts';
import { podFromTemplate } from './pod-control.ts';

export const HASH_LABEL = 'controller-revision-hash';
const GENERATION_LABEL = 'pod-template-generation';
const GENERATION = 'deprecated.daemonset.template.generation';

/** Taints that daemons tolerate: they belong to nodes that are not well. */
const TOLERATED: readonly (readonly [key: string, effect: string])[] = [
  ['node.kubernetes.io/not-ready', 'NoExecute'],
  ['node.kubernetes.io/unreachable', 'NoExecute'],
  ['node.kubernetes.io/disk-pressure', 'NoSchedule'],
  ['node.kubernetes.io/memory-pressure', 'NoSchedule'],
  ['node.kubernetes.io/pid-pressure', 'NoSchedule'],
  ['node.kubernetes.io/unschedulable', 'NoSchedule'],
];
const NETWORK_UNAVAILABLE = ['node.kubernetes.io/network-unavailable', 'NoSchedule'] as const;

/** Whether a pod is to be on a node. */
export interface Placement {
  readonly starts: boolean;
  /** Whether one that runs there stays. */
  readonly stays: boolean;
}

type PodSpec = NonNullable<Draft<Pod>['spec']>;

export function placementOn(set: DaemonSet, node: Node): Placement {
  const { spec } = set.spec?.template ?? {};
  const { nodeName = '' } = spec ?? {};
  const isNamed = nodeName === '' || nodeName === node.metadata.name;
  if (!isNamed || !matchesRequired({ metadata: {}, spec: spec ?? {} }, node)) return { starts: false, stays: false };
  const tolerations = tolerationsOf(spec as PodSpec);
  const taints = node.spec?.taints ?? [];
  const bears = (effects: readonly string[]) =>
    taints.every((taint) => !effects.includes(taint.effect ?? '') || tolerates(tolerations, taint));
  return { starts: bears(['NoSchedule', 'NoExecute']), stays: bears(['NoExecute']) };
}

function tolerationsOf(spec: PodSpec | undefined): Draft<Toleration>[] {
  const own = spec?.tolerations ?? [];
  const wanted = spec?.hostNetwork === true ? [...TOLERATED, NETWORK_UNAVAILABLE] : TOLERATED;
  const added = wanted.map(([key, effect]) => ({ key, operator: 'Exists', effect }));
  const isSame = (one: Draft<Toleration>, other: Draft<Toleration>) =>
    one.key === other.key && one.effect === other.effect && (one.operator ?? 'Equal') === other.operator && !one.value;
  // One of the same taint is replaced where it stands.
  const replaced = own.map((each) => added.find((other) => isSame(each, other)) ?? each);
  return [...replaced, ...added.filter((each) => !own.some((other) => isSame(other, each)))];
}

/** A pod for a node: its affinity names the node, so that the scheduler puts it there or nowhere. */
export function daemonPod(set: DaemonSet, node: string, hash: string): Draft<Pod> {
  const pod = podFromTemplate(set, set.spec?.template);
  const generation = set.metadata.annotations?.[GENERATION];
  const labels = { ...pod.metadata.labels, [HASH_LABEL]: hash };
  const spec = pod.spec ?? {};
  const affinity = copyJson(spec.affinity ?? {}) as NonNullable<PodSpec['affinity']>;
  const term = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] };
  const required = { nodeSelectorTerms: [term] };
  return {
    metadata: {
      ...pod.metadata,
      labels: generation === undefined ? labels : { ...labels, [GENERATION_LABEL]: generation },
    },
    spec: {
      ...spec,
      affinity: {
        ...affinity,
        nodeAffinity: { ...affinity.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required },
      },
      tolerations: tolerationsOf(spec),
    },
  };
}

/** The node of a pod, or the one that it is meant for. */
export function nodeOf({ spec }: Pod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const named = terms.flatMap(({ matchFields }) => matchFields ?? []);
  return named.find(({ key, operator }) => key === 'metadata.name' && operator === 'In')?.values?.[0];
}

/** Whether a pod is of the present template. */
export function isUpdated({ metadata: set }: DaemonSet, { metadata }: Pod, hash: string): boolean {
  const generation = set.annotations?.[GENERATION];
  if (hash !== '' && metadata.labels?.[HASH_LABEL] === hash) return true;
  return generation !== undefined && metadata.labels?.[GENERATION_LABEL] === generation;
}

/** How many nodes may have a pod of the new template beside one of the old. */
export function maxSurge({ spec }: DaemonSet, nodes: number): number {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  return type === 'RollingUpdate' ? scaledValue(rollingUpdate?.maxSurge ?? 0, nodes, true) : 0;
}

/** How many nodes may be without an available pod; one if neither that nor a surge is left. */
export function maxUnavailable(set: DaemonSet, nodes: number): number {
  const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
  if (type !== 'RollingUpdate') return 0;
  const given = scaledValue(rollingUpdate?.maxUnavailable ?? 0, nodes, true);
  return given === 0 && maxSurge(set, nodes) === 0 ? 1 : given;
}
