// What follows from the type of a service: whether it has addresses, node ports, a health check.

import type { Json } from '../../../../api/object.ts';
import { at, listAt, textAt } from '../../../value.ts';

/** A service without an address of its own: its name stands for its pods. */
export function isHeadless(spec: Json | undefined): boolean {
  const addresses = listAt(spec, 'clusterIPs');
  return addresses.length === 1 && addresses[0] === 'None';
}

/** All but external names may have cluster addresses. */
export function needsAddresses(spec: Json | undefined): boolean {
  return ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(textAt(spec, 'type'));
}

export function needsNodePorts(spec: Json | undefined): boolean {
  return ['NodePort', 'LoadBalancer'].includes(textAt(spec, 'type'));
}

/** Whether ports that name no node port get one; a load balancer may do without. */
export function givesNodePorts(spec: Json | undefined): boolean {
  const type = textAt(spec, 'type');
  return type === 'NodePort' || (type === 'LoadBalancer' && at(spec, 'allocateLoadBalancerNodePorts') !== false);
}

export function needsHealthCheckPort(spec: Json | undefined): boolean {
  return textAt(spec, 'type') === 'LoadBalancer' && textAt(spec, 'externalTrafficPolicy') === 'Local';
}

/** Whether traffic from outside the cluster can reach the service. */
export function isReachedFromOutside(spec: Json | undefined): boolean {
  return needsNodePorts(spec) || (textAt(spec, 'type') === 'ClusterIP' && listAt(spec, 'externalIPs').length > 0);
}
