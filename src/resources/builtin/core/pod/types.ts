// Types of the core group, v1: Pod and PodTemplate.

import {
  bool,
  embedded,
  int32,
  int64,
  list,
  map,
  pointer,
  quantity,
  string,
  struct,
  time,
} from '../../../../schema/build.ts';
import { object, objectList } from '../../meta/object.ts';
import { ObjectMeta } from '../../meta/v1.ts';
import { VolumeHealthCondition } from '../persistent-volume-claim/types.ts';
import { LocalObjectReference, ObjectReference } from '../reference.ts';
import { Volume } from '../volume/types.ts';
import { Container, EphemeralContainer, ResourceRequirements } from './container.ts';
import { ContainerStatus } from './container-status.ts';
import { Affinity, PodSchedulingGate, Toleration, TopologySpreadConstraint } from './scheduling.ts';
import { PodSecurityContext } from './security-context.ts';

export const Binding = object('core/v1.Binding', 'v1', () => ({
  target: embedded(2, ObjectReference).required(),
}));

export const Pod = object('core/v1.Pod', 'v1', () => ({
  spec: embedded(2, PodSpec),
  status: embedded(3, PodStatus),
}));

export const PodSpec = struct('core/v1.PodSpec', () => ({
  volumes: list(1, Volume)
    .keyed('name')
    .mergedBy('name', 'merge,retainKeys')
    .upTo(29, list(1, Volume).mergedBy('name', 'merge,retainKeys')),
  initContainers: list(20, Container).keyed('name').mergedBy('name').upTo(29, list(20, Container).mergedBy('name')),
  containers: list(2, Container)
    .required()
    .keyed('name')
    .mergedBy('name')
    .upTo(29, list(2, Container).required().mergedBy('name')),
  ephemeralContainers: list(34, EphemeralContainer)
    .keyed('name')
    .mergedBy('name')
    .upTo(29, list(34, EphemeralContainer).mergedBy('name')),
  restartPolicy: string(3).oneOf('Always', 'Never', 'OnFailure'),
  terminationGracePeriodSeconds: int64(4).pointer(),
  activeDeadlineSeconds: int64(5).pointer(),
  dnsPolicy: string(6).oneOf('ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'),
  nodeSelector: map(7, 'string').atomic(),
  serviceAccountName: string(8),
  serviceAccount: string(9),
  automountServiceAccountToken: bool(21).pointer(),
  nodeName: string(10),
  hostNetwork: bool(11),
  hostPID: bool(12),
  hostIPC: bool(13),
  shareProcessNamespace: bool(27).pointer(),
  securityContext: pointer(14, PodSecurityContext),
  imagePullSecrets: list(15, LocalObjectReference)
    .keyed('name')
    .mergedBy('name')
    .upTo(29, list(15, LocalObjectReference).mergedBy('name')),
  hostname: string(16),
  subdomain: string(17),
  affinity: pointer(18, Affinity),
  schedulerName: string(19),
  tolerations: list(22, Toleration).atomic(30),
  hostAliases: list(23, HostAlias).keyed('ip').mergedBy('ip').upTo(29, list(23, HostAlias).mergedBy('ip')),
  priorityClassName: string(24),
  priority: int32(25).pointer(),
  dnsConfig: pointer(26, PodDNSConfig),
  readinessGates: list(28, PodReadinessGate).atomic(30),
  runtimeClassName: string(29).pointer(),
  enableServiceLinks: bool(30).pointer(),
  preemptionPolicy: string(31).pointer().oneOf('Never', 'PreemptLowerPriority'),
  overhead: map(32, 'quantity'),
  topologySpreadConstraints: list(33, TopologySpreadConstraint)
    .keyed('topologyKey', 'whenUnsatisfiable')
    .mergedBy('topologyKey'),
  setHostnameAsFQDN: bool(35).pointer(),
  os: pointer(36, PodOS),
  hostUsers: bool(37).pointer().behind('UserNamespacesSupport').since(25),
  schedulingGates: list(38, PodSchedulingGate).keyed('name').mergedBy('name').since(26),
  resourceClaims: list(39, PodResourceClaim)
    .keyed('name')
    .mergedBy('name', 'merge,retainKeys')
    .behind('DynamicResourceAllocation')
    .since(26),
  resources: pointer(40, ResourceRequirements).behind('PodLevelResources').since(32),
  hostnameOverride: string(41).pointer().behind('HostnameOverride').since(34),
  workloadRef: pointer(42, WorkloadReference).behind('GenericWorkload').since(35).until(35),
  schedulingGroup: pointer(43, PodSchedulingGroup).behind('GenericWorkload').since(36),
  evictionResponders: list(44, EvictionResponder).keyed('name').mergedBy('name').behind('EvictionRequestAPI').since(37),
}));

