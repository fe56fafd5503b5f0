// Types of scheduling.k8s.io/v1beta1.

import { bool, embedded, int32, list, pointer, string, struct } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { Condition } from '../meta/v1.ts';

export const PriorityClass = object('scheduling/v1beta1.PriorityClass', 'scheduling.k8s.io/v1beta1', () => ({
  value: int32(2).required().from(36, int32(2).always()),
  globalDefault: bool(3),
  description: string(4),
  preemptionPolicy: string(5).pointer().oneOf('Never', 'PreemptLowerPriority'),
}));

export const PriorityClassList = objectList(PriorityClass);

export const PodGroup = object(
  'scheduling/v1beta1.PodGroup',
  'scheduling.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, PodGroupSpec).required(),
    status: embedded(3, PodGroupStatus),
  }),
  { since: 37 },
);

export const PodGroupStatus = struct('scheduling/v1beta1.PodGroupStatus', () => ({
  conditions: list(1, Condition).keyed('type').mergedBy('type'),
  resourceClaimStatuses: list(2, PodGroupResourceClaimStatus)
    .keyed('name')
    .mergedBy('name', 'merge,retainKeys')
    .behind('DRAWorkloadResourceClaims'),
}));

export const PodGroupResourceClaimStatus = struct('scheduling/v1beta1.PodGroupResourceClaimStatus', () => ({
  name: string(1).required(),
  resourceClaimName: string(2).pointer(),
}));

export const PodGroupSpec = struct('scheduling/v1beta1.PodGroupSpec', () => ({
  parentCompositePodGroupName: string(1).pointer().behind('CompositePodGroup'),
  workloadRef: pointer(2, WorkloadReference),
  schedulingPolicy: embedded(3, PodGroupSchedulingPolicy).required(),
  schedulingConstraints: pointer(4, PodGroupSchedulingConstraints).behind('TopologyAwareWorkloadScheduling'),
  resourceClaims: list(5, PodGroupResourceClaim)
    .keyed('name')
    .mergedBy('name', 'merge,retainKeys')
    .behind('DRAWorkloadResourceClaims'),
  disruptionMode: pointer(6, DisruptionMode).default({ single: {} }),
  priorityClassName: string(7),
  priority: int32(8).pointer(),
  preemptionPolicy: string(9).pointer().oneOf('Never', 'PreemptLowerPriority').behind('PodGroupPreemptionPolicy'),
}));

export const DisruptionMode = struct(
  'scheduling/v1beta1.DisruptionMode',
  () => ({
    single: pointer(1, SingleDisruptionMode),
    all: pointer(2, AllDisruptionMode),
  }),
  { unions: [{ 'fields-to-discriminateBy': { all: 'All', single: 'Single' } }] },
);

export const AllDisruptionMode = struct('scheduling/v1beta1.AllDisruptionMode', () => ({}));

export const SingleDisruptionMode = struct('scheduling/v1beta1.SingleDisruptionMode', () => ({}));

export const PodGroupResourceClaim = struct('scheduling/v1beta1.PodGroupResourceClaim', () => ({
  name: string(1).required(),
  resourceClaimName: string(2).pointer(),
  resourceClaimTemplateName: string(3).pointer(),
}));

export const PodGroupSchedulingConstraints = struct('scheduling/v1beta1.PodGroupSchedulingConstraints', () => ({
  topology: list(1, TopologyConstraint).atomic(),
}));

export const TopologyConstraint = struct('scheduling/v1beta1.TopologyConstraint', () => ({
  key: string(1).required(),
}));

export const PodGroupSchedulingPolicy = struct(
  'scheduling/v1beta1.PodGroupSchedulingPolicy',
  () => ({
    basic: pointer(1, BasicSchedulingPolicy),
    gang: pointer(2, GangSchedulingPolicy),
  }),
  { unions: [{ 'fields-to-discriminateBy': { basic: 'Basic', gang: 'Gang' } }] },
);

export const GangSchedulingPolicy = struct('scheduling/v1beta1.GangSchedulingPolicy', () => ({
  minCount: int32(1).required(),
}));

export const BasicSchedulingPolicy = struct('scheduling/v1beta1.BasicSchedulingPolicy', () => ({}));

