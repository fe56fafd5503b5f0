// Types of scheduling.k8s.io/v1alpha3.

import { embedded, int32, list, pointer, string, struct } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { Condition } from '../meta/v1.ts';

export const CompositePodGroup = object(
  'scheduling/v1alpha3.CompositePodGroup',
  'scheduling.k8s.io/v1alpha3',
  () => ({
    spec: embedded(2, CompositePodGroupSpec).required(),
    status: embedded(3, CompositePodGroupStatus),
  }),
  { since: 37 },
);

export const CompositePodGroupStatus = struct('scheduling/v1alpha3.CompositePodGroupStatus', () => ({
  conditions: list(1, Condition).keyed('type').mergedBy('type'),
}));

export const CompositePodGroupSpec = struct('scheduling/v1alpha3.CompositePodGroupSpec', () => ({
  parentCompositePodGroupName: string(1).pointer(),
  workloadRef: pointer(2, WorkloadReference).required(),
  schedulingPolicy: embedded(3, CompositePodGroupSchedulingPolicy).required(),
  schedulingConstraints: pointer(4, CompositePodGroupSchedulingConstraints),
  disruptionMode: pointer(5, CompositeDisruptionMode).default({ single: {} }),
  priorityClassName: string(6),
  priority: int32(7).pointer(),
  preemptionPolicy: string(8).pointer().oneOf('Never', 'PreemptLowerPriority').behind('PodGroupPreemptionPolicy'),
}));

export const CompositeDisruptionMode = struct(
  'scheduling/v1alpha3.CompositeDisruptionMode',
  () => ({
    single: pointer(1, SingleCompositeDisruptionMode),
    all: pointer(2, AllCompositeDisruptionMode),
  }),
  { unions: [{ 'fields-to-discriminateBy': { all: 'All', single: 'Single' } }] },
);

export const AllCompositeDisruptionMode = struct('scheduling/v1alpha3.AllCompositeDisruptionMode', () => ({}));

export const SingleCompositeDisruptionMode = struct('scheduling/v1alpha3.SingleCompositeDisruptionMode', () => ({}));

export const CompositePodGroupSchedulingConstraints = struct(
  'scheduling/v1alpha3.CompositePodGroupSchedulingConstraints',
  () => ({
    topology: list(1, TopologyConstraint).atomic(),
  }),
);

export const TopologyConstraint = struct('scheduling/v1alpha3.TopologyConstraint', () => ({
  key: string(1).required(),
}));

export const CompositePodGroupSchedulingPolicy = struct(
  'scheduling/v1alpha3.CompositePodGroupSchedulingPolicy',
  () => ({
    basic: pointer(1, CompositeBasicSchedulingPolicy),
    gang: pointer(2, CompositeGangSchedulingPolicy),
  }),
  { unions: [{ 'fields-to-discriminateBy': { basic: 'Basic', gang: 'Gang' } }] },
);

export const CompositeGangSchedulingPolicy = struct('scheduling/v1alpha3.CompositeGangSchedulingPolicy', () => ({
  minGroupCount: int32(1).required(),
}));

export const CompositeBasicSchedulingPolicy = struct('scheduling/v1alpha3.CompositeBasicSchedulingPolicy', () => ({}));

export const WorkloadReference = struct('scheduling/v1alpha3.WorkloadReference', () => ({
  workloadName: string(1).required(),
  templateName: string(2).required(),
}));

export const CompositePodGroupList = objectList(CompositePodGroup);

export const PodGroup = object(
  'scheduling/v1alpha3.PodGroup',
  'scheduling.k8s.io/v1alpha3',
  () => ({
    spec: embedded(2, PodGroupSpec).required(),
    status: embedded(3, PodGroupStatus),
  }),
  { since: 37 },
);

export const PodGroupStatus = struct('scheduling/v1alpha3.PodGroupStatus', () => ({
  conditions: list(1, Condition).keyed('type').mergedBy('type'),
  resourceClaimStatuses: list(2, PodGroupResourceClaimStatus)
    .keyed('name')
    .mergedBy('name', 'merge,retainKeys')
    .behind('DRAWorkloadResourceClaims'),
}));

export const PodGroupResourceClaimStatus = struct('scheduling/v1alpha3.PodGroupResourceClaimStatus', () => ({
  name: string(1).required(),
  resourceClaimName: string(2).pointer(),
}));

