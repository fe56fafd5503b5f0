// Types of resource.k8s.io/v1.

import {
  bool,
  embedded,
  inline,
  int64,
  list,
  map,
  pointer,
  quantity,
  raw,
  string,
  struct,
  time,
} from '../../../schema/build.ts';
import { NodeSelector } from '../core/pod/scheduling.ts';
import { object, objectList } from '../meta/object.ts';
import { Condition, ObjectMeta } from '../meta/v1.ts';

export const DeviceClass = object(
  'resource/v1.DeviceClass',
  'resource.k8s.io/v1',
  () => ({
    spec: embedded(2, DeviceClassSpec).required().from(37, embedded(2, DeviceClassSpec).always()),
  }),
  { since: 34 },
);

export const DeviceClassSpec = struct('resource/v1.DeviceClassSpec', () => ({
  selectors: list(1, DeviceSelector).atomic(),
  config: list(2, DeviceClassConfiguration).atomic(),
  extendedResourceName: string(4).pointer().behind('DRAExtendedResource'),
}));

export const DeviceSelector = struct('resource/v1.DeviceSelector', () => ({
  cel: pointer(1, CELDeviceSelector),
}));

export const CELDeviceSelector = struct('resource/v1.CELDeviceSelector', () => ({
  expression: string(1).required(),
}));

export const DeviceClassConfiguration = struct('resource/v1.DeviceClassConfiguration', () => ({
  DeviceConfiguration: inline(1, DeviceConfiguration),
}));

export const DeviceConfiguration = struct('resource/v1.DeviceConfiguration', () => ({
  opaque: pointer(1, OpaqueDeviceConfiguration),
}));

export const OpaqueDeviceConfiguration = struct('resource/v1.OpaqueDeviceConfiguration', () => ({
  driver: string(1).required(),
  parameters: raw(2).required(),
}));

export const DeviceClassList = objectList(DeviceClass);

export const ResourceClaim = object(
  'resource/v1.ResourceClaim',
  'resource.k8s.io/v1',
  () => ({
    spec: embedded(2, ResourceClaimSpec).required().from(37, embedded(2, ResourceClaimSpec).always()),
    status: embedded(3, ResourceClaimStatus),
  }),
  { since: 34 },
);

export const ResourceClaimSpec = struct('resource/v1.ResourceClaimSpec', () => ({
  devices: embedded(1, DeviceClaim).always(),
}));

export const DeviceClaim = struct('resource/v1.DeviceClaim', () => ({
  requests: list(1, DeviceRequest).always().atomic(),
  constraints: list(2, DeviceConstraint).atomic(),
  config: list(3, DeviceClaimConfiguration).atomic(),
}));

export const DeviceRequest = struct('resource/v1.DeviceRequest', () => ({
  name: string(1).required(),
  exactly: pointer(2, ExactDeviceRequest),
  firstAvailable: list(3, DeviceSubRequest).atomic().behind('DRAPrioritizedList'),
}));

export const ExactDeviceRequest = struct('resource/v1.ExactDeviceRequest', () => ({
  deviceClassName: string(1).required(),
  selectors: list(2, DeviceSelector).atomic(),
  allocationMode: string(3).from(35, string(3).oneOf('All', 'ExactCount')),
  count: int64(4),
  adminAccess: bool(5).pointer().behind('DRAAdminAccess'),
  tolerations: list(6, DeviceToleration)
    .atomic()
    .from(35, list(6, DeviceToleration).atomic().behind('DRADeviceTaints')),
  capacity: pointer(7, CapacityRequirements).behind('DRAConsumableCapacity'),
  derivedAttributes: list(8, DeviceDerivedAttribute).atomic().behind('DRADerivedAttributes').since(37),
}));

export const DeviceDerivedAttribute = struct('resource/v1.DeviceDerivedAttribute', () => ({
  name: string(1).required(),
  expression: string(2).required(),
}));

export const DeviceToleration = struct('resource/v1.DeviceToleration', () => ({
  key: string(1),
  operator: string(2).default('Equal').oneOf('Equal', 'Exists'),
  value: string(3),
  effect: string(4)
    .oneOf('NoExecute', 'NoSchedule')
    .from(35, string(4).oneOf('NoExecute', 'NoSchedule', 'None')),
  tolerationSeconds: int64(5).pointer(),
}));

