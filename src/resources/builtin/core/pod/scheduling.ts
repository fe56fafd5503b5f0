// Types of the core group, v1: scheduling constraints of pods, and taints of nodes.

import { embedded, int32, int64, list, pointer, string, struct, time } from '../../../../schema/build.ts';
import { LabelSelector } from '../../meta/v1.ts';

export const Affinity = struct('core/v1.Affinity', () => ({
  nodeAffinity: pointer(1, NodeAffinity),
  podAffinity: pointer(2, PodAffinity),
  podAntiAffinity: pointer(3, PodAntiAffinity),
}));

export const NodeAffinity = struct('core/v1.NodeAffinity', () => ({
  requiredDuringSchedulingIgnoredDuringExecution: pointer(1, NodeSelector),
  preferredDuringSchedulingIgnoredDuringExecution: list(2, PreferredSchedulingTerm).atomic(30),
}));

export const NodeSelector = struct(
  'core/v1.NodeSelector',
  () => ({
    nodeSelectorTerms: list(1, NodeSelectorTerm).required().atomic(30),
  }),
  { mapType: 'atomic' },
);

export const NodeSelectorTerm = struct(
  'core/v1.NodeSelectorTerm',
  () => ({
    matchExpressions: list(1, NodeSelectorRequirement).atomic(30),
    matchFields: list(2, NodeSelectorRequirement).atomic(30),
  }),
  { mapType: 'atomic' },
);

export const NodeSelectorRequirement = struct('core/v1.NodeSelectorRequirement', () => ({
  key: string(1).required(),
  operator: string(2).required().oneOf('DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn'),
  values: list(3, 'string').atomic(30),
}));

export const PreferredSchedulingTerm = struct('core/v1.PreferredSchedulingTerm', () => ({
  weight: int32(1).required(),
  preference: embedded(2, NodeSelectorTerm).required(),
}));

export const PodAffinity = struct('core/v1.PodAffinity', () => ({
  requiredDuringSchedulingIgnoredDuringExecution: list(1, PodAffinityTerm).atomic(30),
  preferredDuringSchedulingIgnoredDuringExecution: list(2, WeightedPodAffinityTerm).atomic(30),
}));

export const PodAffinityTerm = struct('core/v1.PodAffinityTerm', () => ({
  labelSelector: pointer(1, LabelSelector),
  namespaces: list(2, 'string').atomic(30),
  topologyKey: string(3).required(),
  namespaceSelector: pointer(4, LabelSelector),
  matchLabelKeys: list(5, 'string').atomic().behind('MatchLabelKeysInPodAffinity').since(29),
  mismatchLabelKeys: list(6, 'string').atomic().behind('MatchLabelKeysInPodAffinity').since(29),
}));

export const WeightedPodAffinityTerm = struct('core/v1.WeightedPodAffinityTerm', () => ({
  weight: int32(1).required(),
  podAffinityTerm: embedded(2, PodAffinityTerm).required(),
}));

export const PodAntiAffinity = struct('core/v1.PodAntiAffinity', () => ({
  requiredDuringSchedulingIgnoredDuringExecution: list(1, PodAffinityTerm).atomic(30),
  preferredDuringSchedulingIgnoredDuringExecution: list(2, WeightedPodAffinityTerm).atomic(30),
}));

export const Toleration = struct('core/v1.Toleration', () => ({
  key: string(1),
  operator: string(2)
    .oneOf('Equal', 'Exists')
    .from(35, string(2).oneOf('Equal', 'Exists', 'Gt', 'Lt')),
  value: string(3),
  effect: string(4).oneOf('NoExecute', 'NoSchedule', 'PreferNoSchedule'),
  tolerationSeconds: int64(5).pointer(),
}));

export const Taint = struct('core/v1.Taint', () => ({
  key: string(1).required(),
  value: string(2),
  effect: string(3).required().oneOf('NoExecute', 'NoSchedule', 'PreferNoSchedule'),
  timeAdded: time(4).pointer(),
}));

export const TopologySpreadConstraint = struct('core/v1.TopologySpreadConstraint', () => ({
  maxSkew: int32(1).required(),
  topologyKey: string(2).required(),
  whenUnsatisfiable: string(3).required().oneOf('DoNotSchedule', 'ScheduleAnyway'),
  labelSelector: pointer(4, LabelSelector),
  minDomains: int32(5).pointer(),
  nodeAffinityPolicy: string(6)
    .pointer()
    .oneOf('Honor', 'Ignore')
    .behind('NodeInclusionPolicyInPodTopologySpread')
    .since(25),
  nodeTaintsPolicy: string(7)
    .pointer()
    .oneOf('Honor', 'Ignore')
    .behind('NodeInclusionPolicyInPodTopologySpread')
    .since(25),
  matchLabelKeys: list(8, 'string').atomic().behind('MatchLabelKeysInPodTopologySpread').since(25),
}));

export const TopologySelectorTerm = struct(
  'core/v1.TopologySelectorTerm',
  () => ({
    matchLabelExpressions: list(1, TopologySelectorLabelRequirement).atomic(30),
  }),
  { mapType: 'atomic' },
);

export const TopologySelectorLabelRequirement = struct('core/v1.TopologySelectorLabelRequirement', () => ({
  key: string(1).required(),
  values: list(2, 'string').required().atomic(30),
}));

export const PodSchedulingGate = struct('core/v1.PodSchedulingGate', () => ({
  name: string(1).required(),
}));
