// Types of the core group, v1: Pod and PodTemplate.

import { bool, embedded, int32, int64, list, map, pointer, string, struct, time } from '../../../../schema/build.ts';
import { object, objectList } from '../../meta/object.ts';
import { ObjectMeta } from '../../meta/v1.ts';
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
  volumes: list(1, Volume).keyed('name').mergedBy('name', 'merge,retainKeys'),
  initContainers: list(20, Container).keyed('name').mergedBy('name'),
  containers: list(2, Container).required().keyed('name').mergedBy('name'),
  ephemeralContainers: list(34, EphemeralContainer).keyed('name').mergedBy('name'),
  restartPolicy: string(3).oneOf('Always', 'Never', 'OnFailure'),
  terminationGracePeriodSeconds: int64(4).pointer(),
  activeDeadlineSeconds: int64(5).pointer(),
  dnsPolicy: string(6).oneOf('ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'),
  nodeSelector: map(7, 'string').atomic(),
  serviceAccountName: string(8),
  serviceAccount: string(9).declarative('conversion-gen=false'),
  automountServiceAccountToken: bool(21).pointer(),
  nodeName: string(10),
  hostNetwork: bool(11).declarative('conversion-gen=false'),
  hostPID: bool(12).declarative('conversion-gen=false'),
  hostIPC: bool(13).declarative('conversion-gen=false'),
  shareProcessNamespace: bool(27).pointer().declarative('conversion-gen=false'),
  securityContext: pointer(14, PodSecurityContext),
  imagePullSecrets: list(15, LocalObjectReference).keyed('name').mergedBy('name'),
  hostname: string(16),
  subdomain: string(17),
  affinity: pointer(18, Affinity),
  schedulerName: string(19),
  tolerations: list(22, Toleration).atomic(),
  hostAliases: list(23, HostAlias).keyed('ip').mergedBy('ip'),
  priorityClassName: string(24),
  priority: int32(25).pointer(),
  dnsConfig: pointer(26, PodDNSConfig),
  readinessGates: list(28, PodReadinessGate).atomic(),
  runtimeClassName: string(29).pointer(),
  enableServiceLinks: bool(30).pointer(),
  preemptionPolicy: string(31).pointer().oneOf('Never', 'PreemptLowerPriority'),
  overhead: map(32, 'quantity'),
  topologySpreadConstraints: list(33, TopologySpreadConstraint)
    .keyed('topologyKey', 'whenUnsatisfiable')
    .mergedBy('topologyKey'),
  setHostnameAsFQDN: bool(35).pointer(),
  os: pointer(36, PodOS),
  hostUsers: bool(37).pointer().declarative('conversion-gen=false').behind('UserNamespacesSupport'),
  schedulingGates: list(38, PodSchedulingGate).keyed('name').mergedBy('name'),
  resourceClaims: list(39, PodResourceClaim)
    .keyed('name')
    .mergedBy('name', 'merge,retainKeys')
    .behind('DynamicResourceAllocation'),
  resources: pointer(40, ResourceRequirements).behind('PodLevelResources'),
  hostnameOverride: string(41).pointer().behind('HostnameOverride'),
}));

export const HostAlias = struct('core/v1.HostAlias', () => ({
  ip: string(1).required(),
  hostnames: list(2, 'string').atomic(),
}));

export const PodDNSConfig = struct('core/v1.PodDNSConfig', () => ({
  nameservers: list(1, 'string').atomic(),
  searches: list(2, 'string').atomic(),
  options: list(3, PodDNSConfigOption).atomic(),
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
  resourceClaimName: string(3).pointer(),
  resourceClaimTemplateName: string(4).pointer(),
}));

export const PodStatus = struct('core/v1.PodStatus', () => ({
  observedGeneration: int64(17).behind('PodObservedGenerationTracking'),
  phase: string(1).oneOf('Failed', 'Pending', 'Running', 'Succeeded', 'Unknown'),
  conditions: list(2, PodCondition).keyed('type').mergedBy('type'),
  message: string(3),
  reason: string(4),
  nominatedNodeName: string(11),
  hostIP: string(5),
  hostIPs: list(16, HostIP).atomic().mergedBy('ip'),
  podIP: string(6),
  podIPs: list(12, PodIP).keyed('ip').mergedBy('ip'),
  startTime: time(7).pointer(),
  initContainerStatuses: list(10, ContainerStatus).atomic(),
  containerStatuses: list(8, ContainerStatus).atomic(),
  qosClass: string(9).oneOf('BestEffort', 'Burstable', 'Guaranteed'),
  ephemeralContainerStatuses: list(13, ContainerStatus).atomic(),
  resize: string(14),
  resourceClaimStatuses: list(15, PodResourceClaimStatus)
    .keyed('name')
    .mergedBy('name', 'merge,retainKeys')
    .behind('DynamicResourceAllocation'),
  extendedResourceClaimStatus: pointer(18, PodExtendedResourceClaimStatus).behind('DRAExtendedResource'),
}));

export const PodCondition = struct('core/v1.PodCondition', () => ({
  type: string(1).required(),
  observedGeneration: int64(7).behind('PodObservedGenerationTracking'),
  status: string(2).required(),
  lastProbeTime: time(3),
  lastTransitionTime: time(4),
  reason: string(5),
  message: string(6),
}));

export const HostIP = struct('core/v1.HostIP', () => ({
  ip: string(1).required(),
}));

export const PodIP = struct('core/v1.PodIP', () => ({
  ip: string(1).required(),
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

export const PodStatusResult = object('core/v1.PodStatusResult', 'v1', () => ({
  status: embedded(2, PodStatus),
}));

export const PodTemplate = object('core/v1.PodTemplate', 'v1', () => ({
  template: embedded(2, PodTemplateSpec),
}));

export const PodTemplateSpec = struct('core/v1.PodTemplateSpec', () => ({
  metadata: embedded(1, ObjectMeta),
  spec: embedded(2, PodSpec),
}));

export const PodTemplateList = objectList(PodTemplate);
