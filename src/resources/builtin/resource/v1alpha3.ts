// Types of resource.k8s.io/v1alpha3.

import {
  bool,
  embedded,
  inline,
  int32,
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
import { Condition, ObjectMeta, TypeMeta } from '../meta/v1.ts';

export const DeviceTaintRule = object(
  'resource/v1alpha3.DeviceTaintRule',
  'resource.k8s.io/v1alpha3',
  () => ({
    spec: embedded(2, DeviceTaintRuleSpec).required(),
    status: embedded(3, DeviceTaintRuleStatus).since(35),
  }),
  { since: 33 },
);

export const DeviceTaintRuleStatus = struct('resource/v1alpha3.DeviceTaintRuleStatus', () => ({
  conditions: list(1, Condition).keyed('type').mergedBy('type'),
}));

export const DeviceTaintRuleSpec = struct('resource/v1alpha3.DeviceTaintRuleSpec', () => ({
  deviceSelector: pointer(1, DeviceTaintSelector),
  taint: embedded(2, DeviceTaint).required().omitEmpty(),
}));

export const DeviceTaintSelector = struct('resource/v1alpha3.DeviceTaintSelector', () => ({
  deviceClassName: string(1).pointer().until(34),
  driver: string(2).pointer(),
  pool: string(3).pointer(),
  device: string(4).pointer(),
  selectors: list(5, DeviceSelector).atomic().until(34),
}));

export const DeviceSelector = struct('resource/v1alpha3.DeviceSelector', () => ({
  cel: pointer(1, CELDeviceSelector),
}));

export const CELDeviceSelector = struct('resource/v1alpha3.CELDeviceSelector', () => ({
  expression: string(1).required(),
}));

export const DeviceTaint = struct('resource/v1alpha3.DeviceTaint', () => ({
  key: string(1).required(),
  value: string(2),
  effect: string(3)
    .required()
    .oneOf('NoExecute', 'NoSchedule')
    .from(35, string(3).required().oneOf('NoExecute', 'NoSchedule', 'None')),
  timeAdded: time(4).pointer(),
}));

export const DeviceTaintRuleList = objectList(DeviceTaintRule);

export const ResourcePoolStatusRequest = struct(
  'resource/v1alpha3.ResourcePoolStatusRequest',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    metadata: embedded(1, ObjectMeta).required().omitEmpty(),
    spec: embedded(2, ResourcePoolStatusRequestSpec).required(),
    status: pointer(3, ResourcePoolStatusRequestStatus),
  }),
  { kinds: ['resource.k8s.io/v1alpha3/ResourcePoolStatusRequest'], since: 36 },
);

export const ResourcePoolStatusRequestStatus = struct('resource/v1alpha3.ResourcePoolStatusRequestStatus', () => ({
  poolCount: int32(6).pointer().required().omitEmpty(),
  pools: list(2, PoolStatus).atomic(),
  conditions: list(3, Condition).keyed('type').mergedBy('type'),
}));

export const PoolStatus = struct('resource/v1alpha3.PoolStatus', () => ({
  driver: string(1).required().omitEmpty(),
  poolName: string(2).required().omitEmpty(),
  generation: int64(9).required(),
  resourceSliceCount: int32(8).pointer(),
  totalDevices: int32(4).pointer(),
  allocatedDevices: int32(5).pointer(),
  availableDevices: int32(6).pointer(),
  unavailableDevices: int32(7).pointer(),
  nodeName: string(3).pointer(),
  validationError: string(10).pointer(),
  partitionSummary: list(11, PartitionTypeStatus).atomic().since(37),
  shareableSummary: pointer(13, ShareableSummaryStatus).since(37),
}));

export const ShareableSummaryStatus = struct('resource/v1alpha3.ShareableSummaryStatus', () => ({
  fullyAvailableDevices: int32(1).pointer().required().omitEmpty(),
  partiallyAvailableDevices: int32(2).pointer().required().omitEmpty(),
  capacity: list(3, ShareableCapacityStatus).atomic(),
}));

export const ShareableCapacityStatus = struct('resource/v1alpha3.ShareableCapacityStatus', () => ({
  name: string(1).required().omitEmpty(),
  total: quantity(2).pointer().required().omitEmpty(),
  consumed: quantity(3).pointer().required().omitEmpty(),
  available: quantity(4).pointer().required().omitEmpty(),
}));

export const PartitionTypeStatus = struct('resource/v1alpha3.PartitionTypeStatus', () => ({
  attribute: string(4).required().omitEmpty(),
  type: string(1).required().omitEmpty(),
  total: int32(2).pointer().required().omitEmpty(),
  allocatable: int32(3).pointer().required().omitEmpty(),
}));

export const ResourcePoolStatusRequestSpec = struct('resource/v1alpha3.ResourcePoolStatusRequestSpec', () => ({
  driver: string(1).required(),
  poolName: string(2).pointer(),
  limit: int32(3).pointer().default(100),
  defaultPartitionTypeAttribute: string(4).pointer().behind('DRAPartitionableDevicesType').since(37),
}));

