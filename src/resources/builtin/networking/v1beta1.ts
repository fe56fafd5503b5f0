// Types of networking.k8s.io/v1beta1.

import { embedded, inline, int32, intOrString, list, pointer, string, struct } from '../../../schema/build.ts';
import { TypedLocalObjectReference } from '../core/reference.ts';
import { LoadBalancerStatus } from '../core/service/types.ts';
import { object, objectList } from '../meta/object.ts';
import { Condition } from '../meta/v1.ts';

export const IPAddress = object(
  'networking/v1beta1.IPAddress',
  'networking.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, IPAddressSpec).from(36, embedded(2, IPAddressSpec).required().omitEmpty()),
  }),
  { since: 31 },
);

export const IPAddressSpec = struct('networking/v1beta1.IPAddressSpec', () => ({
  parentRef: pointer(1, ParentReference).required().omitEmpty(),
}));

export const ParentReference = struct('networking/v1beta1.ParentReference', () => ({
  group: string(1),
  resource: string(2).required().omitEmpty(),
  namespace: string(3),
  name: string(4).required().omitEmpty(),
}));

export const IPAddressList = objectList(IPAddress);

export const Ingress = object('networking/v1beta1.Ingress', 'networking.k8s.io/v1beta1', () => ({
  spec: embedded(2, IngressSpec),
  status: embedded(3, IngressStatus),
}));

export const IngressSpec = struct('networking/v1beta1.IngressSpec', () => ({
  ingressClassName: string(4).pointer(),
  backend: pointer(1, IngressBackend),
  tls: list(2, IngressTLS).atomic(30),
  rules: list(3, IngressRule).atomic(30),
}));

export const IngressBackend = struct('networking/v1beta1.IngressBackend', () => ({
  serviceName: string(1),
  servicePort: intOrString(2),
  resource: pointer(3, TypedLocalObjectReference),
}));

export const IngressTLS = struct('networking/v1beta1.IngressTLS', () => ({
  hosts: list(1, 'string').atomic(30),
  secretName: string(2),
}));

export const IngressRule = struct('networking/v1beta1.IngressRule', () => ({
  host: string(1),
  IngressRuleValue: inline(2, IngressRuleValue).upTo(30, inline(2, IngressRuleValue)),
}));

export const IngressRuleValue = struct('networking/v1beta1.IngressRuleValue', () => ({
  http: pointer(1, HTTPIngressRuleValue).bare().from(37, pointer(1, HTTPIngressRuleValue)),
}));

export const HTTPIngressRuleValue = struct('networking/v1beta1.HTTPIngressRuleValue', () => ({
  paths: list(1, HTTPIngressPath).required().atomic(30),
}));

export const HTTPIngressPath = struct('networking/v1beta1.HTTPIngressPath', () => ({
  path: string(1),
  pathType: string(3).pointer(),
  backend: embedded(2, IngressBackend).required(),
}));

export const IngressStatus = struct('networking/v1beta1.IngressStatus', () => ({
  loadBalancer: embedded(1, IngressLoadBalancerStatus).upTo(25, embedded(1, LoadBalancerStatus)),
}));

export const IngressLoadBalancerStatus = struct('networking/v1beta1.IngressLoadBalancerStatus', () => ({
  ingress: list(1, IngressLoadBalancerIngress).atomic(30),
}));

export const IngressLoadBalancerIngress = struct('networking/v1beta1.IngressLoadBalancerIngress', () => ({
  ip: string(1),
  hostname: string(2),
  ports: list(4, IngressPortStatus).atomic(),
}));

export const IngressPortStatus = struct('networking/v1beta1.IngressPortStatus', () => ({
  port: int32(1).required(),
  protocol: string(2).required().oneOf('SCTP', 'TCP', 'UDP'),
  error: string(3).pointer(),
}));

export const IngressList = objectList(Ingress);

export const IngressClass = object('networking/v1beta1.IngressClass', 'networking.k8s.io/v1beta1', () => ({
  spec: embedded(2, IngressClassSpec),
}));

export const IngressClassSpec = struct('networking/v1beta1.IngressClassSpec', () => ({
  controller: string(1),
  parameters: pointer(2, IngressClassParametersReference),
}));

export const IngressClassParametersReference = struct('networking/v1beta1.IngressClassParametersReference', () => ({
  apiGroup: string(1).pointer(),
  kind: string(2).required(),
  name: string(3).required(),
  scope: string(4).pointer().required(),
  namespace: string(5).pointer(),
}));

export const IngressClassList = objectList(IngressClass);

export const ServiceCIDR = object(
  'networking/v1beta1.ServiceCIDR',
  'networking.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, ServiceCIDRSpec),
    status: embedded(3, ServiceCIDRStatus),
  }),
  { since: 31 },
);

export const ServiceCIDRSpec = struct('networking/v1beta1.ServiceCIDRSpec', () => ({
  cidrs: list(1, 'string').atomic(),
}));

export const ServiceCIDRStatus = struct('networking/v1beta1.ServiceCIDRStatus', () => ({
  conditions: list(1, Condition).keyed('type').mergedBy('type'),
}));

export const ServiceCIDRList = objectList(ServiceCIDR);
