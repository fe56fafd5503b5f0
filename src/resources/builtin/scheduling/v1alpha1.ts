// Types of scheduling.k8s.io/v1alpha1.

import { bool, embedded, int32, list, pointer, string, struct } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';

export const PriorityClass = object(
  'scheduling/v1alpha1.PriorityClass',
  'scheduling.k8s.io/v1alpha1',
  () => ({
    value: int32(2).required(),
    globalDefault: bool(3),
    description: string(4),
    preemptionPolicy: string(5).pointer().oneOf('Never', 'PreemptLowerPriority'),
  }),
  { until: 35 },
);

export const PriorityClassList = objectList(PriorityClass);

export const Workload = object(
  'scheduling/v1alpha1.Workload',
  'scheduling.k8s.io/v1alpha1',
  () => ({
    spec: embedded(2, WorkloadSpec).required(),
  }),
  { since: 35, until: 35 },
);

export const WorkloadSpec = struct('scheduling/v1alpha1.WorkloadSpec', () => ({
  controllerRef: pointer(1, TypedLocalObjectReference),
  podGroups: list(2, PodGroup).required().keyed('name'),
}));

export const PodGroup = struct('scheduling/v1alpha1.PodGroup', () => ({
  name: string(1).required(),
  policy: embedded(3, PodGroupPolicy).required(),
}));

export const PodGroupPolicy = struct('scheduling/v1alpha1.PodGroupPolicy', () => ({
  basic: pointer(2, BasicSchedulingPolicy),
  gang: pointer(3, GangSchedulingPolicy),
}));

export const GangSchedulingPolicy = struct('scheduling/v1alpha1.GangSchedulingPolicy', () => ({
  minCount: int32(1).required(),
}));

export const BasicSchedulingPolicy = struct('scheduling/v1alpha1.BasicSchedulingPolicy', () => ({}));

export const TypedLocalObjectReference = struct('scheduling/v1alpha1.TypedLocalObjectReference', () => ({
  apiGroup: string(1),
  kind: string(2).required(),
  name: string(3).required(),
}));

export const WorkloadList = objectList(Workload);