export const ResourcePoolStatusRequestList = objectList(ResourcePoolStatusRequest);

export const DeviceClass = object(
  'resource/v1alpha3.DeviceClass',
  'resource.k8s.io/v1alpha3',
  () => ({
    spec: embedded(2, DeviceClassSpec).required(),
  }),
  { since: 31, until: 33 },
);

export const DeviceClassSpec = struct('resource/v1alpha3.DeviceClassSpec', () => ({
  selectors: list(1, DeviceSelector).atomic(),
  config: list(2, DeviceClassConfiguration).atomic(),
  suitableNodes: pointer(3, NodeSelector).until(31),
}));

export const DeviceClassConfiguration = struct('resource/v1alpha3.DeviceClassConfiguration', () => ({
  DeviceConfiguration: inline(1, DeviceConfiguration),
}));

export const DeviceConfiguration = struct('resource/v1alpha3.DeviceConfiguration', () => ({
  opaque: pointer(1, OpaqueDeviceConfiguration),
}));

export const OpaqueDeviceConfiguration = struct('resource/v1alpha3.OpaqueDeviceConfiguration', () => ({
  driver: string(1).required(),
  parameters: raw(2).required(),
}));

export const DeviceClassList = objectList(DeviceClass);

export const PodSchedulingContext = object(
  'resource/v1alpha3.PodSchedulingContext',
  'resource.k8s.io/v1alpha3',
  () => ({
    spec: embedded(2, PodSchedulingContextSpec).required(),
    status: embedded(3, PodSchedulingContextStatus),
  }),
  { since: 31, until: 31 },
);

export const PodSchedulingContextStatus = struct('resource/v1alpha3.PodSchedulingContextStatus', () => ({
  resourceClaims: list(1, ResourceClaimSchedulingStatus).keyed('name'),
}));

export const ResourceClaimSchedulingStatus = struct('resource/v1alpha3.ResourceClaimSchedulingStatus', () => ({
  name: string(1).required(),
  unsuitableNodes: list(2, 'string').atomic(),
}));

export const PodSchedulingContextSpec = struct('resource/v1alpha3.PodSchedulingContextSpec', () => ({
  selectedNode: string(1),
  potentialNodes: list(2, 'string').atomic(),
}));

export const PodSchedulingContextList = objectList(PodSchedulingContext);

export const ResourceClaim = object(
  'resource/v1alpha3.ResourceClaim',
  'resource.k8s.io/v1alpha3',
  () => ({
    spec: embedded(2, ResourceClaimSpec).required(),
    status: embedded(3, ResourceClaimStatus),
  }),
  { since: 31, until: 33 },
);

export const ResourceClaimStatus = struct('resource/v1alpha3.ResourceClaimStatus', () => ({
  allocation: pointer(1, AllocationResult),
  reservedFor: list(2, ResourceClaimConsumerReference).keyed('uid').mergedBy('uid'),
  deallocationRequested: bool(3).until(31),
  devices: list(4, AllocatedDeviceStatus).keyed('driver', 'device', 'pool').since(32),
}));

export const AllocatedDeviceStatus = struct('resource/v1alpha3.AllocatedDeviceStatus', () => ({
  driver: string(1).required(),
  pool: string(2).required(),
  device: string(3).required(),
  conditions: list(4, Condition).always().keyed('type'),
  data: raw(5).pointer().upTo(32, raw(5)),
  networkData: pointer(6, NetworkDeviceData),
}));

export const NetworkDeviceData = struct('resource/v1alpha3.NetworkDeviceData', () => ({
  interfaceName: string(1),
  ips: list(2, 'string').atomic(),
  hardwareAddress: string(3),
}));

export const ResourceClaimConsumerReference = struct('resource/v1alpha3.ResourceClaimConsumerReference', () => ({
  apiGroup: string(1),
  resource: string(3).required(),
  name: string(4).required(),
  uid: string(5).required(),
}));

export const AllocationResult = struct('resource/v1alpha3.AllocationResult', () => ({
  devices: embedded(1, DeviceAllocationResult),
  nodeSelector: pointer(3, NodeSelector),
  controller: string(4).until(31),
}));

export const DeviceAllocationResult = struct('resource/v1alpha3.DeviceAllocationResult', () => ({
  results: list(1, DeviceRequestAllocationResult).atomic(),
  config: list(2, DeviceAllocationConfiguration).atomic(),
}));

export const DeviceAllocationConfiguration = struct('resource/v1alpha3.DeviceAllocationConfiguration', () => ({
  source: string(1).required(),
  requests: list(2, 'string').atomic(),
  DeviceConfiguration: inline(3, DeviceConfiguration),
}));

export const DeviceRequestAllocationResult = struct('resource/v1alpha3.DeviceRequestAllocationResult', () => ({
  request: string(1).required(),
  driver: string(2).required(),
  pool: string(3).required(),
  device: string(4).required(),
  adminAccess: bool(5).pointer().always().since(32),
  tolerations: list(6, DeviceToleration).atomic().since(33),
}));

export const ResourceClaimSpec = struct('resource/v1alpha3.ResourceClaimSpec', () => ({
  devices: embedded(1, DeviceClaim).always(),
  controller: string(2).until(31),
}));