export const EvictionResponder = struct(
  'core/v1.EvictionResponder',
  () => ({
    name: string(1).required(),
    priority: int32(2).pointer().required(),
  }),
  { mapType: 'atomic' },
);

export const PodSchedulingGroup = struct(
  'core/v1.PodSchedulingGroup',
  () => ({
    podGroupName: string(1).pointer(),
  }),
  { unions: [{ 'fields-to-discriminateBy': { podGroupName: 'PodGroupName' } }] },
);

export const WorkloadReference = struct('core/v1.WorkloadReference', () => ({
  name: string(1).required(),
  podGroup: string(2).required(),
  podGroupReplicaKey: string(3),
}));

export const HostAlias = struct('core/v1.HostAlias', () => ({
  ip: string(1).required().upTo(29, string(1)),
  hostnames: list(2, 'string').atomic(30),
}));

export const PodDNSConfig = struct('core/v1.PodDNSConfig', () => ({
  nameservers: list(1, 'string').atomic(30),
  searches: list(2, 'string').atomic(30),
  options: list(3, PodDNSConfigOption).atomic(30),
}));

export const PodDNSConfigOption = struct('core/v1.PodDNSConfigOption', () => ({
  name: string(1),
  value: string(2).pointer(),
}));

export const PodReadinessGate = struct('core/v1.PodReadinessGate', () => ({
  conditionType: string(1).required(),
}));

export const PodOS = struct('core/v1.PodOS', () => ({
  name: string(1).required(),
}));

export const PodResourceClaim = struct('core/v1.PodResourceClaim', () => ({
  name: string(1).required(),
  source: embedded(2, ClaimSource).until(30),
  resourceClaimName: string(3).pointer().since(31),
  resourceClaimTemplateName: string(4).pointer().since(31),
}));

export const ClaimSource = struct('core/v1.ClaimSource', () => ({
  resourceClaimName: string(1).pointer(),
  resourceClaimTemplateName: string(2).pointer(),
}));

export const PodStatus = struct('core/v1.PodStatus', () => ({
  observedGeneration: int64(17).behind('PodObservedGenerationTracking').since(33),
  phase: string(1).oneOf('Failed', 'Pending', 'Running', 'Succeeded', 'Unknown'),
  conditions: list(2, PodCondition).keyed('type').mergedBy('type').upTo(29, list(2, PodCondition).mergedBy('type')),
  message: string(3),
  reason: string(4),
  nominatedNodeName: string(11),
  hostIP: string(5),
  hostIPs: list(16, HostIP).atomic().mergedBy('ip').since(28),
  podIP: string(6),
  podIPs: list(12, PodIP).keyed('ip').mergedBy('ip').upTo(29, list(12, PodIP).mergedBy('ip')),
  startTime: time(7).pointer(),
  initContainerStatuses: list(10, ContainerStatus).atomic(30),
  containerStatuses: list(8, ContainerStatus).atomic(30),
  qosClass: string(9).oneOf('BestEffort', 'Burstable', 'Guaranteed'),
  ephemeralContainerStatuses: list(13, ContainerStatus).atomic(30),
  resize: string(14).since(27),
  resourceClaimStatuses: list(15, PodResourceClaimStatus)
    .keyed('name')
    .mergedBy('name', 'merge,retainKeys')
    .behind('DynamicResourceAllocation')
    .since(28),
  extendedResourceClaimStatus: pointer(18, PodExtendedResourceClaimStatus).behind('DRAExtendedResource').since(34),
  allocatedResources: map(19, 'quantity').behind('InPlacePodLevelResourcesVerticalScaling').since(35),
  resources: pointer(20, ResourceRequirements).behind('InPlacePodLevelResourcesVerticalScaling').since(35),
  nodeAllocatableResourceClaimStatuses: list(21, NodeAllocatableResourceClaimStatus)
    .keyed('resourceClaimName')
    .mergedBy('resourceClaimName')
    .behind('DRANodeAllocatableResources')
    .upTo(36, list(21, NodeAllocatableResourceClaimStatus).atomic().behind('DRANodeAllocatableResources'))
    .since(36),
  volumeHealth: list(22, PodVolumeHealth).keyed('name').behind('CSIVolumeHealth').since(37),
}));

