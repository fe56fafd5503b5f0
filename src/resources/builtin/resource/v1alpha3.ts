// Types of resource.k8s.io/v1alpha3.

import {
  embedded,
  inline,
  int32,
  int64,
  list,
  pointer,
  quantity,
  string,
  struct,
  time,
} from '../../../schema/build.ts';
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