export const DeviceClaim = struct('resource/v1alpha3.DeviceClaim', () => ({
  requests: list(1, DeviceRequest).always().atomic(),
  constraints: list(2, DeviceConstraint).atomic(),
  config: list(3, DeviceClaimConfiguration).atomic(),
}));

export const DeviceClaimConfiguration = struct('resource/v1alpha3.DeviceClaimConfiguration', () => ({
  requests: list(1, 'string').atomic(),
  DeviceConfiguration: inline(2, DeviceConfiguration),
}));

export const DeviceConstraint = struct('resource/v1alpha3.DeviceConstraint', () => ({
  requests: list(1, 'string').atomic(),
  matchAttribute: string(2).pointer(),
}));

export const DeviceRequest = struct('resource/v1alpha3.DeviceRequest', () => ({
  name: string(1).required(),
  deviceClassName: string(2).always().upTo(32, string(2).required()),
  selectors: list(3, DeviceSelector).atomic(),
  allocationMode: string(4),
  count: int64(5),
  adminAccess: bool(6).pointer().upTo(31, bool(6).default(false)),
  firstAvailable: list(7, DeviceSubRequest).atomic().since(33),
  tolerations: list(8, DeviceToleration).atomic().since(33),
}));

export const DeviceSubRequest = struct('resource/v1alpha3.DeviceSubRequest', () => ({
  name: string(1).required(),
  deviceClassName: string(2).required(),
  selectors: list(3, DeviceSelector).atomic(),
  allocationMode: string(4),
  count: int64(5),
  tolerations: list(7, DeviceToleration).atomic(),
}));

export const DeviceToleration = struct('resource/v1alpha3.DeviceToleration', () => ({
  key: string(1),
  operator: string(2).default('Equal').oneOf('Equal', 'Exists'),
  value: string(3),
  effect: string(4).oneOf('NoExecute', 'NoSchedule'),
  tolerationSeconds: int64(5).pointer(),
}));

export const ResourceClaimList = objectList(ResourceClaim);

export const ResourceClaimTemplate = object(
  'resource/v1alpha3.ResourceClaimTemplate',
  'resource.k8s.io/v1alpha3',
  () => ({
    spec: embedded(2, ResourceClaimTemplateSpec).required(),
  }),
  { since: 31, until: 33 },
);

export const ResourceClaimTemplateSpec = struct('resource/v1alpha3.ResourceClaimTemplateSpec', () => ({
  metadata: embedded(1, ObjectMeta),
  spec: embedded(2, ResourceClaimSpec).required(),
}));

export const ResourceClaimTemplateList = objectList(ResourceClaimTemplate);

export const ResourceSlice = object(
  'resource/v1alpha3.ResourceSlice',
  'resource.k8s.io/v1alpha3',
  () => ({
    spec: embedded(2, ResourceSliceSpec).required(),
  }),
  { since: 31, until: 33 },
);

export const ResourceSliceSpec = struct('resource/v1alpha3.ResourceSliceSpec', () => ({
  driver: string(1).required(),
  pool: embedded(2, ResourcePool).required(),
  nodeName: string(3),
  nodeSelector: pointer(4, NodeSelector),
  allNodes: bool(5),
  devices: list(6, Device).always().atomic(),
  perDeviceNodeSelection: bool(7).pointer().since(33),
  sharedCounters: list(8, CounterSet).atomic().since(33),
}));

export const CounterSet = struct('resource/v1alpha3.CounterSet', () => ({
  name: string(1).required(),
  counters: map(2, Counter).required().omitEmpty(),
}));

export const Device = struct('resource/v1alpha3.Device', () => ({
  name: string(1).required(),
  basic: pointer(2, BasicDevice),
}));

export const BasicDevice = struct('resource/v1alpha3.BasicDevice', () => ({
  attributes: map(1, DeviceAttribute),
  capacity: map(2, 'quantity'),
  consumesCounters: list(3, DeviceCounterConsumption).atomic().since(33),
  nodeName: string(4).pointer().since(33),
  nodeSelector: pointer(5, NodeSelector).since(33),
  allNodes: bool(6).pointer().since(33),
  taints: list(7, DeviceTaint).atomic().since(33),
}));

export const DeviceCounterConsumption = struct('resource/v1alpha3.DeviceCounterConsumption', () => ({
  counterSet: string(1).required(),
  counters: map(2, Counter).required().omitEmpty(),
}));

export const Counter = struct('resource/v1alpha3.Counter', () => ({
  value: quantity(1).required(),
}));

export const DeviceAttribute = struct('resource/v1alpha3.DeviceAttribute', () => ({
  int: int64(2).pointer(),
  bool: bool(3).pointer(),
  string: string(4).pointer(),
  version: string(5).pointer(),
}));

export const ResourcePool = struct('resource/v1alpha3.ResourcePool', () => ({
  name: string(1).required(),
  generation: int64(2).required(),
  resourceSliceCount: int64(3).required(),
}));

export const ResourceSliceList = objectList(ResourceSlice);
