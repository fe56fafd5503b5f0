// The objects of core/pod/scheduling.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { LabelSelector } from '../../meta/v1-objects.ts';

export type Affinity = {
  readonly nodeAffinity?: NodeAffinity;
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAntiAffinity;
};

export type NodeAffinity = {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredSchedulingTerm[];
};

export type NodeSelector = {
  readonly nodeSelectorTerms?: readonly NodeSelectorTerm[] | null;
};

export type NodeSelectorTerm = {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  readonly matchFields?: readonly NodeSelectorRequirement[];
};

export type NodeSelectorRequirement = {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
};

export type PreferredSchedulingTerm = {
  readonly weight?: number;
  readonly preference?: NodeSelectorTerm;
};

export type PodAffinity = {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
};

export type PodAffinityTerm = {
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly topologyKey?: string;
  readonly namespaceSelector?: LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
};

export type WeightedPodAffinityTerm = {
  readonly weight?: number;
  readonly podAffinityTerm?: PodAffinityTerm;
};

export type PodAntiAffinity = {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
};

export type Toleration = {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number | bigint;
};

export type Taint = {
  readonly key?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly timeAdded?: string;
};

export type TopologySpreadConstraint = {
  readonly maxSkew?: number;
  readonly topologyKey?: string;
  readonly whenUnsatisfiable?: string;
  readonly labelSelector?: LabelSelector;
  readonly minDomains?: number;
  readonly nodeAffinityPolicy?: string;
  readonly nodeTaintsPolicy?: string;
  readonly matchLabelKeys?: readonly string[];
};

export type TopologySelectorTerm = {
  readonly matchLabelExpressions?: readonly TopologySelectorLabelRequirement[];
};

export type TopologySelectorLabelRequirement = {
  readonly key?: string;
  readonly values?: readonly string[] | null;
};

export type PodSchedulingGate = {
  readonly name?: string;
};
