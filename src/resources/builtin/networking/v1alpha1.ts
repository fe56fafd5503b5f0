// Types of networking.k8s.io/v1alpha1.

import { embedded, list, pointer, string, struct } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { Condition } from '../meta/v1.ts';

export const IPAddress = object(
  'networking/v1alpha1.IPAddress',
  'networking.k8s.io/v1alpha1',
  () => ({
    spec: embedded(2, IPAddressSpec),
  }),
  { since: 27, until: 33 },
);

export const IPAddressSpec = struct('networking/v1alpha1.IPAddressSpec', () => ({
  parentRef: pointer(1, ParentReference).required().omitEmpty().upTo(29, pointer(1, ParentReference)),
}));

export const ParentReference = struct('networking/v1alpha1.ParentReference', () => ({
  group: string(1),
  resource: string(2).required().omitEmpty().upTo(29, string(2)),
  namespace: string(3),
  name: string(4).required().omitEmpty().upTo(29, string(4)),
  uid: string(5).until(28),
}));

export const IPAddressList = objectList(IPAddress);

export const ServiceCIDR = object(
  'networking/v1alpha1.ServiceCIDR',
  'networking.k8s.io/v1alpha1',
  () => ({
    spec: embedded(2, ServiceCIDRSpec),
    status: embedded(3, ServiceCIDRStatus),
  }),
  { since: 29, until: 33 },
);

export const ServiceCIDRStatus = struct('networking/v1alpha1.ServiceCIDRStatus', () => ({
  conditions: list(1, Condition).keyed('type').mergedBy('type'),
}));

export const ServiceCIDRSpec = struct('networking/v1alpha1.ServiceCIDRSpec', () => ({
  cidrs: list(1, 'string').atomic(30),
}));

export const ServiceCIDRList = objectList(ServiceCIDR);
