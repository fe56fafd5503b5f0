// Types of networking.k8s.io/v1.

import { embedded, inline, int32, intOrString, list, pointer, string, struct } from '../../../schema/build.ts';
import { TypedLocalObjectReference } from '../core/reference.ts';
import { LoadBalancerStatus } from '../core/service/types.ts';
import { object, objectList } from '../meta/object.ts';
import { Condition, LabelSelector } from '../meta/v1.ts';

export const IPAddress = object(
  'networking/v1.IPAddress',
  'networking.k8s.io/v1',
  () => ({
    spec: embedded(2, IPAddressSpec).from(36, embedded(2, IPAddressSpec).required().omitEmpty()),
  }),
  { since: 33 },
);

export const IPAddressSpec = struct('networking/v1.IPAddressSpec', () => ({
  parentRef: pointer(1, ParentReference).required().omitEmpty(),
}));

export const ParentReference = struct('networking/v1.ParentReference', () => ({
  group: string(1),
  resource: string(2).required().omitEmpty(),
  namespace: string(3),
  name: string(4).required().omitEmpty(),
}));

export const IPAddressList = objectList(IPAddress);

export const Ingress = object('networking/v1.Ingress', 'networking.k8s.io/v1', () => ({
  spec: embedded(2, IngressSpec),
  status: embedded(3, IngressStatus),
}));

export const IngressSpec = struct('networking/v1.IngressSpec', () => ({
  ingressClassName: string(4).pointer(),
  defaultBackend: pointer(1, IngressBackend),
  tls: list(2, IngressTLS).atomic(),
  rules: list(3, IngressRule).atomic(),
}));

export const IngressBackend = struct('networking/v1.IngressBackend', () => ({
  service: pointer(4, IngressServiceBackend),
  resource: pointer(3, TypedLocalObjectReference),
}));

export const IngressServiceBackend = struct('networking/v1.IngressServiceBackend', () => ({
  name: string(1).required(),
  port: embedded(2, ServiceBackendPort),
}));

export const ServiceBackendPort = struct(
  'networking/v1.ServiceBackendPort',
  () => ({
    name: string(1),
    number: int32(2),
  }),
  { mapType: 'atomic', mapTypeSince: 31 },
);

export const IngressTLS = struct('networking/v1.IngressTLS', () => ({
  hosts: list(1, 'string').atomic(),
  secretName: string(2),
}));

export const IngressRule = struct('networking/v1.IngressRule', () => ({
  host: string(1),
  IngressRuleValue: inline(2, IngressRuleValue).upTo(30, inline(2, IngressRuleValue)),
}));

export const IngressRuleValue = struct('networking/v1.IngressRuleValue', () => ({
  http: pointer(1, HTTPIngressRuleValue).bare().from(37, pointer(1, HTTPIngressRuleValue)),
}));

export const HTTPIngressRuleValue = struct('networking/v1.HTTPIngressRuleValue', () => ({
  paths: list(1, HTTPIngressPath).required().atomic(),
}));

export const HTTPIngressPath = struct('networking/v1.HTTPIngressPath', () => ({
  path: string(1),
  pathType: string(3).pointer().required().oneOf('Exact', 'ImplementationSpecific', 'Prefix'),
  backend: embedded(2, IngressBackend).required(),
}));

export const IngressStatus = struct('networking/v1.IngressStatus', () => ({
  loadBalancer: embedded(1, IngressLoadBalancerStatus).upTo(25, embedded(1, LoadBalancerStatus)),
}));

export const IngressLoadBalancerStatus = struct('networking/v1.IngressLoadBalancerStatus', () => ({
  ingress: list(1, IngressLoadBalancerIngress).atomic(30),
}));

export const IngressLoadBalancerIngress = struct('networking/v1.IngressLoadBalancerIngress', () => ({
  ip: string(1),
  hostname: string(2),
  ports: list(4, IngressPortStatus).atomic(),
}));

export const IngressPortStatus = struct('networking/v1.IngressPortStatus', () => ({
  port: int32(1).required(),
  protocol: string(2).required().oneOf('SCTP', 'TCP', 'UDP'),
  error: string(3).pointer(),
}));

export const IngressList = objectList(Ingress);

export const IngressClass = object('networking/v1.IngressClass', 'networking.k8s.io/v1', () => ({
  spec: embedded(2, IngressClassSpec),
}));

export const IngressClassSpec = struct('networking/v1.IngressClassSpec', () => ({
  controller: string(1),
  parameters: pointer(2, IngressClassParametersReference),
}));

export const IngressClassParametersReference = struct('networking/v1.IngressClassParametersReference', () => ({
  apiGroup: string(1).pointer(),
  kind: string(2).required(),
  name: string(3).required(),
  scope: string(4).pointer().always(),
  namespace: string(5).pointer(),
}));

export const IngressClassList = objectList(IngressClass);

export const NetworkPolicy = object('networking/v1.NetworkPolicy', 'networking.k8s.io/v1', () => ({
  spec: embedded(2, NetworkPolicySpec),
  status: embedded(3, NetworkPolicyStatus).until(27),
}));

export const NetworkPolicyStatus = struct('networking/v1.NetworkPolicyStatus', () => ({
  conditions: list(1, Condition).keyed('type').mergedBy('type'),
}));

export const NetworkPolicySpec = struct('networking/v1.NetworkPolicySpec', () => ({
  podSelector: embedded(1, LabelSelector).always().upTo(33, embedded(1, LabelSelector).required()),
  ingress: list(2, NetworkPolicyIngressRule).atomic(30),
  egress: list(3, NetworkPolicyEgressRule).atomic(30),
  policyTypes: list(4, 'string').itemsOneOf('Egress', 'Ingress').atomic(30),
}));

export const NetworkPolicyIngressRule = struct('networking/v1.NetworkPolicyIngressRule', () => ({
  ports: list(1, NetworkPolicyPort).atomic(30),
  from: list(2, NetworkPolicyPeer).atomic(30),
}));

export const NetworkPolicyPort = struct('networking/v1.NetworkPolicyPort', () => ({
  protocol: string(1).pointer().oneOf('SCTP', 'TCP', 'UDP'),
  port: intOrString(2).pointer(),
  endPort: int32(3).pointer(),
}));

export const NetworkPolicyPeer = struct('networking/v1.NetworkPolicyPeer', () => ({
  podSelector: pointer(1, LabelSelector),
  namespaceSelector: pointer(2, LabelSelector),
  ipBlock: pointer(3, IPBlock),
}));

export const IPBlock = struct('networking/v1.IPBlock', () => ({
  cidr: string(1).required(),
  except: list(2, 'string').atomic(30),
}));

export const NetworkPolicyEgressRule = struct('networking/v1.NetworkPolicyEgressRule', () => ({
  ports: list(1, NetworkPolicyPort).atomic(30),
  to: list(2, NetworkPolicyPeer).atomic(30),
}));

export const NetworkPolicyList = objectList(NetworkPolicy);

export const ServiceCIDR = object(
  'networking/v1.ServiceCIDR',
  'networking.k8s.io/v1',
  () => ({
    spec: embedded(2, ServiceCIDRSpec),
    status: embedded(3, ServiceCIDRStatus),
  }),
  { since: 33 },
);

export const ServiceCIDRSpec = struct('networking/v1.ServiceCIDRSpec', () => ({
  cidrs: list(1, 'string').atomic(),
}));

export const ServiceCIDRStatus = struct('networking/v1.ServiceCIDRStatus', () => ({
  conditions: list(1, Condition).keyed('type').mergedBy('type'),
}));

export const ServiceCIDRList = objectList(ServiceCIDR);
