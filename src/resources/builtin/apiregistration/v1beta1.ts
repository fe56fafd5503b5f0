// Types of apiregistration.k8s.io/v1beta1.

import { bool, bytes, embedded, int32, list, pointer, string, struct, time } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';

export const APIService = object('apiregistration/v1beta1.APIService', 'apiregistration.k8s.io/v1beta1', () => ({
  spec: embedded(2, APIServiceSpec),
  status: embedded(3, APIServiceStatus),
}));

export const APIServiceSpec = struct('apiregistration/v1beta1.APIServiceSpec', () => ({
  service: pointer(1, ServiceReference),
  group: string(2),
  version: string(3),
  insecureSkipTLSVerify: bool(4),
  caBundle: bytes(5).atomic(),
  groupPriorityMinimum: int32(7).required(),
  versionPriority: int32(8).required(),
}));

export const ServiceReference = struct('apiregistration/v1beta1.ServiceReference', () => ({
  namespace: string(1),
  name: string(2),
  port: int32(3).pointer(),
}));

export const APIServiceStatus = struct('apiregistration/v1beta1.APIServiceStatus', () => ({
  conditions: list(1, APIServiceCondition).keyed('type').mergedBy('type'),
}));

export const APIServiceCondition = struct('apiregistration/v1beta1.APIServiceCondition', () => ({
  type: string(1).required(),
  status: string(2).required(),
  lastTransitionTime: time(3),
  reason: string(4),
  message: string(5),
}));

export const APIServiceList = objectList(APIService);
