// The objects of resource/v1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { Json, ObjectMeta } from '../../../api/object.ts';
import type { NodeSelector } from '../core/pod/scheduling-objects.ts';
import type { Condition } from '../meta/v1-objects.ts';

export type DeviceClass = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: DeviceClassSpec;
};

export type DeviceClassSpec = {
  readonly selectors?: readonly DeviceSelector[];
  readonly config?: readonly DeviceClassConfiguration[];
  readonly extendedResourceName?: string;
};

export type DeviceSelector = {
  readonly cel?: CELDeviceSelector;
};

export type CELDeviceSelector = {
  readonly expression?: string;
};

export type DeviceClassConfiguration = {
  readonly opaque?: OpaqueDeviceConfiguration;
};

export type DeviceConfiguration = {
  readonly opaque?: OpaqueDeviceConfiguration;
};

export type OpaqueDeviceConfiguration = {
  readonly driver?: string;
  readonly parameters?: Json;
};

export type ResourceClaim = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ResourceClaimSpec;
  readonly status?: ResourceClaimStatus;
};

export type ResourceClaimSpec = {
  readonly devices?: DeviceClaim;
};

export type DeviceClaim = {
  readonly requests?: readonly DeviceRequest[] | null;
  readonly constraints?: readonly DeviceConstraint[];
  readonly config?: readonly DeviceClaimConfiguration[];
};

export type DeviceRequest = {
  readonly name?: string;
  readonly exactly?: ExactDeviceRequest;
  readonly firstAvailable?: readonly DeviceSubRequest[];
};

export type ExactDeviceRequest = {
  readonly deviceClassName?: string;
  readonly selectors?: readonly DeviceSelector[];
  readonly allocationMode?: string;
  readonly count?: number | bigint;
  readonly adminAccess?: boolean;
  readonly tolerations?: readonly DeviceToleration[];
  readonly capacity?: CapacityRequirements;
};

export type DeviceToleration = {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number | bigint;
};

export type CapacityRequirements = {
  readonly requests?: Readonly<Record<string, string>>;
};

export type DeviceSubRequest = {
  readonly name?: string;
  readonly deviceClassName?: string;
  readonly selectors?: readonly DeviceSelector[];
  readonly allocationMode?: string;
  readonly count?: number | bigint;
  readonly tolerations?: readonly DeviceToleration[];
  readonly capacity?: CapacityRequirements;
};

export type DeviceConstraint = {
  readonly requests?: readonly string[];
  readonly matchAttribute?: string;
  readonly distinctAttribute?: string;
};

export type DeviceClaimConfiguration = {
  readonly requests?: readonly string[];
  readonly opaque?: OpaqueDeviceConfiguration;
};

export type ResourceClaimStatus = {
  readonly allocation?: AllocationResult;
  readonly reservedFor?: readonly ResourceClaimConsumerReference[];
  readonly devices?: readonly AllocatedDeviceStatus[];
};

export type AllocationResult = {
  readonly devices?: DeviceAllocationResult;
  readonly nodeSelector?: NodeSelector;
  readonly allocationTimestamp?: string;
};

export type DeviceAllocationResult = {
  readonly results?: readonly DeviceRequestAllocationResult[];
  readonly config?: readonly DeviceAllocationConfiguration[];
};

export type DeviceRequestAllocationResult = {
  readonly request?: string;
  readonly driver?: string;
  readonly pool?: string;
  readonly device?: string;
  readonly adminAccess?: boolean;
  readonly tolerations?: readonly DeviceToleration[];
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly shareID?: string;
  readonly consumedCapacity?: Readonly<Record<string, string>>;
};

export type DeviceAllocationConfiguration = {
  readonly source?: string;
  readonly requests?: readonly string[];
  readonly opaque?: OpaqueDeviceConfiguration;
};

export type ResourceClaimConsumerReference = {
  readonly apiGroup?: string;
  readonly resource?: string;
  readonly name?: string;
  readonly uid?: string;
};

export type AllocatedDeviceStatus = {
  readonly driver?: string;
  readonly pool?: string;
  readonly device?: string;
  readonly shareID?: string;
  readonly conditions?: readonly Condition[] | null;
  readonly data?: Json;
  readonly networkData?: NetworkDeviceData;
};

export type NetworkDeviceData = {
  readonly interfaceName?: string;
  readonly ips?: readonly string[];
  readonly hardwareAddress?: string;
};

export type ResourceClaimTemplate = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ResourceClaimTemplateSpec;
};

export type ResourceClaimTemplateSpec = {
  readonly metadata?: ObjectMeta;
  readonly spec?: ResourceClaimSpec;
};

export type ResourceSlice = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ResourceSliceSpec;
};

export type ResourceSliceSpec = {
  readonly driver?: string;
  readonly pool?: ResourcePool;
  readonly nodeName?: string;
  readonly nodeSelector?: NodeSelector;
  readonly allNodes?: boolean;
  readonly devices?: readonly Device[] | null;
  readonly perDeviceNodeSelection?: boolean;
  readonly sharedCounters?: readonly CounterSet[];
};

export type ResourcePool = {
  readonly name?: string;
  readonly generation?: number | bigint;
  readonly resourceSliceCount?: number | bigint;
};

export type Device = {
  readonly name?: string;
  readonly attributes?: Readonly<Record<string, DeviceAttribute>>;
  readonly capacity?: Readonly<Record<string, DeviceCapacity>>;
  readonly consumesCounters?: readonly DeviceCounterConsumption[];
  readonly nodeName?: string;
  readonly nodeSelector?: NodeSelector;
  readonly allNodes?: boolean;
  readonly taints?: readonly DeviceTaint[];
  readonly bindsToNode?: boolean;
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly allowMultipleAllocations?: boolean;
};

export type DeviceAttribute = {
  readonly int?: number | bigint;
  readonly bool?: boolean;
  readonly string?: string;
  readonly version?: string;
};

export type DeviceCapacity = {
  readonly value?: string;
  readonly requestPolicy?: CapacityRequestPolicy;
};

export type CapacityRequestPolicy = {
  readonly default?: string | null;
  readonly validValues?: readonly string[];
  readonly validRange?: CapacityRequestPolicyRange;
};

export type CapacityRequestPolicyRange = {
  readonly min?: string;
  readonly max?: string;
  readonly step?: string;
};

export type DeviceCounterConsumption = {
  readonly counterSet?: string;
  readonly counters?: Readonly<Record<string, Counter>>;
};

export type Counter = {
  readonly value?: string;
};

export type DeviceTaint = {
  readonly key?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly timeAdded?: string;
};

export type CounterSet = {
  readonly name?: string;
  readonly counters?: Readonly<Record<string, Counter>>;
};