export const PodVolumeHealth = struct('core/v1.PodVolumeHealth', () => ({
  name: string(1).required(),
  healthConditions: list(2, VolumeHealthCondition).keyed('status', 'reason').mergedBy('status'),
  lastTransitionTime: time(3),
}));

export const NodeAllocatableResourceClaimStatus = struct('core/v1.NodeAllocatableResourceClaimStatus', () => ({
  resourceClaimName: string(1).required(),
  containers: list(2, 'string').set(),
  resources: map(3, 'quantity').required().until(36),
  mapping: list(4, NodeAllocatableMappedResources).keyed('name').mergedBy('name').since(37),
  overhead: list(5, NodeAllocatableOverheadResources).keyed('name').mergedBy('name').since(37),
}));

export const NodeAllocatableOverheadResources = struct('core/v1.NodeAllocatableOverheadResources', () => ({
  name: string(1).required(),
  perPod: quantity(2).pointer(),
  perContainer: quantity(3).pointer(),
}));

export const NodeAllocatableMappedResources = struct('core/v1.NodeAllocatableMappedResources', () => ({
  name: string(1).required(),
  quantity: quantity(2).pointer().required(),
}));

export const PodCondition = struct('core/v1.PodCondition', () => ({
  type: string(1).required(),
  observedGeneration: int64(7).behind('PodObservedGenerationTracking').since(33),
  status: string(2).required(),
  lastProbeTime: time(3),
  lastTransitionTime: time(4),
  reason: string(5),
  message: string(6),
}));

export const HostIP = struct('core/v1.HostIP', () => ({
  ip: string(1).required().upTo(29, string(1)),
}));

export const PodIP = struct('core/v1.PodIP', () => ({
  ip: string(1).required().upTo(29, string(1)),
}));

export const PodResourceClaimStatus = struct('core/v1.PodResourceClaimStatus', () => ({
  name: string(1).required(),
  resourceClaimName: string(2).pointer(),
}));

export const PodExtendedResourceClaimStatus = struct('core/v1.PodExtendedResourceClaimStatus', () => ({
  requestMappings: list(1, ContainerExtendedResourceRequest).required().atomic(),
  resourceClaimName: string(2).required(),
}));

export const ContainerExtendedResourceRequest = struct('core/v1.ContainerExtendedResourceRequest', () => ({
  containerName: string(1).required(),
  resourceName: string(2).required(),
  requestName: string(3).required(),
}));

export const PodList = objectList(Pod);

export const PodStatusResult = object(
  'core/v1.PodStatusResult',
  'v1',
  () => ({
    status: embedded(2, PodStatus),
  }),
  { until: 36 },
);

export const PodTemplate = object('core/v1.PodTemplate', 'v1', () => ({
  template: embedded(2, PodTemplateSpec),
}));

export const PodTemplateSpec = struct('core/v1.PodTemplateSpec', () => ({
  metadata: embedded(1, ObjectMeta),
  spec: embedded(2, PodSpec),
}));

export const PodTemplateList = objectList(PodTemplate);
