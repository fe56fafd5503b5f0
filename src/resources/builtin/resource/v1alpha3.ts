// Types of resource.k8s.io/v1alpha3.

import { embedded, list, pointer, string, struct, time } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';

export const DeviceTaintRule = object('resource/v1alpha3.DeviceTaintRule', 'resource.k8s.io/v1alpha3', () => ({
  spec: embedded(2, DeviceTaintRuleSpec).required(),
}));

export const DeviceTaintRuleSpec = struct('resource/v1alpha3.DeviceTaintRuleSpec', () => ({
  deviceSelector: pointer(1, DeviceTaintSelector),
  taint: embedded(2, DeviceTaint).required().omitEmpty(),
}));

export const DeviceTaintSelector = struct('resource/v1alpha3.DeviceTaintSelector', () => ({
  deviceClassName: string(1).pointer(),
  driver: string(2).pointer(),
  pool: string(3).pointer(),
  device: string(4).pointer(),
  selectors: list(5, DeviceSelector).atomic(),
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
  effect: string(3).required().oneOf('NoExecute', 'NoSchedule'),
  timeAdded: time(4).pointer(),
}));

export const DeviceTaintRuleList = objectList(DeviceTaintRule);
