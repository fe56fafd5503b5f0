// Types of the core group, v1: Service and load balancer status.

import { bool, embedded, int32, intOrString, list, map, pointer, string, struct } from '../../../../schema/build.ts';
import { object, objectList } from '../../meta/object.ts';
import { Condition } from '../../meta/v1.ts';

export const Service = object('core/v1.Service', 'v1', () => ({
  spec: embedded(2, ServiceSpec),
  status: embedded(3, ServiceStatus),
}));

export const ServiceSpec = struct('core/v1.ServiceSpec', () => ({
  ports: list(1, ServicePort).keyed('port', 'protocol').mergedBy('port'),
  selector: map(2, 'string').atomic(),
  clusterIP: string(3),
  clusterIPs: list(18, 'string').atomic(),
  type: string(4).oneOf('ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'),
  externalIPs: list(5, 'string').atomic(30),
  sessionAffinity: string(7).oneOf('ClientIP', 'None'),
  loadBalancerIP: string(8),
  loadBalancerSourceRanges: list(9, 'string').atomic(30),
  externalName: string(10),
  externalTrafficPolicy: string(11)
    .oneOf('Cluster', 'Local')
    .upTo(29, string(11).oneOf('Cluster', 'Cluster', 'Local', 'Local'))
    .upTo(26, string(11).oneOf('Cluster', 'Local')),
  healthCheckNodePort: int32(12),
  publishNotReadyAddresses: bool(13),
  sessionAffinityConfig: pointer(14, SessionAffinityConfig),
  ipFamilies: list(19, 'string')
    .atomic()
    .itemsOneOf('', 'IPv4', 'IPv6')
    .upTo(28, list(19, 'string').atomic().itemsOneOf('IPv4', 'IPv6')),
  ipFamilyPolicy: string(17).pointer().oneOf('PreferDualStack', 'RequireDualStack', 'SingleStack'),
  allocateLoadBalancerNodePorts: bool(20).pointer(),
  loadBalancerClass: string(21).pointer(),
  internalTrafficPolicy: string(22).pointer().oneOf('Cluster', 'Local'),
  trafficDistribution: string(23).pointer().behind('ServiceTrafficDistribution').since(30),
}));

export const ServicePort = struct('core/v1.ServicePort', () => ({
  name: string(1),
  protocol: string(2).default('TCP').oneOf('SCTP', 'TCP', 'UDP'),
  appProtocol: string(6).pointer(),
  port: int32(3).required(),
  targetPort: intOrString(4),
  nodePort: int32(5),
}));

export const SessionAffinityConfig = struct('core/v1.SessionAffinityConfig', () => ({
  clientIP: pointer(1, ClientIPConfig),
}));

export const ClientIPConfig = struct('core/v1.ClientIPConfig', () => ({
  timeoutSeconds: int32(1).pointer(),
}));

export const ServiceStatus = struct('core/v1.ServiceStatus', () => ({
  loadBalancer: embedded(1, LoadBalancerStatus),
  conditions: list(2, Condition).keyed('type').mergedBy('type'),
}));

export const LoadBalancerStatus = struct('core/v1.LoadBalancerStatus', () => ({
  ingress: list(1, LoadBalancerIngress).atomic(30),
}));

export const LoadBalancerIngress = struct('core/v1.LoadBalancerIngress', () => ({
  ip: string(1),
  hostname: string(2),
  ipMode: string(3).pointer().behind('LoadBalancerIPMode').since(29),
  ports: list(4, PortStatus).atomic(),
}));

export const PortStatus = struct('core/v1.PortStatus', () => ({
  port: int32(1).required(),
  protocol: string(2).required().oneOf('SCTP', 'TCP', 'UDP'),
  error: string(3).pointer(),
}));

export const ServiceList = objectList(Service);
