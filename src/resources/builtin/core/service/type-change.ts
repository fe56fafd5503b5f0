// Fields that a Service drops when its type changes: those that the new type must not have and that the client did not
// change.

import { equalJson } from '../../../../api/json-equal.ts';
import type { Draft } from '../../../../api/object.ts';
import type { Service, ServiceSpec } from './objects.ts';

import { isReachedFromOutside, needsAddresses, needsHealthCheckPort, needsNodePorts } from './service-type.ts';

function isBalanced(spec: ServiceSpec | undefined): boolean {
  return (spec?.type ?? '') === 'LoadBalancer';
}

/** Fields that depend on a property of the service. */
const DEPENDENT: readonly (readonly [
  needs: (spec: ServiceSpec | undefined) => boolean,
  ...members: (keyof ServiceSpec)[],
])[] = [
  [needsAddresses, 'clusterIP', 'clusterIPs'],
  [needsAddresses, 'ipFamilies'],
  [needsAddresses, 'ipFamilyPolicy'],
  [needsHealthCheckPort, 'healthCheckNodePort'],
  [isBalanced, 'allocateLoadBalancerNodePorts'],
  [isBalanced, 'loadBalancerClass'],
  [isReachedFromOutside, 'externalTrafficPolicy'],
  [needsAddresses, 'internalTrafficPolicy'],
];

/** Drops what depended on the previous type. Modifies `next`. */
export function dropTypeDependent(next: Draft<Service>, previous: Draft<Service>): void {
  const spec = (next.spec ??= {});
  const { spec: before = {} } = previous;
  for (const [needs, ...members] of DEPENDENT) {
    if (!needs(before) || needs(spec)) continue;
    if (members.every((member) => equalJson(spec[member], before[member])))
      for (const each of members) delete spec[each];
  }
  if (needsNodePorts(before) && !needsNodePorts(spec)) dropNodePorts(spec, before);
  // Conditions belong to the service, not to its load balancer.
  if (isBalanced(before) && !isBalanced(spec)) next.status = { ...next.status, loadBalancer: {} };
}

/** Ports may be added and removed; a new node port was requested by the client. */
function dropNodePorts(spec: Draft<ServiceSpec>, before: ServiceSpec): void {
  const known = new Set((before.ports ?? []).map((port) => port.nodePort));
  const ports = spec.ports ?? [];
  if (ports.some((port) => port.nodePort && !known.has(port.nodePort))) return;
  for (const port of ports) delete port.nodePort;
}
