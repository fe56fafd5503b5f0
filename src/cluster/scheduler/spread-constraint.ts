// Topology spread constraints of a pod: which pods they count, on which nodes, and the defaults of pods that have none
// but belong to a set.

import { type LabelSelector, labelSelectorOf } from '../../api/label-selector.ts';
import type { JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { TopologySpreadConstraint } from '../../resources/builtin/core/pod/scheduling-objects.ts';
import { matchesRequired } from '../node-selection.ts';
import { untolerated } from '../taints.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';

export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly selector: LabelSelector;
  /** Whether only nodes count that the pod's node affinity allows. */
  readonly honorsAffinity: boolean;
  /** Whether only nodes count whose taints the pod tolerates. */
  readonly honorsTaints: boolean;
}

/** The constraints of a pod that are to be met in any case, or if possible. */
export function spreadConstraints(
  { pod, labels }: PodInfo,
  whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway',
): SpreadConstraint[] {
  return (pod.spec?.topologySpreadConstraints ?? [])
    .filter((each) => each.whenUnsatisfiable === whenUnsatisfiable)
    .map((each) => ({
      topologyKey: each.topologyKey ?? '',
      maxSkew: each.maxSkew ?? 1,
      minDomains: each.minDomains ?? 1,
      selector: selectorOf(each, labels),
      honorsAffinity: each.nodeAffinityPolicy !== 'Ignore',
      honorsTaints: each.nodeTaintsPolicy === 'Honor',
    }));
}

/** The preferences that kube-scheduler has for the pods of a set. @param selector of the pods of the set */
export function defaultConstraints(selector: LabelSelector): SpreadConstraint[] {
  const common = { minDomains: 1, selector, honorsAffinity: true, honorsTaints: false };
  return [
    { ...common, topologyKey: 'kubernetes.io/hostname', maxSkew: 3 },
    { ...common, topologyKey: 'topology.kubernetes.io/zone', maxSkew: 5 },
  ];
}

/** Whether the pods of a node count. */
export function isCountedNode(
  { honorsAffinity, honorsTaints }: SpreadConstraint,
  pod: Pod,
  { node }: NodeInfo,
): boolean {
  if (node === undefined) return false;
  if (honorsAffinity && !matchesRequired(pod, node)) return false;
  return !honorsTaints || untolerated(node.spec?.taints, pod.spec?.tolerations) === undefined;
}

/** The selector, with the pod's own values of the labels in matchLabelKeys. */
function selectorOf(
  { labelSelector, matchLabelKeys = [] }: TopologySpreadConstraint,
  labels: PodInfo['labels'],
): LabelSelector {
  const own = matchLabelKeys.flatMap((key) => {
    const value = ownMember(labels, key);
    return value === undefined ? [] : [{ key, operator: 'In', values: [value] }];
  });
  if (own.length === 0 || labelSelector === undefined) return labelSelectorOf(labelSelector as JsonObject | undefined);
  const matchExpressions = [...(labelSelector.matchExpressions ?? []), ...own];
  return labelSelectorOf({ ...labelSelector, matchExpressions } as unknown as JsonObject);
}