export const WorkloadReference = struct('scheduling/v1beta1.WorkloadReference', () => ({
  workloadName: string(1).required(),
  templateName: string(2).required(),
}));

export const PodGroupList = objectList(PodGroup);

export const Workload = object(
  'scheduling/v1beta1.Workload',
  'scheduling.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, WorkloadSpec).required(),
  }),
  { since: 37 },
);

export const WorkloadSpec = struct('scheduling/v1beta1.WorkloadSpec', () => ({
  controllerRef: pointer(1, TypedLocalObjectReference),
  podGroupTemplates: list(2, PodGroupTemplate).always().keyed('name'),
  compositePodGroupTemplates: list(3, CompositePodGroupTemplate).keyed('name').behind('CompositePodGroup'),
}));

export const CompositePodGroupTemplate = struct('scheduling/v1beta1.CompositePodGroupTemplate', () => ({
  name: string(1).required(),
  schedulingPolicy: embedded(2, CompositePodGroupSchedulingPolicy).required(),
  schedulingConstraints: pointer(3, CompositePodGroupSchedulingConstraints),
  disruptionMode: pointer(4, CompositeDisruptionMode),
  priorityClassName: string(5),
  priority: int32(6).pointer(),
  preemptionPolicy: string(7).pointer().oneOf('Never', 'PreemptLowerPriority').behind('PodGroupPreemptionPolicy'),
  podGroupTemplates: list(8, PodGroupTemplate).keyed('name'),
  compositePodGroupTemplates: list(9, CompositePodGroupTemplate).keyed('name'),
}));

export const CompositeDisruptionMode = struct(
  'scheduling/v1beta1.CompositeDisruptionMode',
  () => ({
    single: pointer(1, SingleCompositeDisruptionMode),
    all: pointer(2, AllCompositeDisruptionMode),
  }),
  { unions: [{ 'fields-to-discriminateBy': { all: 'All', single: 'Single' } }] },
);

export const AllCompositeDisruptionMode = struct('scheduling/v1beta1.AllCompositeDisruptionMode', () => ({}));

export const SingleCompositeDisruptionMode = struct('scheduling/v1beta1.SingleCompositeDisruptionMode', () => ({}));

export const CompositePodGroupSchedulingConstraints = struct(
  'scheduling/v1beta1.CompositePodGroupSchedulingConstraints',
  () => ({
    topology: list(1, TopologyConstraint).atomic(),
  }),
);

export const CompositePodGroupSchedulingPolicy = struct(
  'scheduling/v1beta1.CompositePodGroupSchedulingPolicy',
  () => ({
    basic: pointer(1, CompositeBasicSchedulingPolicy),
    gang: pointer(2, CompositeGangSchedulingPolicy),
  }),
  { unions: [{ 'fields-to-discriminateBy': { basic: 'Basic', gang: 'Gang' } }] },
);

export const CompositeGangSchedulingPolicy = struct('scheduling/v1beta1.CompositeGangSchedulingPolicy', () => ({
  minGroupCount: int32(1).required(),
}));

export const CompositeBasicSchedulingPolicy = struct('scheduling/v1beta1.CompositeBasicSchedulingPolicy', () => ({}));

export const PodGroupTemplate = struct('scheduling/v1beta1.PodGroupTemplate', () => ({
  name: string(1).required(),
  schedulingPolicy: embedded(2, PodGroupSchedulingPolicy).required(),
  schedulingConstraints: pointer(3, PodGroupSchedulingConstraints).always().behind('TopologyAwareWorkloadScheduling'),
  resourceClaims: list(4, PodGroupResourceClaim)
    .keyed('name')
    .mergedBy('name', 'merge,retainKeys')
    .behind('DRAWorkloadResourceClaims'),
  disruptionMode: pointer(5, DisruptionMode),
  priorityClassName: string(6),
  priority: int32(7).pointer(),
  preemptionPolicy: string(8).pointer().oneOf('Never', 'PreemptLowerPriority').behind('PodGroupPreemptionPolicy'),
}));

export const TypedLocalObjectReference = struct('scheduling/v1beta1.TypedLocalObjectReference', () => ({
  apiGroup: string(1),
  kind: string(2).required(),
  name: string(3).required(),
}));

export const WorkloadList = objectList(Workload);