export const CapacityRequirements = struct('resource/v1.CapacityRequirements', () => ({
  requests: map(1, 'quantity'),
}));

export const DeviceSubRequest = struct('resource/v1.DeviceSubRequest', () => ({
  name: string(1).required(),
  deviceClassName: string(2).required(),
  selectors: list(3, DeviceSelector).atomic(),
  allocationMode: string(4).from(35, string(4).oneOf('All', 'ExactCount')),
  count: int64(5),
  tolerations: list(6, DeviceToleration)
    .atomic()
    .from(35, list(6, DeviceToleration).atomic().behind('DRADeviceTaints')),
  capacity: pointer(7, CapacityRequirements).behind('DRAConsumableCapacity'),
  derivedAttributes: list(8, DeviceDerivedAttribute).atomic().behind('DRADerivedAttributes').since(37),
}));

export const DeviceConstraint = struct('resource/v1.DeviceConstraint', () => ({
  requests: list(1, 'string').atomic(),
  matchAttribute: string(2).pointer(),
  distinctAttribute: string(3)
    .pointer()
    .showsUseOf('DRAConsumableCapacity')
    .from(35, string(3).pointer().behind('DRAConsumableCapacity').showsUseOf('DRAConsumableCapacity')),
}));

export const DeviceClaimConfiguration = struct('resource/v1.DeviceClaimConfiguration', () => ({
  requests: list(1, 'string').atomic(),
  DeviceConfiguration: inline(2, DeviceConfiguration),
}));

export const ResourceClaimStatus = struct('resource/v1.ResourceClaimStatus', () => ({
  allocation: pointer(1, AllocationResult),
  reservedFor: list(2, ResourceClaimConsumerReference).keyed('uid').mergedBy('uid'),
  devices: list(4, AllocatedDeviceStatus)
    .keyed('driver', 'device', 'pool', 'shareID')
    .behind('DRAResourceClaimDeviceStatus'),
}));

export const AllocationResult = struct('resource/v1.AllocationResult', () => ({
  devices: embedded(1, DeviceAllocationResult),
  nodeSelector: pointer(3, NodeSelector),
  allocationTimestamp: time(5).pointer().behind('DRADeviceBindingConditions,DRAResourceClaimDeviceStatus'),
}));

export const DeviceAllocationResult = struct('resource/v1.DeviceAllocationResult', () => ({
  results: list(1, DeviceRequestAllocationResult).atomic(),
  config: list(2, DeviceAllocationConfiguration).atomic(),
}));

export const DeviceRequestAllocationResult = struct('resource/v1.DeviceRequestAllocationResult', () => ({
  request: string(1).required(),
  driver: string(2).required(),
  pool: string(3).required(),
  device: string(4).required(),
  adminAccess: bool(5).pointer().behind('DRAAdminAccess'),
  tolerations: list(6, DeviceToleration).atomic(),
  bindingConditions: list(7, 'string').atomic().behind('DRADeviceBindingConditions,DRAResourceClaimDeviceStatus'),
  bindingFailureConditions: list(8, 'string')
    .atomic()
    .behind('DRADeviceBindingConditions,DRAResourceClaimDeviceStatus'),
  shareID: string(9).pointer().behind('DRAConsumableCapacity'),
  consumedCapacity: map(10, 'quantity').behind('DRAConsumableCapacity'),
  skipNodeOperations: list(11, 'string')
    .set()
    .itemsOneOf('*', 'NodePrepareResources', 'NodeUnprepareResources')
    .behind('DRAOptionalNodeOperations')
    .since(37),
}));

export const DeviceAllocationConfiguration = struct('resource/v1.DeviceAllocationConfiguration', () => ({
  source: string(1).required().from(35, string(1).required().oneOf('FromClaim', 'FromClass')),
  requests: list(2, 'string').atomic(),
  DeviceConfiguration: inline(3, DeviceConfiguration),
}));

export const ResourceClaimConsumerReference = struct('resource/v1.ResourceClaimConsumerReference', () => ({
  apiGroup: string(1),
  resource: string(3).required(),
  name: string(4).required(),
  uid: string(5).required(),
}));

