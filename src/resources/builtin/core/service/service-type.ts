// Service types: whether it has addresses, node ports, a health check.

import type { ApiObject, Draft } from '../../../../api/object.ts';
import type { ServiceSpec } from './objects.ts';

/** The spec of a service that is known as an object of any kind. It has been decoded as a service's. */
export function serviceSpec(service: ApiObject | undefined): Draft<ServiceSpec> | undefined {
  return service?.['spec'] as Draft<ServiceSpec> | undefined;
}

/** A service without an address of its own: its name stands for its pods. */
export function isHeadless(spec: ServiceSpec | undefined): boolean {
  const addresses = spec?.clusterIPs ?? [];
  return addresses.length === 1 && addresses[0] === 'None';
}

/** All but external names may have cluster addresses. */
export function needsAddresses(spec: ServiceSpec | undefined): boolean {
  return spec?.type !== 'ExternalName';
}

export function needsNodePorts(spec: ServiceSpec | undefined): boolean {
  return ['NodePort', 'LoadBalancer'].includes(spec?.type ?? '');
}

/** Whether ports that name no node port get one; a load balancer may do without. */
export function givesNodePorts(spec: ServiceSpec | undefined): boolean {
  const type = spec?.type ?? '';
  return type === 'NodePort' || (type === 'LoadBalancer' && spec?.allocateLoadBalancerNodePorts !== false);
}

export function needsHealthCheckPort(spec: ServiceSpec | undefined): boolean {
  return (spec?.type ?? '') === 'LoadBalancer' && (spec?.externalTrafficPolicy ?? '') === 'Local';
}

/** Whether traffic from outside the cluster can reach the service. */
export function isReachedFromOutside(spec: ServiceSpec | undefined): boolean {
  return needsNodePorts(spec) || ((spec?.type ?? '') === 'ClusterIP' && (spec?.externalIPs ?? []).length > 0);
}
