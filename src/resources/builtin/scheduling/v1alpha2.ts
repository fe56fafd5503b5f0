// Types of scheduling.k8s.io/v1alpha2.

import { embedded, int32, list, pointer, string, struct } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { Condition } from '../meta/v1.ts';

export const PodGroup = object(
  'scheduling/v1alpha2.PodGroup',
  'scheduling.k8s.io/v1alpha2',
  () => ({
    spec: embedded(2, PodGroupSpec).required(),
    status: embedded(3, PodGroupStatus),
  }),
  { since: 36, until: 36 },
);

export const PodGroupStatus = struct('scheduling/v1alpha2.PodGroupStatus', () => ({
  conditions: list(1, Condition).keyed('type').mergedBy('type'),
  resourceClaimStatuses: list(2, PodGroupResourceClaimStatus)
    .keyed('name')
    .mergedBy('name', 'merge,retainKeys')
    .behind('DRAWorkloadResourceClaims'),
}));

export const PodGroupResourceClaimStatus = struct('scheduling/v1alpha2.PodGroupResourceClaimStatus', () => ({
  name: string(1).required(),
  resourceClaimName: string(2).pointer(),
}));

export const PodGroupSpec = struct('scheduling/v1alpha2.PodGroupSpec', () => ({
  podGroupTemplateRef: pointer(1, PodGroupTemplateReference).always(),
  schedulingPolicy: embedded(2, PodGroupSchedulingPolicy).required(),
  schedulingConstraints: pointer(3, PodGroupSchedulingConstraints).behind('TopologyAwareWorkloadScheduling'),
  resourceClaims: list(4, PodGroupResourceClaim)
    .keyed('name')
    .mergedBy('name', 'merge,retainKeys')
    .behind('DRAWorkloadResourceClaims'),
  disruptionMode: string(5).pointer().default('Pod').oneOf('Pod', 'PodGroup').behind('WorkloadAwarePreemption'),
  priorityClassName: string(6).behind('WorkloadAwarePreemption'),
  priority: int32(7).pointer().behind('WorkloadAwarePreemption'),
}));

export const PodGroupResourceClaim = struct('scheduling/v1alpha2.PodGroupResourceClaim', () => ({
  name: string(1).required(),
  resourceClaimName: string(2).pointer(),
  resourceClaimTemplateName: string(3).pointer(),
}));

export const PodGroupSchedulingConstraints = struct('scheduling/v1alpha2.PodGroupSchedulingConstraints', () => ({
  topology: list(1, TopologyConstraint).atomic(),
}));

export const TopologyConstraint = struct('scheduling/v1alpha2.TopologyConstraint', () => ({
  key: string(1).required(),
}));

export const PodGroupSchedulingPolicy = struct(
  'scheduling/v1alpha2.PodGroupSchedulingPolicy',
  () => ({
    basic: pointer(1, BasicSchedulingPolicy),
    gang: pointer(2, GangSchedulingPolicy),
  }),
  { unions: [{ 'fields-to-discriminateBy': { basic: 'Basic', gang: 'Gang' } }] },
);

export const GangSchedulingPolicy = struct('scheduling/v1alpha2.GangSchedulingPolicy', () => ({
  minCount: int32(1).required(),
}));

export const BasicSchedulingPolicy = struct('scheduling/v1alpha2.BasicSchedulingPolicy', () => ({}));

export const PodGroupTemplateReference = struct(
  'scheduling/v1alpha2.PodGroupTemplateReference',
  () => ({
    workload: pointer(1, WorkloadPodGroupTemplateReference).always(),
  }),
  { unions: [{ 'fields-to-discriminateBy': { workload: 'Workload' } }] },
);

export const WorkloadPodGroupTemplateReference = struct(
  'scheduling/v1alpha2.WorkloadPodGroupTemplateReference',
  () => ({
    workloadName: string(1).required(),
    podGroupTemplateName: string(2).required(),
  }),
);

export const PodGroupList = objectList(PodGroup);

export const Workload = object(
  'scheduling/v1alpha2.Workload',
  'scheduling.k8s.io/v1alpha2',
  () => ({
    spec: embedded(2, WorkloadSpec).required(),
  }),
  { since: 36, until: 36 },
);

export const WorkloadSpec = struct('scheduling/v1alpha2.WorkloadSpec', () => ({
  controllerRef: pointer(1, TypedLocalObjectReference),
  podGroupTemplates: list(2, PodGroupTemplate).required().keyed('name'),
}));

export const PodGroupTemplate = struct('scheduling/v1alpha2.PodGroupTemplate', () => ({
  name: string(1).required(),
  schedulingPolicy: embedded(2, PodGroupSchedulingPolicy).required(),
  schedulingConstraints: pointer(3, PodGroupSchedulingConstraints).always().behind('TopologyAwareWorkloadScheduling'),
  resourceClaims: list(4, PodGroupResourceClaim)
    .keyed('name')
    .mergedBy('name', 'merge,retainKeys')
    .behind('DRAWorkloadResourceClaims'),
  disruptionMode: string(5).pointer().oneOf('Pod', 'PodGroup').behind('WorkloadAwarePreemption'),
  priorityClassName: string(6).behind('WorkloadAwarePreemption'),
  priority: int32(7).pointer().behind('WorkloadAwarePreemption'),
}));

export const TypedLocalObjectReference = struct('scheduling/v1alpha2.TypedLocalObjectReference', () => ({
  apiGroup: string(1),
  kind: string(2).required(),
  name: string(3).required(),
}));

export const WorkloadList = objectList(Workload);