export const AllocatedDeviceStatus = struct('resource/v1.AllocatedDeviceStatus', () => ({
  driver: string(1).required(),
  pool: string(2).required(),
  device: string(3).required(),
  shareID: string(7).pointer().behind('DRAConsumableCapacity'),
  conditions: list(4, Condition).always().keyed('type'),
  data: raw(5).pointer(),
  networkData: pointer(6, NetworkDeviceData),
}));

export const NetworkDeviceData = struct('resource/v1.NetworkDeviceData', () => ({
  interfaceName: string(1),
  ips: list(2, 'string').atomic(),
  hardwareAddress: string(3),
}));

export const ResourceClaimList = objectList(ResourceClaim);

export const ResourceClaimTemplate = object(
  'resource/v1.ResourceClaimTemplate',
  'resource.k8s.io/v1',
  () => ({
    spec: embedded(2, ResourceClaimTemplateSpec).required().from(37, embedded(2, ResourceClaimTemplateSpec).always()),
  }),
  { since: 34 },
);

export const ResourceClaimTemplateSpec = struct('resource/v1.ResourceClaimTemplateSpec', () => ({
  metadata: embedded(1, ObjectMeta),
  spec: embedded(2, ResourceClaimSpec).required().from(37, embedded(2, ResourceClaimSpec).always()),
}));

export const ResourceClaimTemplateList = objectList(ResourceClaimTemplate);

export const ResourceSlice = object(
  'resource/v1.ResourceSlice',
  'resource.k8s.io/v1',
  () => ({
    spec: embedded(2, ResourceSliceSpec).required(),
  }),
  { since: 34 },
);

export const ResourceSliceSpec = struct('resource/v1.ResourceSliceSpec', () => ({
  driver: string(1).required(),
  pool: embedded(2, ResourcePool).required(),
  nodeName: string(3).pointer(),
  nodeSelector: pointer(4, NodeSelector),
  allNodes: bool(5).pointer(),
  devices: list(6, Device).always().atomic().from(35, list(6, Device).atomic()),
  perDeviceNodeSelection: bool(7).pointer().behind('DRAPartitionableDevices'),
  sharedCounters: list(8, CounterSet).atomic().behind('DRAPartitionableDevices'),
  partitionTypeAttribute: string(9).pointer().behind('DRAPartitionableDevicesType').since(37),
  skipNodeOperations: list(10, 'string')
    .set()
    .itemsOneOf('*', 'NodePrepareResources', 'NodeUnprepareResources')
    .behind('DRAOptionalNodeOperations')
    .since(37),
}));

export const ResourcePool = struct('resource/v1.ResourcePool', () => ({
  name: string(1).required(),
  generation: int64(2).required(),
  resourceSliceCount: int64(3).required(),
}));

export const Device = struct('resource/v1.Device', () => ({
  name: string(1).required(),
  attributes: map(2, DeviceAttribute),
  capacity: map(3, DeviceCapacity),
  consumesCounters: list(4, DeviceCounterConsumption).atomic().behind('DRAPartitionableDevices'),
  nodeName: string(5).pointer().behind('DRAPartitionableDevices'),
  nodeSelector: pointer(6, NodeSelector).behind('DRAPartitionableDevices'),
  allNodes: bool(7).pointer().behind('DRAPartitionableDevices'),
  taints: list(8, DeviceTaint).atomic().behind('DRADeviceTaints'),
  bindsToNode: bool(9).pointer().behind('DRADeviceBindingConditions,DRAResourceClaimDeviceStatus'),
  bindingConditions: list(10, 'string').atomic().behind('DRADeviceBindingConditions,DRAResourceClaimDeviceStatus'),
  bindingFailureConditions: list(11, 'string')
    .atomic()
    .behind('DRADeviceBindingConditions,DRAResourceClaimDeviceStatus'),
  allowMultipleAllocations: bool(12).pointer().behind('DRAConsumableCapacity'),
  nodeAllocatableResourceMappings: map(13, NodeAllocatableResourceMapping)
    .behind('DRANodeAllocatableResources')
    .since(36)
    .until(36),
  nodeAllocatableResources: map(14, NodeAllocatableResource).behind('DRANodeAllocatableResources').since(37),
}));