export const PodGroupSpec = struct('scheduling/v1alpha3.PodGroupSpec', () => ({
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
  'scheduling/v1alpha3.DisruptionMode',
  () => ({
    single: pointer(1, SingleDisruptionMode),
    all: pointer(2, AllDisruptionMode),
  }),
  { unions: [{ 'fields-to-discriminateBy': { all: 'All', single: 'Single' } }] },
);

export const AllDisruptionMode = struct('scheduling/v1alpha3.AllDisruptionMode', () => ({}));

export const SingleDisruptionMode = struct('scheduling/v1alpha3.SingleDisruptionMode', () => ({}));

export const PodGroupResourceClaim = struct('scheduling/v1alpha3.PodGroupResourceClaim', () => ({
  name: string(1).required(),
  resourceClaimName: string(2).pointer(),
  resourceClaimTemplateName: string(3).pointer(),
}));

export const PodGroupSchedulingConstraints = struct('scheduling/v1alpha3.PodGroupSchedulingConstraints', () => ({
  topology: list(1, TopologyConstraint).atomic(),
}));

export const PodGroupSchedulingPolicy = struct(
  'scheduling/v1alpha3.PodGroupSchedulingPolicy',
  () => ({
    basic: pointer(1, BasicSchedulingPolicy),
    gang: pointer(2, GangSchedulingPolicy),
  }),
  { unions: [{ 'fields-to-discriminateBy': { basic: 'Basic', gang: 'Gang' } }] },
);

export const GangSchedulingPolicy = struct('scheduling/v1alpha3.GangSchedulingPolicy', () => ({
  minCount: int32(1).required(),
}));

export const BasicSchedulingPolicy = struct('scheduling/v1alpha3.BasicSchedulingPolicy', () => ({}));

export const PodGroupList = objectList(PodGroup);

export const Workload = object(
  'scheduling/v1alpha3.Workload',
  'scheduling.k8s.io/v1alpha3',
  () => ({
    spec: embedded(2, WorkloadSpec).required(),
  }),
  { since: 37 },
);

export const WorkloadSpec = struct('scheduling/v1alpha3.WorkloadSpec', () => ({
  controllerRef: pointer(1, TypedLocalObjectReference),
  podGroupTemplates: list(2, PodGroupTemplate).always().keyed('name'),
  compositePodGroupTemplates: list(3, CompositePodGroupTemplate).keyed('name').behind('CompositePodGroup'),
}));

export const CompositePodGroupTemplate = struct('scheduling/v1alpha3.CompositePodGroupTemplate', () => ({
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

export const PodGroupTemplate = struct('scheduling/v1alpha3.PodGroupTemplate', () => ({
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

export const TypedLocalObjectReference = struct('scheduling/v1alpha3.TypedLocalObjectReference', () => ({
  apiGroup: string(1),
  kind: string(2).required(),
  name: string(3).required(),
}));

export const WorkloadList = objectList(Workload);

export const WorkloadPodGroupSchedulingPolicy = struct(
  'scheduling/v1alpha3.WorkloadPodGroupSchedulingPolicy',
  () => ({
    basic: pointer(1, WorkloadPodGroupBasicSchedulingPolicy),
    gang: pointer(2, WorkloadPodGroupGangSchedulingPolicy),
  }),
  { unions: [{ 'fields-to-discriminateBy': { basic: 'Basic', gang: 'Gang' } }] },
);

export const WorkloadPodGroupGangSchedulingPolicy = struct(
  'scheduling/v1alpha3.WorkloadPodGroupGangSchedulingPolicy',
  () => ({
    minCount: int32(1).pointer(),
  }),
);

export const WorkloadPodGroupBasicSchedulingPolicy = struct(
  'scheduling/v1alpha3.WorkloadPodGroupBasicSchedulingPolicy',
  () => ({}),
);

export const WorkloadPodGroupSchedulingConstraints = struct(
  'scheduling/v1alpha3.WorkloadPodGroupSchedulingConstraints',
  () => ({
    topology: list(1, TopologyConstraint).atomic(),
  }),
);

export const WorkloadPodGroupDisruptionMode = struct(
  'scheduling/v1alpha3.WorkloadPodGroupDisruptionMode',
  () => ({
    single: pointer(1, WorkloadPodGroupSingleDisruptionMode),
    all: pointer(2, WorkloadPodGroupAllDisruptionMode),
  }),
  { unions: [{ 'fields-to-discriminateBy': { all: 'All', single: 'Single' } }] },
);

export const WorkloadPodGroupAllDisruptionMode = struct(
  'scheduling/v1alpha3.WorkloadPodGroupAllDisruptionMode',
  () => ({}),
);

export const WorkloadPodGroupSingleDisruptionMode = struct(
  'scheduling/v1alpha3.WorkloadPodGroupSingleDisruptionMode',
  () => ({}),
);

export const WorkloadPodGroupResourceClaim = struct('scheduling/v1alpha3.WorkloadPodGroupResourceClaim', () => ({
  name: string(1).required(),
  resourceClaimName: string(2).pointer(),
  resourceClaimTemplateName: string(3).pointer(),
}));
