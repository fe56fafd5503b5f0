// Service types: whether they have cluster IPs, node ports, and health check ports.

import type { ApiObject, Draft } from '../../../../api/object.ts';
import type { ServiceSpec } from './objects.ts';

/** The spec of an object known to be a service, which has been decoded as one. */
export function serviceSpec(service: ApiObject | undefined): Draft<ServiceSpec> | undefined {
  return service?.['spec'] as Draft<ServiceSpec> | undefined;
}

/** A headless service: its name resolves to its pods. */
export function isHeadless(spec: ServiceSpec | undefined): boolean {
  const addresses = spec?.clusterIPs ?? [];
  return addresses.length === 1 && addresses[0] === 'None';
}

/** All types except ExternalName may have cluster IPs. */
export function needsAddresses(spec: ServiceSpec | undefined): boolean {
  return spec?.type !== 'ExternalName';
}

export function needsNodePorts(spec: ServiceSpec | undefined): boolean {
  return ['NodePort', 'LoadBalancer'].includes(spec?.type ?? '');
}

/** Whether ports without a node port get one; a load balancer may opt out. */
export function givesNodePorts(spec: ServiceSpec | undefined): boolean {
  const type = spec?.type ?? '';
  return type === 'NodePort' || (type === 'LoadBalancer' && spec?.allocateLoadBalancerNodePorts !== false);
}

export function needsHealthCheckPort(spec: ServiceSpec | undefined): boolean {
  return (spec?.type ?? '') === 'LoadBalancer' && (spec?.externalTrafficPolicy ?? '') === 'Local';
}

/** Whether the service can be reached from outside the cluster. */
export function isReachedFromOutside(spec: ServiceSpec | undefined): boolean {
  return needsNodePorts(spec) || ((spec?.type ?? '') === 'ClusterIP' && (spec?.externalIPs ?? []).length > 0);
}