export const NodeAllocatableResource = struct('resource/v1.NodeAllocatableResource', () => ({
  mapping: pointer(3, NodeAllocatableMapping),
  overhead: pointer(4, NodeAllocatableOverhead),
}));

export const NodeAllocatableOverhead = struct('resource/v1.NodeAllocatableOverhead', () => ({
  perPod: quantity(1).pointer(),
  perContainer: quantity(2).pointer(),
}));

export const NodeAllocatableMapping = struct('resource/v1.NodeAllocatableMapping', () => ({
  capacityKey: string(1).pointer(),
  capacityMultiplier: quantity(2).pointer(),
  deviceMultiplier: quantity(3).pointer(),
}));

export const NodeAllocatableResourceMapping = struct('resource/v1.NodeAllocatableResourceMapping', () => ({
  capacityKey: string(1).pointer(),
  allocationMultiplier: quantity(2).pointer(),
}));

export const DeviceAttribute = struct('resource/v1.DeviceAttribute', () => ({
  int: int64(2).pointer(),
  bool: bool(3).pointer(),
  string: string(4).pointer(),
  version: string(5).pointer(),
  ints: list(6, 'int64').atomic().behind('DRAListTypeAttributes').since(36),
  bools: list(7, 'bool').atomic().behind('DRAListTypeAttributes').since(36),
  strings: list(8, 'string').atomic().behind('DRAListTypeAttributes').since(36),
  versions: list(9, 'string').atomic().behind('DRAListTypeAttributes').since(36),
}));

export const DeviceCapacity = struct('resource/v1.DeviceCapacity', () => ({
  value: quantity(1).required(),
  requestPolicy: pointer(2, CapacityRequestPolicy).behind('DRAConsumableCapacity'),
}));

export const CapacityRequestPolicy = struct('resource/v1.CapacityRequestPolicy', () => ({
  default: quantity(1).pointer().always(),
  validValues: list(3, 'quantity').atomic(),
  validRange: pointer(4, CapacityRequestPolicyRange),
}));

export const CapacityRequestPolicyRange = struct('resource/v1.CapacityRequestPolicyRange', () => ({
  min: quantity(1).pointer().required().omitEmpty(),
  max: quantity(2).pointer(),
  step: quantity(3).pointer(),
}));

export const DeviceCounterConsumption = struct('resource/v1.DeviceCounterConsumption', () => ({
  counterSet: string(1).required(),
  counters: map(2, Counter).required().omitEmpty(),
  compatibilityGroups: list(3, 'string').atomic().behind('DRADeviceCompatibilityGroups').since(37),
}));

export const Counter = struct('resource/v1.Counter', () => ({
  value: quantity(1).required(),
}));

export const DeviceTaint = struct('resource/v1.DeviceTaint', () => ({
  key: string(1).required(),
  value: string(2),
  effect: string(3)
    .required()
    .oneOf('NoExecute', 'NoSchedule')
    .from(35, string(3).required().oneOf('NoExecute', 'NoSchedule', 'None')),
  timeAdded: time(4).pointer(),
}));

export const CounterSet = struct('resource/v1.CounterSet', () => ({
  name: string(1).required(),
  counters: map(2, Counter).required().omitEmpty(),
}));

export const ResourceSliceList = objectList(ResourceSlice);

export const DeviceTaintRule = object(
  'resource/v1.DeviceTaintRule',
  'resource.k8s.io/v1',
  () => ({
    spec: embedded(2, DeviceTaintRuleSpec).required(),
    status: embedded(3, DeviceTaintRuleStatus),
  }),
  { since: 37 },
);

export const DeviceTaintRuleStatus = struct('resource/v1.DeviceTaintRuleStatus', () => ({
  conditions: list(1, Condition).keyed('type').mergedBy('type'),
}));

export const DeviceTaintRuleSpec = struct('resource/v1.DeviceTaintRuleSpec', () => ({
  deviceSelector: pointer(1, DeviceTaintSelector),
  taint: embedded(2, DeviceTaint).required().omitEmpty(),
}));

export const DeviceTaintSelector = struct('resource/v1.DeviceTaintSelector', () => ({
  driver: string(2).pointer(),
  pool: string(3).pointer(),
  device: string(4).pointer(),
}));

export const DeviceTaintRuleList = objectList(DeviceTaintRule);
