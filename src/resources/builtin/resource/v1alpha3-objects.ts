// The objects of resource/v1alpha3.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';

export type DeviceTaintRule = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: DeviceTaintRuleSpec;
};

export type DeviceTaintRuleSpec = {
  readonly deviceSelector?: DeviceTaintSelector;
  readonly taint?: DeviceTaint;
};

export type DeviceTaintSelector = {
  readonly deviceClassName?: string;
  readonly driver?: string;
  readonly pool?: string;
  readonly device?: string;
  readonly selectors?: readonly DeviceSelector[];
};

export type DeviceSelector = {
  readonly cel?: CELDeviceSelector;
};

export type CELDeviceSelector = {
  readonly expression?: string;
};

export type DeviceTaint = {
  readonly key?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly timeAdded?: string;
};
