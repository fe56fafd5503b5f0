// Types of the core group, v1: Node.

import { bool, embedded, int32, int64, list, map, pointer, string, struct, time } from '../../../../schema/build.ts';
import { object, objectList } from '../../meta/object.ts';
import { Taint } from '../pod/scheduling.ts';

export const Node = object('core/v1.Node', 'v1', () => ({
  spec: embedded(2, NodeSpec),
  status: embedded(3, NodeStatus),
}));

export const NodeSpec = struct('core/v1.NodeSpec', () => ({
  podCIDR: string(1),
  podCIDRs: list(7, 'string').set().patchStrategy('merge').upTo(29, list(7, 'string').patchStrategy('merge')),
  providerID: string(3),
  unschedulable: bool(4),
  taints: list(5, Taint).atomic(30),
  configSource: pointer(6, NodeConfigSource),
  externalID: string(2),
  podPreemptionPolicy: pointer(8, NodePodPreemptionPolicy)
    .behind('InPlacePodVerticalScalingSchedulerPreemption')
    .since(37),
}));

export const NodePodPreemptionPolicy = struct('core/v1.NodePodPreemptionPolicy', () => ({
  disableResizePreemption: list(1, 'string').set(),
}));

export const NodeConfigSource = struct('core/v1.NodeConfigSource', () => ({
  configMap: pointer(2, ConfigMapNodeConfigSource),
}));

export const ConfigMapNodeConfigSource = struct('core/v1.ConfigMapNodeConfigSource', () => ({
  namespace: string(1).required(),
  name: string(2).required(),
  uid: string(3),
  resourceVersion: string(4),
  kubeletConfigKey: string(5).required(),
}));

export const NodeStatus = struct('core/v1.NodeStatus', () => ({
  capacity: map(1, 'quantity'),
  allocatable: map(2, 'quantity'),
  phase: string(3).oneOf('Pending', 'Running', 'Terminated'),
  conditions: list(4, NodeCondition).keyed('type').mergedBy('type').upTo(29, list(4, NodeCondition).mergedBy('type')),
  addresses: list(5, NodeAddress).keyed('type').mergedBy('type').upTo(29, list(5, NodeAddress).mergedBy('type')),
  daemonEndpoints: embedded(6, NodeDaemonEndpoints),
  nodeInfo: embedded(7, NodeSystemInfo),
  images: list(8, ContainerImage).atomic(30),
  volumesInUse: list(9, 'string').atomic(30),
  volumesAttached: list(10, AttachedVolume).atomic(30),
  config: pointer(11, NodeConfigStatus),
  runtimeHandlers: list(12, NodeRuntimeHandler).atomic().since(30),
  features: pointer(13, NodeFeatures).since(31),
  declaredFeatures: list(14, 'string').atomic().behind('NodeDeclaredFeatures').since(35),
}));

export const NodeCondition = struct('core/v1.NodeCondition', () => ({
  type: string(1).required(),
  status: string(2).required(),
  lastHeartbeatTime: time(3),
  lastTransitionTime: time(4),
  reason: string(5),
  message: string(6),
}));

export const NodeAddress = struct('core/v1.NodeAddress', () => ({
  type: string(1).required(),
  address: string(2).required(),
}));

export const NodeDaemonEndpoints = struct('core/v1.NodeDaemonEndpoints', () => ({
  kubeletEndpoint: embedded(1, DaemonEndpoint),
}));

export const DaemonEndpoint = struct('core/v1.DaemonEndpoint', () => ({
  Port: int32(1).required(),
}));

export const NodeSystemInfo = struct('core/v1.NodeSystemInfo', () => ({
  machineID: string(1).required(),
  systemUUID: string(2).required(),
  bootID: string(3).required(),
  kernelVersion: string(4).required(),
  osImage: string(5).required(),
  containerRuntimeVersion: string(6).required(),
  kubeletVersion: string(7).required(),
  kubeProxyVersion: string(8).required(),
  operatingSystem: string(9).required(),
  architecture: string(10).required(),
  swap: pointer(11, NodeSwapStatus).since(33),
  runningInUserNamespace: bool(12).pointer().behind('KubeletInUserNamespace').since(37),
}));

export const NodeSwapStatus = struct('core/v1.NodeSwapStatus', () => ({
  capacity: int64(1).pointer(),
}));

export const ContainerImage = struct('core/v1.ContainerImage', () => ({
  names: list(1, 'string').always().atomic(30),
  sizeBytes: int64(2),
}));

export const AttachedVolume = struct('core/v1.AttachedVolume', () => ({
  name: string(1).required(),
  devicePath: string(2).required(),
}));

export const NodeConfigStatus = struct('core/v1.NodeConfigStatus', () => ({
  assigned: pointer(1, NodeConfigSource),
  active: pointer(2, NodeConfigSource),
  lastKnownGood: pointer(3, NodeConfigSource),
  error: string(4),
}));

export const NodeRuntimeHandler = struct('core/v1.NodeRuntimeHandler', () => ({
  name: string(1).always(),
  features: pointer(2, NodeRuntimeHandlerFeatures),
}));

export const NodeRuntimeHandlerFeatures = struct('core/v1.NodeRuntimeHandlerFeatures', () => ({
  recursiveReadOnlyMounts: bool(1).pointer(),
  userNamespaces: bool(2).pointer().since(31),
}));

export const NodeFeatures = struct('core/v1.NodeFeatures', () => ({
  supplementalGroupsPolicy: bool(1).pointer(),
}));

export const NodeList = objectList(Node);
